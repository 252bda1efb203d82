"""Words that the rules on facts know, of all languages, as hashed tables: what each is, and which exclude it."""

from functools import cache
from typing import Any, NamedTuple
from unicodedata import category

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.kernels.hash_set import hash_set, place
from models.kernels.jit import kernel, lean, lean_kernel
from models.languages import languages, listed
from models.lexical.text import Words, normalise, split_words

(
    NEGATION, NUMERAL, CALENDAR, MEASURE, QUALIFIER, FUNCTION, AGO, BEFORE, STAMPED, LAST, RECENT, COUNTED, TIMES, SEEN,
    PAGED, OF, RIGHTS, CLOCKED, ASKED, SUMMED,
) = (1 << bit for bit in range(20))  # fmt: skip
"""Classes of words, as bits. The ones from AGO on tell volatile places (`models.decision.evidence.facts.volatile`)."""
GROUPED = 1 << 20
"""Words that exclude others."""
SEQUENCE = 1 << 21
"""Characters with which a listed word of several characters may begin, in scripts written without blanks."""
MOMENT, SPAN = 1 << 22, 1 << 23
"""Units of time: up to hours, and from days on."""
BOUND, BOUNDING = 1 << 24, 1 << 25
"""Words that bound a number ("later") behind words that say so ("or")."""
DATED = 1 << 27
"""Months and days that are no other word as well, as "may" and "sun" are."""
SIGNED = 1 << 26
"""Words with which a byline begins."""
VERSIONED = 1 << 28
"""Words between which and a number no date begins: "version", "release"."""
FUNCTION_HERE = 1 << 29
"""Function words of a language of the text."""
SCHEME = 1 << 30
"""Schemes of addresses: a page is the same by "http" and "https"."""
COPYRIGHT = RIGHTS | SCHEME
"""Words that claim rights by themselves. All bits are taken, and no scheme speaks of rights."""
EDITORIAL = 1 << 31
"""Words by which an editor announces a text in its title, as "breaking" and "abridged"."""

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
    COPYRIGHT: ("volatile", "copyright"),
    CLOCKED: ("volatile", "clocked"),
    ASKED: ("volatile", "asked"),
    SUMMED: ("volatile", "summed"),
    SIGNED: ("volatile", "signed"),
    VERSIONED: ("volatile", "versioned"),
    SCHEME: ("schemes",),
    EDITORIAL: ("editorial",),
}
_MOMENTS, _SPANS = ("second", "minute", "hour"), ("day", "week", "month", "year", "decade", "century")
LOOKED_AT, FEWEST, SHARE = 128, 3, 0.5
"""Words of a text that tell its languages; function words of one language at least for it to be told; and of a language
beside the one with most: English has some German ones ("war", "die", "man"), and few in all."""
_TELLING = ("function_words", "telling")
"""Lists of words that tell a language."""
SPOKEN = tuple(name for name, language in languages().items() if not language.keys().isdisjoint(_TELLING))
"""Languages that a text can be told to be in, in the order of their bits."""
_BITS = len(SPOKEN)
_FILTER_BITS = 17
_FILTER, _SHIFT = 1 << _FILTER_BITS, np.uint64(64 - _FILTER_BITS)
_SIDES = 1024
"""Sides that a group may have."""
_MONTHS = 0
"""Group of the months."""


class Lexicon(NamedTuple):
    """Tables by the hash of a word.

    Attributes:
        keys: uint64[2**k], a `hash_set` of all words.
        classes: uint32[2**k], the bits of the word at that place.
        value: int32[2**k], the number that it stands for; -1 where it stands for none.
        first: int32[2**k], first of its memberships in `sides`; memberships: int32[2**k], how many.
        sides: int32[m], memberships: group times `_SIDES` plus side.
        filter: uint8[`_FILTER` / 8], a bit for every word: most others are told by it.
        spelt: uint64[s, c], hashes of the characters of words that are several in `Words`, 0 behind the last.
        meant: uint32[s], the bits of each.
    """

    keys: NDArray[np.uint64]
    classes: NDArray[np.uint32]
    value: NDArray[np.int32]
    first: NDArray[np.int32]
    memberships: NDArray[np.int32]
    sides: NDArray[np.int32]
    filter: NDArray[np.uint8]
    spelt: NDArray[np.uint64]
    meant: NDArray[np.uint32]


def listed_facts() -> list[str]:
    """Negations, amounts, number words, months and days of all languages, as they are spelt."""
    words = [*listed("negations"), *listed("amounts")]
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
    for word in _hashes(listed("telling")):
        classes.setdefault(word, 0)
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
    sequences: dict[tuple[int, ...], int] = {}
    spelt = _sequences()
    for bit, path in _CLASSES.items():
        for characters in (spelt[name] for name in listed(*path) if name in spelt):
            sequences[characters] = sequences.get(characters, 0) | bit
    for characters in sequences:
        classes[characters[0]] = classes.get(characters[0], 0) | SEQUENCE
    return _tables(classes, values, members, sequences)


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
        own += [[(0, words.split())] for words in language.get("alike", {}).get("of", [])]
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
    """Hashes of all words of all lists."""
    return {word: hashes[0] for word, hashes in _spelling().items() if len(hashes) == 1}


def _sequences() -> dict[str, tuple[int, ...]]:
    """Hashes of the characters of all listed words that are a word for each character with its marks."""
    letters = {word: sum(not category(letter).startswith("M") for letter in word) for word in _spelling()}
    return {word: hashes for word, hashes in _spelling().items() if 1 < len(hashes) == letters[word]}


@cache
def _spelling() -> dict[str, tuple[int, ...]]:
    """Hashes of the words that each word of all lists is in a text."""
    words = sorted(_words_in(languages()))
    found = split_words(normalise(pl.Series(words, dtype=pl.String)))
    rows = zip(words, found.pointers[:-1], found.pointers[1:], strict=True)
    return {word: tuple(found.hash[first:stop].tolist()) for word, first, stop in rows}


def _words_in(lists: Any) -> set[str]:
    if isinstance(lists, str):
        return set(lists.split())
    return set().union(*map(_words_in, lists.values() if isinstance(lists, dict) else lists))


def _tables(
    classes: dict[int, int], values: dict[int, int], members: dict[int, set[int]], sequences: dict[tuple[int, ...], int]
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
    longest = max(map(len, sequences), default=1)
    spelt = np.array([[*word, *[0] * (longest - len(word))] for word in sequences], np.uint64)
    meant = np.array([*sequences.values()], np.uint32)
    cells = np.zeros(_FILTER, np.bool_)
    cells[words >> np.uint64(64 - _FILTER_BITS)] = True
    bits = np.packbits(cells, bitorder="little")
    return Lexicon(keys, table, value, first, count, np.array(sides, np.int32), bits, spelt, meant)


@lean
def class_of(known: Lexicon, word: np.uint64) -> np.uint32:
    """Bits of a word; 0 for words that no list holds."""
    at = place(known.keys, word)
    return known.classes[at] if known.keys[at] == word else np.uint32(0)


@cache
def _spoken() -> NDArray[np.uint32]:
    """Bits of the languages that the words of the lexicon tell, in the order of its `keys`.

    Function words do, and others that stand often, which may say something: "na" and "za" are not one word.
    """
    keys = lexicon().keys
    spoken = np.zeros(len(keys), np.uint32)
    for bit, name in enumerate(SPOKEN):
        language = languages()[name]
        for word in _hashes(" ".join(language.get(words, "") for words in _TELLING).split()):
            spoken[place(keys, np.uint64(word))] |= np.uint32(1 << bit)
    return spoken


def classes_of(words: Words) -> NDArray[np.uint32]:
    """Bits of all words of a batch, uint32[w].

    A character has those of the listed words of several characters that it is part of where it stands. The languages of
    a text are that of which its first `LOOKED_AT` words have most function words, and those with `SHARE` of these; all,
    where it has fewer than `FEWEST`.
    """
    given = words.hash, words.start, words.end, words.pointers
    classes: NDArray[np.uint32] = _classes_of(lexicon(), _spoken(), *given)
    return classes


def languages_of(words: Words, share: float = SHARE) -> NDArray[np.uint32]:
    """Languages of all texts of a batch, uint32[n] of one bit each, as `classes_of` tells them; 0 for none."""
    given = words.hash, words.pointers
    bits: NDArray[np.uint32] = _languages_of(lexicon(), _spoken(), *given, share)
    return bits


@kernel
def _languages_of(
    known: Lexicon,
    spoken: NDArray[np.uint32],
    hashes: NDArray[np.uint64],
    pointers: NDArray[np.int64],
    share: float,
) -> NDArray[np.uint32]:
    told = np.zeros(len(pointers) - 1, np.uint32)
    counts = np.zeros(_BITS, np.int64)
    for row in range(len(told)):
        counts[:] = 0
        for word in range(pointers[row], min(pointers[row + 1], pointers[row] + LOOKED_AT)):
            at = place(known.keys, hashes[word])
            if known.keys[at] == hashes[word]:
                _count_languages(counts, spoken[at])
        told[row] = _most_used(counts, share)
    return told


@lean
def _count_languages(counts: NDArray[np.int64], spoken: np.uint32) -> None:
    for bit in range(_BITS):
        counts[bit] += spoken >> np.uint32(bit) & np.uint32(1)


@lean
def _most_used(counts: NDArray[np.int64], share: float) -> np.uint32:
    """Bits of the language of most function words and of those that have a share of them; 0 where these are few."""
    bits, most = np.uint32(0), 0
    for bit in range(_BITS):
        most = max(most, counts[bit])
    for bit in range(_BITS):
        if most >= FEWEST and counts[bit] >= share * most:
            bits |= np.uint32(1) << np.uint32(bit)
    return bits


@kernel
def _classes_of(
    known: Lexicon,
    spoken: NDArray[np.uint32],
    hashes: NDArray[np.uint64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    pointers: NDArray[np.int64],
) -> NDArray[np.uint32]:
    classes, own = np.zeros(len(hashes), np.uint32), np.zeros(len(hashes), np.uint32)
    counts = np.zeros(_BITS, np.int64)
    for row in range(len(pointers) - 1):
        counts[:] = 0
        for word in range(pointers[row], pointers[row + 1]):
            cell = np.int64(hashes[word] >> _SHIFT)
            if not known.filter[cell >> 3] >> (cell & 7) & 1:
                continue
            at = place(known.keys, hashes[word])
            if known.keys[at] != hashes[word]:
                continue
            classes[word] |= known.classes[at]
            own[word] = spoken[at]
            if own[word] and word < pointers[row] + LOOKED_AT:
                _count_languages(counts, own[word])
            if classes[word] & SEQUENCE:
                number, size = _sequence_at(known, hashes, start, end, word)
                for part in range(word, word + size):
                    classes[part] |= known.meant[number] & ~np.uint32(FUNCTION)
        here = _most_used(counts, SHARE)
        if not here:
            here = ~here
        for word in range(pointers[row], pointers[row + 1]):
            small = classes[word] & np.uint32(FUNCTION) != 0 and own[word] & here != 0
            classes[word] |= np.uint32(FUNCTION_HERE) * np.uint32(small)
    return classes


@lean
def _sequence_at(
    known: Lexicon, hashes: NDArray[np.uint64], start: NDArray[np.int64], end: NDArray[np.int64], word: int
) -> tuple[int, int]:
    """Number and size of the longest listed word of several characters that begins with a word; size 0: none does."""
    found, longest = 0, 0
    for row in range(len(known.spelt)):
        size, same = 0, True
        for character in known.spelt[row]:
            if character == 0:
                break
            at = word + size
            same &= at < len(hashes) and hashes[at] == character and (size == 0 or start[at] == end[at - 1])
            size += 1
        if same and size > longest:
            found, longest = row, size
    return found, longest


@lean
def month_of(known: Lexicon, word: np.uint64) -> int:
    """Number of the month, from 1, that a word names in any language; 0 for other words."""
    at = place(known.keys, word)
    if known.keys[at] == word:
        for member in range(known.first[at], known.first[at] + known.memberships[at]):
            if known.sides[member] // _SIDES == _MONTHS:
                return int(known.sides[member] % _SIDES) + 1
    return 0


@lean
def alike(known: Lexicon, word: np.uint64, other: np.uint64) -> bool:
    """Whether two words stand on one side of a group, as "start" and "begin"."""
    a, b = place(known.keys, word), place(known.keys, other)
    if known.keys[a] != word or known.keys[b] != other:
        return False
    for i in range(known.first[a], known.first[a] + known.memberships[a]):
        for j in range(known.first[b], known.first[b] + known.memberships[b]):
            if known.sides[i] == known.sides[j]:
                return True
    return False


@lean_kernel
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
