"""Numbers that a text states, whatever they are written with: "1,200", "twelve hundred" and "1200" are one."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.evidence.facts.lexicon import GROUPED, MEASURE, NUMERAL, Lexicon, class_of
from models.kernels.hash_set import place
from models.kernels.hashing import mix
from models.kernels.jit import counted, kernel, lean
from models.lexical.text import HAS_DIGIT, Normalised, Words, normalise, split_words

SMALL = 2
"""Numbers up to this are written in too many ways ("both", "a pair", "once") to be missed where they do not stand."""
_AMOUNTS = {
    "hundred": 100, "hundreds": 100, "thousand": 1000, "thousands": 1000, "million": 10**6, "millions": 10**6,
    "billion": 10**9, "billions": 10**9, "trillion": 10**12, "trillions": 10**12, "dozen": 12,
}  # fmt: skip
_UNTOLD = ("second", "seconds")
"""Number words that are more often something else."""
_COMMA, _STOP, _HYPHEN, _BLANK = ord(","), ord("."), ord("-"), ord(" ")
_OWN = np.uint64(1 << 62)
_MOST_DIGITS = 15
_LONGEST = 64
"""Numbers of a text, from its beginning, whose order counts."""


class Numbers(NamedTuple):
    """Numbers of n texts, flat; text d owns `pointers[d]:pointers[d + 1]`, ascending by value.

    Attributes:
        value: int64[k], whole numbers as they are, everything else ("3.5", "x64", "half") as a large one of its own.
        unit: int32[k], what the number counts, 0 where no unit stands behind it.
        pointers: int64[n + 1].
        spoken: int64[k], the values in the order of the text.
    """

    value: NDArray[np.int64]
    unit: NDArray[np.int32]
    pointers: NDArray[np.int64]
    spoken: NDArray[np.int64]


def numbers(normalised: Normalised, words: Words, known: Lexicon) -> Numbers:
    """Find the numbers of n texts, each with its unit once."""
    amounts, worth = _amounts()
    found = _find(words.hash, words.flags, words.start, words.end, words.pointers, normalised.codes, known, amounts,
                  worth, _untold())  # fmt: skip
    return Numbers(*found)


def _hashes(spelt: list[str]) -> NDArray[np.uint64]:
    found: NDArray[np.uint64] = split_words(normalise(pl.Series(spelt, dtype=pl.String))).hash
    return found


def _amounts() -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    return _hashes(list(_AMOUNTS)), np.array(list(_AMOUNTS.values()))


def _untold() -> NDArray[np.uint64]:
    return _hashes(list(_UNTOLD))


@lean
def _digits(codes: NDArray[np.uint32], first: int, behind: int) -> np.int64:
    """Value of a run of ASCII digits, -1 where another character stands or there are too many."""
    value = np.int64(0)
    if behind - first > _MOST_DIGITS:
        return np.int64(-1)
    for at in range(first, behind):
        if not 48 <= codes[at] <= 57:
            return np.int64(-1)
        value = value * 10 + np.int64(codes[at]) - 48
    return value


@lean
def _whole(codes: NDArray[np.uint32], first: int, behind: int) -> np.int64:
    """The same for ordinals, too: "3rd" is 3."""
    value = _digits(codes, first, behind)
    if value < 0 and behind - first > 2 and codes[behind - 1] > 96 and codes[behind - 2] > 96:
        value = _digits(codes, first, behind - 2)
    return np.int64(value)


@lean
def _own(one: np.uint64) -> np.int64:
    return np.int64(_OWN | (mix(one) >> np.uint64(2)))


@lean
def _worth(word: np.uint64, amounts: NDArray[np.uint64], worth: NDArray[np.int64]) -> np.int64:
    for at in range(len(amounts)):
        if amounts[at] == word:
            return np.int64(worth[at])
    return np.int64(0)


@lean
def _spelt(known: Lexicon, word: np.uint64, untold: NDArray[np.uint64]) -> np.int64:
    """Value of a number word, -1 for others."""
    for other in untold:
        if other == word:
            return np.int64(-1)
    at = place(known.keys, word)
    return np.int64(known.value[at]) if known.keys[at] == word else np.int64(-1)


@lean
def _unit_of(known: Lexicon, word: np.uint64) -> int:
    """The side of a unit, with 1 added; 0 for other words."""
    at = place(known.keys, word)
    if known.keys[at] != word or known.classes[at] & MEASURE == 0 or known.classes[at] & GROUPED == 0:
        return 0
    return int(known.sides[known.first[at]]) + 1


@counted
def _find(
    hashes: NDArray[np.uint64],
    flags: NDArray[np.uint8],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    pointers: NDArray[np.int64],
    codes: NDArray[np.uint32],
    known: Lexicon,
    amounts: NDArray[np.uint64],
    worth: NDArray[np.int64],
    untold: NDArray[np.uint64],
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    value, unit = np.empty(len(hashes), np.int64), np.empty(len(hashes), np.int32)
    spoken = np.empty(len(hashes), np.int64)
    bounds = np.zeros(len(pointers), np.int64)
    count = 0
    for text in range(len(pointers) - 1):
        begun, word, stop = count, pointers[text], pointers[text + 1]
        while word < stop:
            found, word = _number(hashes, flags, start, end, codes, known, amounts, worth, untold, word, stop)
            if found >= 0:
                value[count] = found
                unit[count] = _unit_of(known, hashes[word]) if word < stop else 0
                count += 1
        spoken[begun:count] = value[begun:count]
        order = np.argsort(value[begun:count], kind="mergesort")
        value[begun:count], unit[begun:count] = value[begun:count][order], unit[begun:count][order]
        bounds[text + 1] = count
    return value[:count].copy(), unit[:count].copy(), bounds, spoken[:count].copy()


@lean
def _number(
    hashes: NDArray[np.uint64],
    flags: NDArray[np.uint8],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    codes: NDArray[np.uint32],
    known: Lexicon,
    amounts: NDArray[np.uint64],
    worth: NDArray[np.int64],
    untold: NDArray[np.uint64],
    word: int,
    stop: int,
) -> tuple[np.int64, int]:
    """The number that begins with a word, -1 where none does, and the word behind it."""
    value, next_word = np.int64(-1), word + 1
    if flags[word] & HAS_DIGIT:
        value = _whole(codes, start[word], end[word])
        if value < 0:
            return _own(hashes[word]), next_word
        while next_word < stop and start[next_word] == end[next_word - 1] + 1 and flags[next_word] & HAS_DIGIT:
            between, size = codes[end[next_word - 1]], end[next_word] - start[next_word]
            part = _digits(codes, start[next_word], end[next_word])
            if between == _COMMA and size == 3 and part >= 0:
                value, next_word = value * 1000 + part, next_word + 1
            elif between == _STOP and part >= 0:
                while part and part % 10 == 0:
                    part //= 10
                next_word += 1
                if part:
                    return _own(np.uint64(value) * np.uint64(1000003) + np.uint64(part)), next_word
            else:
                break
    else:
        value = _spelt(known, hashes[word], untold)
        if value >= 20 and value < 100 and next_word < stop and start[next_word] == end[word] + 1:
            ones = _spelt(known, hashes[next_word], untold)
            if 0 < ones < 10:
                value, next_word = value + ones, next_word + 1
        if value < 0:
            value = _worth(hashes[word], amounts, worth)
            if value == 0:
                half = class_of(known, hashes[word]) & NUMERAL != 0
                return (_own(hashes[word]) if half else np.int64(-1)), next_word
    while next_word < stop and start[next_word] == end[next_word - 1] + 1:
        times = _worth(hashes[next_word], amounts, worth)
        if times == 0:
            break
        value, next_word = value * times, next_word + 1
    return value, next_word


@kernel
def _merge(
    value: NDArray[np.int64],
    unit: NDArray[np.int32],
    pointers: NDArray[np.int64],
    spoken: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
) -> NDArray[np.int32]:
    found = np.zeros((len(a), 9), np.int32)
    common = np.zeros(_LONGEST + 1, np.int32)
    for pair in range(len(a)):
        i, i_stop, j, j_stop = pointers[a[pair]], pointers[a[pair] + 1], pointers[b[pair]], pointers[b[pair] + 1]
        one, other = spoken[i : min(i_stop, i + _LONGEST)], spoken[j : min(j_stop, j + _LONGEST)]
        found[pair, 7], found[pair, 8] = max(len(one), len(other)), _in_order(one, other, common)
        while i < i_stop or j < j_stop:
            here = value[i] if j == j_stop or (i < i_stop and value[i] <= value[j]) else value[j]
            small = here <= SMALL or here >= np.int64(1 << 62)
            i_next, j_next = i, j
            while i_next < i_stop and value[i_next] == here:
                i_next += 1
            while j_next < j_stop and value[j_next] == here:
                j_next += 1
            if i_next > i and j_next > j:
                found[pair, 4 if small else 0] += 1
                found[pair, 3] += _unlike(unit, i, i_next, j, j_next)
            else:
                found[pair, (5 if small else 1) if i_next > i else (6 if small else 2)] += 1
            i, j = i_next, j_next
    return found


@lean
def _in_order(one: NDArray[np.int64], other: NDArray[np.int64], common: NDArray[np.int32]) -> int:
    """Length of the longest sequence that both have in the same order; `common` is room for one row of the table."""
    common[:] = 0
    for value in one:
        before = np.int32(0)
        for j in range(len(other)):
            above = common[j + 1]
            common[j + 1] = before + 1 if value == other[j] else max(above, common[j])
            before = above
    return int(common[len(other)])


@lean
def _unlike(unit: NDArray[np.int32], i: int, i_stop: int, j: int, j_stop: int) -> int:
    """Whether both texts say what a number counts, and never the same."""
    told = False
    for one in range(i, i_stop):
        for other in range(j, j_stop):
            if unit[one] and unit[other]:
                if unit[one] == unit[other]:
                    return 0
                told = True
    return int(told)


def compare_numbers(found: Numbers, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int32]:
    """Compare the sets of numbers of pairs.

    Returns:
        int32[p, 9]: numbers that both texts state, the first alone, the second alone; of the common ones, those with
        other units; the same three for small numbers and such as "3.5" and "half", which have other spellings; how
        many numbers the text with more of them has, repetitions included, and how many stand in both in the same order.
    """
    compared: NDArray[np.int32] = _merge(*found, a, b)
    return compared
