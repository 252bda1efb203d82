"""The text front of the lexical route: normalised code points, words, and the ways back to strings and originals."""

from itertools import pairwise

import numpy as np
import xxhash

from models.kernels.jit import kernel
from models.lexical.text.normalisation import Normalised, normalise
from models.lexical.text.words import CAPITAL, HAS_DIGIT, MIXED, SENTENCE, Words, split_words

__all__ = [
    "CAPITAL",
    "HAS_DIGIT",
    "MIXED",
    "SENTENCE",
    "Normalised",
    "Words",
    "normalise",
    "original_spans",
    "same_text",
    "split_words",
    "text_hash",
    "to_text",
]

Array = np.ndarray


def to_text(codes: Array) -> str:
    """Code points as a string.

    Args:
        codes: uint32[k], any slice of `Normalised.codes`.

    Returns:
        The string.
    """
    return codes.astype("<u4", copy=False).tobytes().decode("utf-32-le")


def text_hash(normalised: Normalised) -> list[str]:
    """Content hash of each normalised text.

    Args:
        normalised: n texts.

    Returns:
        n strings of 32 hexadecimal digits: xxh3-128 of the code points as little-endian uint32.
    """
    data = normalised.codes.astype("<u4", copy=False).view(np.uint8).data
    bounds = (normalised.pointers * 4).tolist()
    return [xxhash.xxh3_128_hexdigest(data[low:high]) for low, high in pairwise(bounds)]


def same_text(one: Normalised, other: Normalised) -> Array:
    """Whether the texts of two batches are equal, row by row.

    Args:
        one: n normalised texts.
        other: n normalised texts.

    Returns:
        bool[n].
    """
    same: Array = _same(one.codes, one.pointers, other.codes, other.pointers)
    return same


@kernel
def _same(codes: Array, pointers: Array, other_codes: Array, other_pointers: Array) -> Array:
    same = np.empty(pointers.size - 1, np.bool_)
    for row in range(same.size):
        text = codes[pointers[row] : pointers[row + 1]]
        same[row] = np.array_equal(text, other_codes[other_pointers[row] : other_pointers[row + 1]])
    return same


def original_spans(normalised: Normalised, start: Array, end: Array) -> tuple[Array, Array]:
    """Where spans of normalised text stand in the originals.

    A span covers all of the original code points that its codes came from, and the invisible ones among and directly
    behind them; never white space behind it.

    Args:
        normalised: the batch.
        start: int64[k], global positions of first codes.
        end: int64[k], global positions behind last codes; every span lies within one document and holds a code.

    Returns:
        int64[k] first and int64[k] behind-last code points, each relative to the original text of its document.
    """
    first, behind = _original_spans(normalised.origin, normalised.pointers, normalised.stops, start, end)
    return first, behind


@kernel
def _original_spans(origin: Array, pointers: Array, stops: Array, start: Array, end: Array) -> tuple[Array, Array]:
    first, behind = np.empty(start.size, np.int64), np.empty(start.size, np.int64)
    for span in range(start.size):
        document = np.searchsorted(pointers, start[span], side="right") - 1
        at, last = end[span], origin[end[span] - 1]
        # Codes of one expansion or cluster share an origin: a span that ends inside takes the whole of it.
        while at < pointers[document + 1] and origin[at] == last:
            at += 1
        first[span] = origin[start[span]]
        behind[span] = origin[at] if at < pointers[document + 1] else stops[document]
    return first, behind
