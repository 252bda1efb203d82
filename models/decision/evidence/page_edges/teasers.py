"""Teasers at the end of long texts, "Read the full story", and what leads to one before it: "Quote of the day: "."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.short_texts.fillers import TEASER_WORDS
from models.kernels.hash_set import holds
from models.kernels.jit import kernel, lean
from models.lexical.sketch.features import Features
from models.lexical.text import Normalised, Words
from models.lexical.text.phrase_sets import listed_phrases, phrase_hash
from models.lexical.text.words import SENTENCE

LEAST_WORDS, INTRODUCTION_WORDS = 20, 6
"""Words that must be left of a text, at least, and of what leads to one, at most."""
_COMMA, _BLANK, _COLON, _SLASH = (ord(sign) for sign in ", :/")


def teasers(features: Features) -> NDArray[np.bool_]:
    """Tell which words lead to a long text at its beginning, or from its end to its rest: bool[w]."""
    words = features.words
    texts = features.normalised, words, features.shingles.short
    behind, before = (
        _teasers(*texts, listed_phrases("teasers")),
        _introductions(*texts, listed_phrases("introductions")),
    )
    at, lengths = np.arange(len(words.hash)), np.diff(words.pointers)
    told: NDArray[np.bool_] = at >= np.repeat(words.pointers[1:] - behind, lengths)
    return told | (at < np.repeat(words.pointers[:-1] + before, lengths))


@kernel
def _teasers(
    normalised: Normalised, words: Words, short: NDArray[np.bool_], known: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """How many words at the end of each long text are a teaser, with the address to which it leads: int64[n]."""
    found = np.zeros(short.size, np.int64)
    for text in np.flatnonzero(~short):
        first, stop = words.pointers[text], words.pointers[text + 1]
        behind = _address(normalised, words, first, stop)
        for size in range(min(TEASER_WORDS, behind - first - LEAST_WORDS), 0, -1):
            word = behind - size
            if _is_parted(normalised, words, word) and holds(known, phrase_hash(words.hash, word, behind)):
                found[text] = stop - word
                break
    return found


@lean
def _address(normalised: Normalised, words: Words, first: int, stop: int) -> int:
    """First word of the address with which a text ends, as behind "Read more"; `stop` where it ends otherwise."""
    word = stop - 1
    while word > first and normalised.codes[words.start[word] - 1] != _BLANK:
        word -= 1
    at = words.end[word]
    address = word < stop - 1 and normalised.codes[at] == _COLON and normalised.codes[at + 1] == _SLASH
    return word if address else stop


@kernel
def _introductions(
    normalised: Normalised, words: Words, short: NDArray[np.bool_], known: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """How many words at the beginning of each long text, before a colon, lead to it: int64[n]."""
    found = np.zeros(short.size, np.int64)
    for text in np.flatnonzero(~short):
        first, stop = words.pointers[text], words.pointers[text + 1]
        for size in range(1, min(INTRODUCTION_WORDS, stop - first - LEAST_WORDS) + 1):
            if _is_followed(normalised, words.end[first + size - 1], words.start[first + size]):
                found[text] = size * holds(known, phrase_hash(words.hash, first, first + size))
                break
    return found


@lean
def _is_followed(normalised: Normalised, at: int, stop: int) -> bool:
    """Whether a colon stands between two words, and no other sign before it but a blank."""
    while at < stop and normalised.codes[at] == _BLANK:
        at += 1
    return bool(at < stop and normalised.codes[at] == _COLON)


@lean
def _is_parted(normalised: Normalised, words: Words, word: int) -> bool:
    """Whether a word begins a sentence or line, or a sign other than a comma stands before it."""
    if words.flags[word] & SENTENCE:
        return True
    at = words.start[word] - 1
    while at > words.end[word - 1] and normalised.codes[at] == _BLANK:
        at -= 1
    return bool(at >= words.end[word - 1] and normalised.codes[at] not in (_BLANK, _COMMA))
