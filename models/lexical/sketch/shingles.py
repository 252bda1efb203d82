"""Shingles: the distinct grams of a document, of 5 words in long texts and of 4 letters as they are read in short ones.

Of short texts the consonants are taken: vowels are what disguise, haste and hands on the keyboard change most.
"""

from typing import NamedTuple

import numpy as np

from models.kernels.hashing import absorb, mix
from models.kernels.jit import ZERO, inner, kernel
from models.lexical.text.canonical.consonants import consonants
from models.lexical.text.canonical.plain_words import plain_words
from models.lexical.text.canonical.reading import CODE, OF_ITSELF, OPTIONAL, read
from models.lexical.text.normalisation import Normalised
from models.lexical.text.unicode_table import KIND, LETTER, SINGLE
from models.lexical.text.words import Words

LETTERS = 4
"""Letters per gram of a short text."""
_READ_SHARE = 0.8
"""Letters per code point in plain text: a text set apart or piled with marks is short if its letters are few."""
_INFLATED = 4
"""Times as many code points as `short_chars` that such a text may have."""

Array = np.ndarray
Integer = int | np.int64

_WORD_LANE, _CHARACTER_LANE = np.uint64(0x6C6F6E67206C616E), np.uint64(0x73686F7274206C61)
_HALF, _RUN = np.uint64(32), 512


class Shingles(NamedTuple):
    """Distinct shingles of a batch, by hash within a document; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        hash: uint64[g]. Hashes of the two lanes are salted apart.
        first_word: int32[g], first word of the first occurrence, counted within its document.
        last_word: int32[g], its last word, inclusive. Grams of letters have the empty span (0, -1).
        pointers: int64[n+1]. A document has at least one shingle; texts of which nothing is left when
            normalised, such as tags alone, share one.
        short: bool[n], whether the document went the character lane.
    """

    hash: Array
    first_word: Array
    last_word: Array
    pointers: Array
    short: Array


def shingle(
    normalised: Normalised,
    words: Words,
    short_chars: int,
    size: int = 5,
    letters: int = LETTERS,
    plain: Words | None = None,
) -> Shingles:
    """Shingle a batch of documents.

    Long lane: grams of `size` words as their letters read. Short lane: grams of `letters` consonants as they are read
    (`models.lexical.text.canonical`), all of them where they are fewer, and of the normalised characters where
    nothing can be read (emoji, punctuation).

    Args:
        normalised: n texts.
        words: their words.
        short_chars: see `is_short`.
        size: words per gram.
        letters: letters per gram.
        plain: what `plain_words` gives, where it is at hand.

    Returns:
        The distinct shingles of every document.

    Raises:
        ValueError: size or letters is below 1.
    """
    if min(size, letters) < 1:
        raise ValueError(f"shingles of {size} words and {letters} letters")
    short = is_short(normalised, words, short_chars, size)
    bare = consonants(read(normalised, short))
    plain = plain_words(normalised, words) if plain is None else plain
    sequences = (normalised.codes, normalised.pointers, plain.hash, words.pointers, *bare)
    hashes, first_word, last_word, pointers = _shingle(*sequences, short, size, letters)
    return Shingles(hashes, first_word, last_word, pointers, short)


def is_short(normalised: Normalised, words: Words, short_chars: int, size: int = 5) -> Array:
    """Which texts go the short lane, bool[n].

    Those below `short_chars` code points or of fewer than `2 * size` words, and longer ones that would be as short
    without the blanks and marks between their letters. A letter that is a word by itself, as in Chinese, counts twice.

    Args:
        normalised: n texts.
        words: their words.
        short_chars: code points.
        size: words per gram of the long lane.
    """
    lengths = np.diff(normalised.pointers)
    asked = (lengths < short_chars) & (2 * lengths >= short_chars)
    short: Array = (lengths + _singles(normalised.marks, normalised.pointers, asked) < short_chars) | (
        np.diff(words.pointers) < 2 * size
    )
    inflated = ~short & (lengths < _INFLATED * short_chars)
    inflated &= _is_loose(normalised.marks, normalised.pointers, words.pointers, inflated)
    if inflated.any():
        reading = read(normalised, inflated)
        weight = 1 + ((reading.letters & CODE) >= OF_ITSELF)
        counted = np.concatenate([[0], np.cumsum(weight * ((reading.letters & OPTIONAL) == 0))])
        short |= inflated & (np.diff(counted[reading.pointers]) < _READ_SHARE * short_chars)
    return short


@kernel
def _singles(marks: Array, pointers: Array, asked: Array) -> Array:
    """How many letters of each text that is asked about are words by themselves."""
    count = np.zeros(asked.size, np.int64)
    for document in np.flatnonzero(asked):
        for at in range(pointers[document], pointers[document + 1]):
            count[document] += marks[at] & KIND == SINGLE
    return count


@kernel
def _is_loose(marks: Array, pointers: Array, word_pointers: Array, asked: Array) -> Array:
    """Have texts words of hardly more than a letter, or as much between their letters as letters?"""
    loose = np.zeros(asked.size, np.bool_)
    for document in np.flatnonzero(asked):
        start, stop = pointers[document], pointers[document + 1]
        letters = 0
        for at in range(start, stop):
            letters += marks[at] & KIND >= LETTER
        words = word_pointers[document + 1] - word_pointers[document]
        loose[document] = 3 * words > stop - start or 2 * letters < stop - start
    return loose


@kernel
def _shingle(
    codes: Array,
    code_pointers: Array,
    word_hash: Array,
    word_pointers: Array,
    bare: Array,
    bare_pointers: Array,
    short: Array,
    size: int,
    letters: int,
) -> tuple[Array, Array, Array, Array]:
    documents = short.size
    pointers = np.zeros(documents + 1, np.int64)
    room, widest = 0, 0
    for document in range(documents):
        length, wide = bare_pointers[document + 1] - bare_pointers[document], letters
        if not short[document]:
            length, wide = word_pointers[document + 1] - word_pointers[document], size
        elif length == 0:
            length = code_pointers[document + 1] - code_pointers[document]
        most = max(length - wide + 1, 1)
        room, widest = room + most, max(widest, most)
    hashes = np.empty(room, np.uint64)
    first_word, last_word = np.empty(room, np.int32), np.empty(room, np.int32)
    grams, counts = np.empty(widest, np.uint64), np.empty(2 * widest, np.int32)
    out = ZERO
    for document in range(documents):
        if not short[document]:
            low, high = word_pointers[document], word_pointers[document + 1]
            out_next = _distinct(word_hash[low:high], _WORD_LANE, size, grams, counts, hashes, first_word, out)
            for gram in range(out, out_next):
                last_word[gram] = first_word[gram] + size - 1
        else:
            low, high = bare_pointers[document], bare_pointers[document + 1]
            read = bare[low:high]
            if low == high:
                read = codes[code_pointers[document] : code_pointers[document + 1]]
            out_next = _distinct(read, _CHARACTER_LANE, letters, grams, counts, hashes, first_word, out)
            if out_next == out:
                hashes[out], out_next = _CHARACTER_LANE, out + 1
            first_word[out:out_next], last_word[out:out_next] = 0, -1
        out = out_next
        pointers[document + 1] = out
    return hashes[:out], first_word[:out], last_word[:out], pointers


@inner
def _distinct(
    items: Array,
    salt: np.uint64,
    size: int,
    grams: Array,
    counts: Array,
    hashes: Array,
    first: Array,
    out: Integer,
) -> Integer:
    """Write the distinct grams of one sequence in rising order of hash, with the item at which each occurs first.

    Hashes are uniform: brought into order by their leading bits, in two buckets for each, they are nearly sorted.
    `grams` and `counts` are room to work in, for one and two values per gram.
    """
    size = min(size, items.size)
    grams = grams[: items.size - size + 1 if items.size else 0]
    hash_grams(items, salt, size, grams)
    counts = counts[: 2 * grams.size]
    counts[:] = 0
    buckets = np.uint64(counts.size)
    for gram in range(grams.size):
        counts[np.int64(((grams[gram] >> _HALF) * buckets) >> _HALF)] += 1
    behind = grams.size
    for bucket in range(counts.size - 1, -1, -1):
        behind -= counts[bucket]
        counts[bucket] = behind
    for gram in range(grams.size):
        held = np.int64(((grams[gram] >> _HALF) * buckets) >> _HALF)
        place = out + counts[held]
        counts[held] += 1
        hashes[place], first[place] = grams[gram], gram
    kept: Integer = out
    for late in range(grams.size):
        value, position, place = hashes[out + late], first[out + late], kept
        while place > out and hashes[place - 1] > value:
            place -= 1
        if place > out and hashes[place - 1] == value:
            continue
        for later in range(kept, place, -1):
            hashes[later], first[later] = hashes[later - 1], first[later - 1]
        hashes[place], first[place] = value, position
        kept += 1
    return kept


@kernel
def hash_grams(items: Array, salt: np.uint64, size: int, grams: Array) -> None:
    """Hash every gram of a sequence: item by item for a run of grams at once, which compiles to vector code.

    Args:
        items: uint32 or uint64, at least `grams.size + size - 1`.
        salt: what keeps two kinds of sequence apart.
        size: items per gram.
        grams: uint64, filled in; gram k begins with item k.
    """
    for low in range(0, grams.size, _RUN):
        run = grams[low : low + _RUN]
        run[:] = salt
        for item in range(size):
            here = items[low + item : low + item + run.size]
            for gram in range(run.size):
                run[gram] = absorb(run[gram], np.uint64(here[gram]))
        for gram in range(run.size):
            run[gram] = mix(run[gram])


def hash_word_grams(words: Words, size: int = 5) -> Array:
    """Hash the grams of words along the texts, as the long lane of `shingle` does, but with their accents.

    Args:
        words: w words of n texts.
        size: words per gram.

    Returns:
        uint64[w], the gram that begins with each word; 0 where fewer than `size` words of its text are left.
    """
    grams: Array = _word_grams(words.hash, words.pointers, size)
    return grams


@kernel
def _word_grams(word_hash: Array, pointers: Array, size: int) -> Array:
    grams = np.zeros(word_hash.size, np.uint64)
    for document in range(pointers.size - 1):
        low, high = pointers[document], pointers[document + 1]
        if high - low >= size:
            hash_grams(word_hash[low:high], _WORD_LANE, size, grams[low : high - size + 1])
    return grams
