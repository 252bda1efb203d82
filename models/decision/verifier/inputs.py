"""Inputs of the fusion network: a bounded number of a document's characters and words, its vector, its form."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import mix
from models.kernels.jit import inner, kernel
from models.lexical.text.normalisation import Normalised
from models.lexical.text.words import CAPITAL, HAS_DIGIT, Words

CHARACTERS, WORDS = 512, 128
"""Characters and words read; of a longer text the first and the last half of them, where templates stand."""
ALPHABET = 512
"""Rows of the character embedding: 0 is no character, then ASCII, and all others share the rest by hash."""
TEMPLATE_WORDS = 4
"""Lines of fewer words are taken for menus, bylines and other marks of a template."""
META = ("length", "words", "richness", "capitals", "digits", "short_lines")
"""Columns of `Reading.meta`, the f_meta of `eq:gate`."""

_NONE = -1
_ASCII = 128


class Reading(NamedTuple):
    """n documents as the network reads them.

    Attributes:
        characters: int16[n, `CHARACTERS`], rows of the character embedding, 0 behind the end.
        words: int32[n, `WORDS`], rows of the word table, -1 behind the end.
        vector: float32[n, d], the sentence vector e of unit length.
        meta: float32[n, 6], columns `META`: log(1 + characters) / 10, log(1 + words) / 10, distinct over all words,
            share of words that begin with a capital, that hold a digit, and that stand in lines of fewer than
            `TEMPLATE_WORDS` words (the template indicator).
    """

    characters: NDArray[np.int16]
    words: NDArray[np.int32]
    vector: NDArray[np.float32]
    meta: NDArray[np.float32]

    def take(self, rows: NDArray[np.int64]) -> "Reading":
        """Some of the documents."""
        return Reading(self.characters[rows], self.words[rows], self.vector[rows], self.meta[rows])


def read(normalised: Normalised, words: Words, rows: NDArray[np.int32], vector: NDArray[np.float32]) -> Reading:
    """Read n documents.

    Args:
        normalised: their normalised text.
        words: their words, w in all.
        rows: int32[w], the row of the word table for each word.
        vector: float32[n, d].

    Raises:
        ValueError: the batches differ in documents or words.
    """
    documents = normalised.pointers.size - 1
    if words.pointers.size - 1 != documents or len(vector) != documents or len(rows) != len(words.hash):
        raise ValueError(f"{documents} texts, {len(vector)} vectors, {len(rows)} rows for {len(words.hash)} words")
    characters = np.zeros((documents, CHARACTERS), np.int16)
    taken = np.full((documents, WORDS), _NONE, np.int32)
    meta = np.zeros((documents, len(META)), np.float32)
    _read(
        normalised.codes, normalised.pointers, words.hash, words.flags, words.line, words.pointers,
        np.ascontiguousarray(rows, np.int32), characters, taken, meta,
    )  # fmt: skip
    return Reading(characters, taken, np.ascontiguousarray(vector, np.float32), meta)


@kernel
def _read(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    flags: NDArray[np.uint8],
    line: NDArray[np.int32],
    word_pointers: NDArray[np.int64],
    rows: NDArray[np.int32],
    characters: NDArray[np.int16],
    taken: NDArray[np.int32],
    meta: NDArray[np.float32],
) -> None:
    """Fill the last three arrays."""
    for document in range(len(meta)):
        begin, stop = pointers[document], pointers[document + 1]
        for at in range(min(stop - begin, CHARACTERS)):
            characters[document, at] = _letter(codes[_place(begin, stop, at, CHARACTERS)])
        first, last = word_pointers[document], word_pointers[document + 1]
        for at in range(min(last - first, WORDS)):
            taken[document, at] = rows[_place(first, last, at, WORDS)]
        meta[document, 0] = np.log1p(stop - begin) / 10
        meta[document, 1] = np.log1p(last - first) / 10
        if last > first:
            meta[document, 2] = len(np.unique(hashes[first:last])) / (last - first)
            meta[document, 3] = ((flags[first:last] & CAPITAL) != 0).mean()
            meta[document, 4] = ((flags[first:last] & HAS_DIGIT) != 0).mean()
            meta[document, 5] = _in_short_lines(line[first:last])


@inner
def _place(begin: int, stop: int, at: int, most: int) -> int:
    """Where the at-th of at most `most` things stands: the first half from the beginning, the second from the end."""
    return begin + at if 2 * at < most or stop - begin <= most else stop - most + at


@inner
def _letter(code: np.uint32) -> int:
    if code < _ASCII:
        return int(code) + 1
    return int(_ASCII + 1 + mix(np.uint64(code)) % np.uint64(ALPHABET - _ASCII - 1))


@inner
def _in_short_lines(line: NDArray[np.int32]) -> float:
    inside, begin = 0, 0
    for at in range(1, len(line) + 1):
        if at == len(line) or line[at] != line[begin]:
            inside += at - begin if at - begin < TEMPLATE_WORDS else 0
            begin = at
    return inside / len(line)
