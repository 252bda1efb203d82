"""Stamp lines at either end of a long text: when it was printed or fetched, from where, how often it was seen.

"Printed on 19.5.2007", "Source: example.org", an address that tells who followed it, "ID: 9b5b179b17fd4e47",
"[560 hits]", "Owen Tanaka — 2005-04-13 — p. 46", "harold23 @ 24.12.2016", "chunk 31 | 71e818cb", "(via Owen Tanaka)",
"Retrieved 2020-12-26 from https://example.org/7". They say nothing of what the text says.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.evidence.facts.lexicon import (
    CALENDAR,
    CLOCKED,
    COUNTED,
    FUNCTION,
    LAST,
    OF,
    PAGED,
    RECENT,
    SEEN,
    SIGNED,
    SPAN,
    STAMPED,
    SUMMED,
    TIMES,
    VERSIONED,
)
from models.kernels.hash_set import holds
from models.kernels.jit import kernel, lean
from models.lexical.sketch.features import Features
from models.lexical.text import Normalised, Words, normalise, split_words
from models.lexical.text.word_sets import listed_words, word_set
from models.lexical.text.words import CAPITAL, HAS_DIGIT, MIXED

LEAST_WORDS, MOST_WORDS = 20, 300
"""Words that must be left of a text; and of a text that a line may matter to: longer ones may lack some words and still
go, and lines without sentences are what tells their frames."""
LINES = 4
"""Lines at either end that may be stamps."""
WORDS = 14
"""Words of such a line at most."""
NAMES, LABEL = 3, 4
"""Words of the name in one, and of the label before an address, at most."""
ID_LENGTH, HEXADECIMAL = 12, 8
"""Letters and digits of an id at least, and of one by sixteen."""
TRACKERS = "utm fbclid gclid msclkid igshid"
ARCHIVE = "wayback"
METERED = 4
"""Words at least by which a line is told that says how much may be read for nothing."""
_OF_TIME = np.uint32(CALENDAR | CLOCKED | SPAN | RECENT | LAST)
_BLANK, _COLON, _SLASH, _DOT, _HYPHEN, _CALL, _OPEN = map(ord, " :/.-@(")
_ZERO, _NINE, _A, _F = map(ord, "09af")


class Line(NamedTuple):
    """Words of a line by kind.

    Attributes:
        facts: that announce a version or a checksum.
        ids: of letters and digits, as long as an id.
        numbers: others with a digit.
        stamped: "printed", "updated" and the like.
        counters: "views", "replies" and the like.
        paged: "page" and the like.
        signed: "by".
        names: others with a capital.
        others: all others.
    """

    facts: int
    ids: int
    numbers: int
    stamped: int
    counters: int
    paged: int
    signed: int
    names: int
    others: int


def stamp_lines(features: Features, classes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Tell which words stand in stamp lines.

    Args:
        features: of n documents of w words.
        classes: uint32[w], from `models.decision.evidence.facts.lexicon.classes_of`.

    Returns:
        bool[w], False throughout short texts, those of more than `MOST_WORDS`, and those of which less than
        `LEAST_WORDS` would be left.
    """
    found: NDArray[np.bool_] = _stamp_lines(
        features.normalised,
        features.words,
        features.shingles.short,
        classes,
        listed_words("origins"),
        _trackers(),
        listed_words("metered"),
        _archive(),
    )
    return found


@cache
def _trackers() -> NDArray[np.uint64]:
    """Words of the parameters by which is told who followed a link, a `hash_set`."""
    return word_set(TRACKERS.split())


@cache
def _archive() -> np.uint64:
    """Hash of the word by which an archive of the web is told."""
    return np.uint64(split_words(normalise(pl.Series([ARCHIVE]))).hash[0])


@kernel
def _stamp_lines(
    normalised: Normalised,
    words: Words,
    short: NDArray[np.bool_],
    classes: NDArray[np.uint32],
    origins: NDArray[np.uint64],
    trackers: NDArray[np.uint64],
    metered: NDArray[np.uint64],
    archive: np.uint64,
) -> NDArray[np.bool_]:
    found = np.zeros(len(words.hash), np.bool_)
    for text in np.flatnonzero(~short):
        first, stop, low = words.pointers[text], words.pointers[text + 1], normalised.pointers[text]
        if stop - first > MOST_WORDS:
            continue
        begin, left, outer = first, stop - first, True
        for _ in range(LINES):
            end = begin
            while end < stop and words.line[end] == words.line[begin]:
                end += 1
            if end == stop:
                break
            outer = outer and (begin == first or found[begin - 1])
            if _is_stamp_line(normalised, words, classes, origins, trackers, metered, archive, low, begin, end, outer):
                found[begin:end], left = True, left - (end - begin)
            begin = end
        end, outer = stop, True
        for _ in range(LINES):
            begin = end
            while begin > first and words.line[begin - 1] == words.line[end - 1]:
                begin -= 1
            if begin == first or found[begin]:
                break
            outer = outer and (end == stop or found[end])
            if _is_stamp_line(normalised, words, classes, origins, trackers, metered, archive, low, begin, end, outer):
                found[begin:end], left = True, left - (end - begin)
            end = begin
        if left < LEAST_WORDS:
            found[first:stop] = False
    return found


@lean
def _is_stamp_line(
    normalised: Normalised,
    words: Words,
    classes: NDArray[np.uint32],
    origins: NDArray[np.uint64],
    trackers: NDArray[np.uint64],
    metered: NDArray[np.uint64],
    archive: np.uint64,
    low: int,
    begin: int,
    end: int,
    outer: bool,
) -> bool:
    """Whether a line of words says when, whence or how often, and nothing else; whence, only as the outermost line."""
    if _is_address(normalised, words, begin, end):
        for word in range(begin, end):  # noqa: SIM110, numba has no generators
            if holds(trackers, words.hash[word]):
                return True
        return False
    if outer and _is_metered(words, metered, begin, end):
        return True
    if _is_archived(normalised, words, archive, begin, end):
        return True
    if _is_origin(normalised, words, origins, begin, end) or _is_given_by(normalised, words, origins, low, begin, end):
        return outer
    address = _address_at_end(normalised, words, begin, end)
    end = address if address > begin else end
    if end - begin > WORDS:
        return False
    line: Line = _counted(normalised, words, classes, begin, end)
    if line.facts or line.ids:
        others = line.numbers + line.others + line.names + line.paged
        return line.facts == 0 and line.ids == 1 and others <= 1 + (outer and line.numbers == 1)
    if line.numbers == 0:
        return False
    if line.stamped:
        return line.others <= 1 and line.names <= (NAMES if line.signed else 0)
    if line.counters:
        return line.others + line.names == 0
    dated = _has_date(normalised, words, classes, begin, end)
    if line.paged and line.others == 0 and (line.names == 0 or (dated and line.names <= NAMES)):
        return True
    # "harold23 @ 24.12.2016"
    called = words.end[begin] + 1 < len(normalised.codes) and normalised.codes[words.end[begin] + 1] == _CALL
    return bool(dated and called and line.others + line.names <= 1)


@lean
def _counted(normalised: Normalised, words: Words, classes: NDArray[np.uint32], begin: int, end: int) -> Line:
    """Count the words of a line by kind; small ones, months and the like count for none."""
    facts = ids = numbers = stamped = counters = paged = signed = names = others = 0
    for word in range(begin, end):
        kind, flags = classes[word], words.flags[word]
        long = words.end[word] - words.start[word]
        facts += kind & (VERSIONED | SUMMED) != 0
        if flags & MIXED and (long >= ID_LENGTH or _is_drawn_id(normalised.codes, words.start[word], words.end[word])):
            ids += 1
        elif flags & HAS_DIGIT:
            numbers += 1
        elif kind & STAMPED:
            stamped += 1
        elif kind & (COUNTED | TIMES | SEEN):
            counters += 1
        elif kind & PAGED:
            paged += 1
        elif kind & SIGNED:
            signed += 1
        elif not (kind & (_OF_TIME | FUNCTION | OF) or long <= 1):
            names += flags & CAPITAL != 0
            others += flags & CAPITAL == 0
    return Line(facts, ids, numbers, stamped, counters, paged, signed, names, others)


@lean
def _is_drawn_id(codes: NDArray[np.uint32], at: int, stop: int) -> bool:
    """Whether codes are eight and more hexadecimal digits, such as nobody spells."""
    for place in range(at, stop):
        if not (_ZERO <= codes[place] <= _NINE or _A <= codes[place] <= _F):
            return False
    return bool(stop - at >= HEXADECIMAL)


@lean
def _has_date(normalised: Normalised, words: Words, classes: NDArray[np.uint32], begin: int, end: int) -> bool:
    """Whether a month, or three numbers that slashes, dots or hyphens join, stand among some words."""
    joined = numbers = 0
    months = False
    for word in range(begin, end):
        months |= classes[word] & CALENDAR != 0
        number = words.flags[word] & HAS_DIGIT != 0
        numbers += number
        near = word > begin and number and words.start[word] == words.end[word - 1] + 1
        sign = normalised.codes[words.end[word - 1]] if near else _BLANK
        joined += sign in (_SLASH, _DOT, _HYPHEN)
        compact = words.end[word] - words.start[word] == 8
        joined += 2 if number and compact else 0
    return bool(joined >= 2 or (months and numbers > 0))


@lean
def _is_address(normalised: Normalised, words: Words, begin: int, end: int) -> bool:
    """Whether some words are an address with its scheme and nothing else."""
    codes = normalised.codes
    at = words.end[begin]
    if begin + 1 >= end or at + 1 >= len(codes) or codes[at] != _COLON or codes[at + 1] != _SLASH:
        return False
    for place in range(at, words.start[end - 1]):  # noqa: SIM110, numba has no generators
        if codes[place] == _BLANK:
            return False
    return True


@lean
def _is_metered(words: Words, metered: NDArray[np.uint64], begin: int, end: int) -> bool:
    """Whether a line says how much may be read for nothing: "You have read 5 of 9 free articles. Log in."""
    if end - begin > 2 * WORDS:
        return False
    told = numbers = 0
    for word in range(begin, end):
        told += holds(metered, words.hash[word])
        numbers += words.flags[word] & HAS_DIGIT != 0
    return bool(numbers > 0 and told >= METERED)


@lean
def _is_archived(normalised: Normalised, words: Words, archive: np.uint64, begin: int, end: int) -> bool:
    """Whether some words say where an archive has a page: "The Wayback Machine - https://web.archive.org/web/...".

    `archive` is the hash of the word that tells it.
    """
    address = _address_at_end(normalised, words, begin, end)
    told = False
    for word in range(begin, address):
        told |= words.hash[word] == archive
    return bool(told and address < end and address - begin <= LABEL)


@lean
def _address_at_end(normalised: Normalised, words: Words, begin: int, end: int) -> int:
    """First word of the address with which some words end, as behind "Retrieved from"; `end` where there is none."""
    word = end - 1
    while word > begin and normalised.codes[words.start[word] - 1] != _BLANK:
        word -= 1
    return word if _is_address(normalised, words, word, end) else end


@lean
def _is_given_by(
    normalised: Normalised, words: Words, origins: NDArray[np.uint64], low: int, begin: int, end: int
) -> bool:
    """Whether some words say by whom a text is, and maybe when: "Source: Daily (11 May 2018)", "(via A. Lee)"."""
    codes = normalised.codes
    if end - begin < 2 or end - begin > WORDS or not holds(origins, words.hash[begin]):
        return False
    bracketed = words.start[begin] > low and codes[words.start[begin] - 1] == _OPEN
    if codes[words.end[begin]] != _COLON and not bracketed:
        return False
    names = 0
    for word in range(begin + 1, end):
        flags = words.flags[word]
        if not flags & (CAPITAL | HAS_DIGIT):
            return False
        names += flags & CAPITAL != 0
    return 0 < names <= LABEL + 2


@lean
def _is_origin(normalised: Normalised, words: Words, origins: NDArray[np.uint64], begin: int, end: int) -> bool:
    """Whether some words say where a text is from: a label, its colon, and an address or the name of a host."""
    codes, last = normalised.codes, begin
    while last + 1 < end and codes[words.end[last]] != _COLON:
        last += 1
    if last + 1 >= end or last - begin >= LABEL:
        return False
    for word in range(begin, last + 1):
        if not holds(origins, words.hash[word]):
            return False
    dots = 0
    for place in range(words.start[last + 1], words.start[end - 1]):
        if codes[place] == _BLANK:
            return False
        dots += codes[place] == _DOT
    return dots > 0
