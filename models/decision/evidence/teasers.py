"""Teasers at the end of long texts: "Read the full story", which leads from an excerpt to the text that it is from."""

from functools import cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.evidence.short_texts.fillers import TEASER_WORDS
from models.kernels.hash_set import hash_set, holds
from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel, lean
from models.languages import phrases
from models.lexical.sketch.features import Features
from models.lexical.sketch.shingles import hash_word_grams
from models.lexical.text import Normalised, Words, normalise, split_words
from models.lexical.text.words import SENTENCE

LEAST_WORDS = 20
"""Words that must stand before one."""
_SEED = np.uint64(0x7465617365727321)
_COMMA, _BLANK = ord(","), ord(" ")


def without_teasers(features: Features) -> Features:
    """Features of a batch without the words that lead from the end of a long text to its rest; shingles stay."""
    words = features.words
    sizes = _teasers(features.normalised, words, features.shingles.short, _phrases())
    if not sizes.any():
        return features
    lengths = np.diff(words.pointers)
    kept = np.arange(len(words.hash)) < np.repeat(words.pointers[1:] - sizes, lengths)
    pointers = np.concatenate([[0], np.cumsum(lengths - sizes)])
    rest = words._replace(
        start=words.start[kept],
        end=words.end[kept],
        hash=words.hash[kept],
        flags=words.flags[kept],
        line=words.line[kept],
        pointers=pointers,
    )
    plain = features.plain[kept]
    gram = hash_word_grams(rest._replace(hash=plain))
    return features._replace(
        words=rest,
        word_weight=features.word_weight[kept],
        word_df=features.word_df[kept],
        line_df=features.line_df[kept],
        plain=plain,
        gram=gram,
        gram_df=np.where(gram == 0, 0, features.gram_df[kept]).astype(features.gram_df.dtype),
    )


@cache
def _phrases() -> NDArray[np.uint64]:
    """Teasers of all languages, a `hash_set` of the hashes of their words one after another."""
    words = split_words(normalise(pl.Series(phrases("teasers"))))
    found = [_joined(words.hash, first, stop) for first, stop in zip(words.pointers, words.pointers[1:], strict=False)]
    known: NDArray[np.uint64] = hash_set(np.unique(np.array(found, np.uint64)))
    return known


@lean
def _joined(hashes: NDArray[np.uint64], first: int, stop: int) -> np.uint64:
    state = _SEED
    for word in range(first, stop):
        state = absorb(state, hashes[word])
    return np.uint64(mix(state))


@kernel
def _teasers(
    normalised: Normalised, words: Words, short: NDArray[np.bool_], known: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """How many words at the end of each long text are a teaser: int64[n]."""
    found = np.zeros(short.size, np.int64)
    for text in np.flatnonzero(~short):
        first, stop = words.pointers[text], words.pointers[text + 1]
        for size in range(min(TEASER_WORDS, stop - first - LEAST_WORDS), 0, -1):
            word = stop - size
            if _is_parted(normalised, words, word) and holds(known, _joined(words.hash, word, stop)):
                found[text] = size
                break
    return found


@lean
def _is_parted(normalised: Normalised, words: Words, word: int) -> bool:
    """Whether a word begins a sentence or line, or a sign other than a comma stands before it."""
    if words.flags[word] & SENTENCE:
        return True
    at = words.start[word] - 1
    while at > words.end[word - 1] and normalised.codes[at] == _BLANK:
        at -= 1
    return bool(at >= words.end[word - 1] and normalised.codes[at] not in (_BLANK, _COMMA))
