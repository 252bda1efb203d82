"""Words that the rules on facts know, of all languages, as hashed tables: what each is, and which exclude it."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numba import njit
from numpy.typing import NDArray

from models.kernels.hash_set import hash_set, place
from models.kernels.jit import lean
from models.languages import languages, listed
from models.lexical.text import Words, normalise, split_words

(
    NEGATION, NUMERAL, CALENDAR, MEASURE, QUALIFIER, FUNCTION, AGO, BEFORE, STAMPED, LAST, RECENT, COUNTED, TIMES, SEEN,
    PAGED, OF, RIGHTS, CLOCKED, ASKED, SUMMED,
) = (1 << bit for bit in range(20))  # fmt: skip
"""Classes of words, as bits. The ones from AGO on tell volatile places (`models.decision.evidence.facts.volatile`)."""
GROUPED = 1 << 20
"""Words that exclude others."""
NEGATED_START = 1 << 21
"""Characters with which a negation of several characters may begin (Japanese)."""
MOMENT, SPAN = 1 << 22, 1 << 23
"""Units of time: up to hours, and from days on."""
BOUND, BOUNDING = 1 << 24, 1 << 25
"""Words that bound a number ("later") behind words that say so ("or")."""
DATED = 1 << 27
"""Months and days that are no other word as well, as "may" and "sun" are."""
SIGNED = 1 << 26
"""Words with which a byline begins."""

_CLASSES = {
    NEGATION: ("negations",),
    NUMERAL: ("amounts",),
    QUALIFIER: ("qualifiers",),
    FUNCTION: ("function_words",),
    BOUND: ("bounds",),
    BOUNDING: ("bounding",),
    AGO: ("volatile", "ago"),
    BEFORE: ("volatile", "before"),
    STAMPED: ("volatile", "stamped"),
    LAST: ("volatile", "last"),
    RECENT: ("volatile", "recent"),
    COUNTED: ("volatile", "counted"),
    TIMES: ("volatile", "times"),
    SEEN: ("volatile", "seen"),
    PAGED: ("volatile", "paged"),
    OF: ("volatile", "of"),
    RIGHTS: ("volatile", "rights"),
    CLOCKED: ("volatile", "clocked"),
    ASKED: ("volatile", "asked"),
    SUMMED: ("volatile", "summed"),
    SIGNED: ("volatile", "signed"),
}
_MOMENTS, _SPANS = ("second", "minute", "hour"), ("day", "week", "month", "year", "decade", "century")
_FILTER_BITS = 17
_FILTER, _SHIFT = 1 << _FILTER_BITS, np.uint64(64 - _FILTER_BITS)
_SIDES = 1024
"""Sides that a group may have."""


class Lexicon(NamedTuple):
    """Tables by the hash of a word.

    Attributes:
        keys: uint64[2**k], a `hash_set` of all words.
        classes: uint32[2**k], the bits of the word at that place.
        value: int32[2**k], the number that it stands for; -1 where it stands for none.
        first: int32[2**k], first of its memberships in `sides`; memberships: int32[2**k], how many.
        sides: int32[m], memberships: group times `_SIDES` plus side.
        filter: uint8[`_FILTER` / 8], a bit for every word that is more than a function word: most words are told by it.
        negated: uint32[s, c], sequences of characters that negate, 0 behind the last.
    """

    keys: NDArray[np.uint64]
    classes: NDArray[np.uint32]
    value: NDArray[np.int32]
    first: NDArray[np.int32]
    memberships: NDArray[np.int32]
    sides: NDArray[np.int32]
    filter: NDArray[np.uint8]
    negated: NDArray[np.uint32]


def listed_facts() -> list[str]:
    """Negations, amounts, number words, months and days of all languages, as they are spelt."""
    words = [*listed("negations"), *listed("negated"), *listed("amounts")]
    for language in languages().values():
        words += " ".join(language.get("numbers", {}).values()).split()
        words += [word for names in language.get("calendar", {}).values() for name in names for word in name.split()]
    return words


@cache
def lexicon() -> Lexicon:
    """The tables over all languages."""
    classes: dict[int, int] = {}
    values: dict[int, int] = {}
    members: dict[int, set[int]] = {}
    for bit, path in _CLASSES.items():
        _mark(classes, listed(*path), bit)
    for language in languages().values():
        for value, words in language.get("numbers", {}).items():
            _mark(classes, words.split(), NUMERAL)
            values |= dict.fromkeys(_hashes(words.split()), int(value))
    for word in _hashes(listed("ones")):
        classes.setdefault(word, 0)
        values.setdefault(word, 1)
    groups = _groups()
    for group, sides in enumerate(groups):
        for side, words in sides:
            for word in _hashes(words):
                members.setdefault(word, set()).add(group * _SIDES + side)
                classes[word] = classes.get(word, 0) | GROUPED | _KINDS.get(group, 0)
    for bit, units in ((MOMENT, _MOMENTS), (SPAN, _SPANS)):
        for unit in units:
            _mark(classes, listed("units", unit), bit)
    _mark(classes, [word for group in (0, 1) for _, words in groups[group] for word in words if len(word) > 3], DATED)
    negated = listed("negated")
    _mark(classes, [word[0] for word in negated], NEGATED_START)
    return _tables(classes, values, members, negated)


_KINDS = {0: CALENDAR, 1: CALENDAR, 2: MEASURE}
"""Classes of the words of the groups that all languages share: months, days, units."""


def _groups() -> list[list[tuple[int, list[str]]]]:
    """Groups of words that exclude each other: their sides, numbered, and the words of each."""
    months: list[tuple[int, list[str]]] = []
    days: list[tuple[int, list[str]]] = []
    units: list[tuple[int, list[str]]] = []
    names: dict[str, int] = {}
    own = []
    for language in languages().values():
        for found, key in ((months, "months"), (days, "days")):
            found += [(at, words.split()) for at, words in enumerate(language.get("calendar", {}).get(key, []))]
        for name, words in language.get("units", {}).items():
            units.append((names.setdefault(name, len(names)), words.split()))
        for sides in language.get("opposites", {}).get("of", []):
            own.append([(at, words.split()) for at, words in enumerate(sides)])
    return [months, days, units, *own]


def _mark(classes: dict[int, int], words: list[str], bit: int) -> None:
    for word in _hashes(words):
        classes[word] = classes.get(word, 0) | bit


def _hashes(words: list[str]) -> list[int]:
    """Hashes as texts have them; of what is not one word, nothing."""
    known = _dictionary()
    return [known[word] for word in words if word in known]


@cache
def _dictionary() -> dict[str, int]:
    """Hashes of all words of all lists, and of the characters with which negations begin."""
    words = sorted(_words_in(languages()) | {word[0] for word in listed("negated")})
    found = split_words(normalise(pl.Series(words, dtype=pl.String)))
    single = np.flatnonzero(np.diff(found.pointers) == 1)
    return {words[row]: int(found.hash[found.pointers[row]]) for row in single}


def _words_in(lists: Any) -> set[str]:
    if isinstance(lists, str):
        return set(lists.split())
    return set().union(*map(_words_in, lists.values() if isinstance(lists, dict) else lists))


def _tables(
    classes: dict[int, int], values: dict[int, int], members: dict[int, set[int]], negated: list[str]
) -> Lexicon:
    words = np.array(sorted(classes), np.uint64)
    keys = hash_set(words)
    at = np.array([place(keys, word) for word in words])
    table, value = np.zeros(len(keys), np.uint32), np.full(len(keys), -1, np.int32)
    first, count = np.zeros(len(keys), np.int32), np.zeros(len(keys), np.int32)
    sides: list[int] = []
    for word, slot in zip(words.tolist(), at, strict=True):
        own = sorted(members.get(word, ()))
        table[slot], value[slot] = classes[word], values.get(word, -1)
        first[slot], count[slot] = len(sides), len(own)
        sides += own
    longest = max((len(word) for word in negated), default=1)
    spelt = np.array([[*map(ord, word), *[0] * (longest - len(word))] for word in negated], np.uint32)
    marked = [word for word in words.tolist() if classes[word] & ~FUNCTION]
    cells = np.zeros(_FILTER, np.bool_)
    cells[np.array(marked, np.uint64) >> np.uint64(64 - _FILTER_BITS)] = True
    bits = np.packbits(cells, bitorder="little")
    return Lexicon(keys, table, value, first, count, np.array(sides, np.int32), bits, spelt)


@lean
def class_of(known: Lexicon, word: np.uint64) -> np.uint32:
    """Bits of a word; 0 for words that no list holds."""
    at = place(known.keys, word)
    return known.classes[at] if known.keys[at] == word else np.uint32(0)


def classes_of(words: Words) -> NDArray[np.uint32]:
    """Bits of all words of a batch, uint32[w]; 0 for those that are function words and nothing else."""
    classes: NDArray[np.uint32] = _classes_of(lexicon(), words.hash)
    return classes


@njit(cache=True, nogil=True)
def _classes_of(known: Lexicon, hashes: NDArray[np.uint64]) -> NDArray[np.uint32]:
    classes = np.empty(len(hashes), np.uint32)
    for word in range(len(hashes)):
        cell = np.int64(hashes[word] >> _SHIFT)
        listed = known.filter[cell >> 3] >> (cell & 7) & 1
        classes[word] = class_of(known, hashes[word]) if listed else np.uint32(0)
    return classes


@lean
def negated_length(known: Lexicon, codes: NDArray[np.uint32], start: int) -> int:
    """Characters of the longest listed sequence that begins at a code, 0 where none does."""
    longest = 0
    for row in range(len(known.negated)):
        size, same = 0, True
        for code in known.negated[row]:
            if code == 0:
                break
            same &= start + size < len(codes) and codes[start + size] == code
            size += 1
        if same:
            longest = max(longest, size)
    return longest


@lean
def exclude(known: Lexicon, word: np.uint64, other: np.uint64) -> bool:
    """Whether two listed words stand on different sides of one group and on the same side of none."""
    a, b = place(known.keys, word), place(known.keys, other)
    opposed = False
    for i in range(known.first[a], known.first[a] + known.memberships[a]):
        for j in range(known.first[b], known.first[b] + known.memberships[b]):
            if known.sides[i] == known.sides[j]:
                return False
            opposed |= known.sides[i] // _SIDES == known.sides[j] // _SIDES
    return opposed
