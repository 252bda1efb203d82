"""Words of short texts as they are read, and which of them state a fact."""

from functools import cache
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.evidence.facts.lexicon import listed_facts
from models.kernels.hash_set import hash_set, holds
from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel, lean, lean_kernel
from models.languages import languages, listed, phrases
from models.lexical.text import SENTENCE, Normalised, Words, normalise
from models.lexical.text.canonical.lookalikes import LEET
from models.lexical.text.canonical.reading import (
    APART,
    BREAK,
    CAPITAL,
    CODE,
    DISGUISED,
    FIGURE,
    LINK,
    OPTIONAL,
    SET_OFF,
    UNIT,
    Reading,
    is_series,
    is_vowel,
    read,
)
from models.lexical.text.markup.bullets import BULLETS
from models.lexical.text.words import CAPITAL as CAPITAL_WORD

NUMBER, FACT, NAME, ADDRESS, SHORTENED, ITEM, QUOTED, FIRST = 1, 2, 4, 8, 16, 32, 64, 128
"""Kinds of word, as bits: a number, a word that states a fact by itself, a name by its capital, part of a link, the
code of a shortened link, the first word of an item of a list or of a labelled line, part of a link that is the quoted
value of a field, and the first word of a sentence or line."""
_BLANK, _COLON, _QUOTES = 0x20, 0x3A, (0x22, 0x27)
SHORTENERS = "t.co bit.ly goo.gl ow.ly tinyurl.com fb.me buff.ly dlvr.it is.gd j.mp wp.me lnkd.in trib.al ift.tt"
"""Hosts of two words that make a code of their own for each message, whatever it leads to."""
_TOLD = 6
"""Words of a message beyond its links from which it matters less where a shortened one leads."""
STATES = """
cancelled canceled postponed closed sold solved fixed fake false wrong expired delayed denied rejected refuted
hardly barely scarcely seldom rarely almost nearly except unless until without fewer less only later earlier
weniger moins menos meno minder меньше
yes si oui ja da
"""
"""Words that state a fact of a short text, beyond those that do of any."""
_UNITS = "am pm kg mg km cm lb lbs oz ft mi mph kph kmh gb mb tb kb kw mw ghz mhz hz ml"
_SEED = np.uint64(0x73686F7274207764)
_UNIT_LETTERS = 3
_LONGEST = 6
"""Digits of a number that may as well be spelt."""
_SPELT_WORDS = 3
"""Words spelt with digits from which only digits alone are numbers."""
_A, _I, _L, _N, _T = 97, 105, 108, 110, 116


class ShortWords(NamedTuple):
    """Words of a `Reading`, flat; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        first: int64[w], first letter of each word among all letters; int64[w + 1] with the number of letters.
        df: uint32[w], documents of the corpus that hold the word as it is written; 0 where it is no word of the text.
        kind: uint8[w], bits `NUMBER` to `FIRST`.
        value: int32[w], number from 2 on that each is, in digits or in letters; -1 for none.
        pointers: int64[n+1].
    """

    first: NDArray[np.int64]
    df: NDArray[np.uint32]
    kind: NDArray[np.uint8]
    value: NDArray[np.int32]
    pointers: NDArray[np.int64]


def short_words(reading: Reading, normalised: Normalised, words: Words, word_df: NDArray[np.uint32]) -> ShortWords:
    """Cut texts that were read into words.

    Args:
        reading: n texts.
        normalised: what they were read from.
        words: v words of the texts as they are written.
        word_df: uint32[v], documents of the corpus that hold each of them.

    Returns:
        The words as they are read.
    """
    written = words.start, words.end, words.flags, word_df
    listed = fact_words(), _shorteners(), *_number_words(), LEET
    return ShortWords(*_short_words(*reading, normalised, *written, *listed))


@cache
def fact_words() -> NDArray[np.uint64]:
    """The words that state a fact by themselves, a `hash_set` of what `fold` makes of them."""
    return _folded({*listed_facts(), *STATES.split(), *_UNITS.split()})


@cache
def _shorteners() -> NDArray[np.uint64]:
    """Hosts of shortened links, likewise, their letters in one word."""
    return _folded({host.replace(".", "") for host in SHORTENERS.split()})


@cache
def _number_words() -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """What `fold` makes of number words of all languages, rising, and the numbers that they are, from 2 on."""
    values: dict[str, int] = {}
    for language in languages().values():
        for value, words in language.get("numbers", {}).items():
            values |= dict.fromkeys(words.split(), int(value) if int(value) > 1 else -1)
    hashes = _hashes(list(values))
    order = np.argsort(hashes)
    return hashes[order], np.array([*values.values()], np.int32)[order]


@cache
def filler_words() -> NDArray[np.uint64]:
    """Words such as "oh" and "well" that say nothing where a text begins with them, likewise."""
    return _folded({*listed("fillers")})


@cache
def teaser_phrases() -> NDArray[np.uint64]:
    """Phrases such as "read more" that lead to the rest of a text, a `hash_set` of what `fold_words` makes of them."""
    teasers = phrases("teasers")
    reading = read(normalise(pl.Series(teasers)), np.ones(len(teasers), np.bool_))
    hashes = []
    for start, stop in zip(reading.pointers[:-1], reading.pointers[1:], strict=True):
        begins = start + np.flatnonzero(reading.letters[start:stop] & BREAK)
        hashes.append(fold_words(reading.letters, np.append(begins, stop), 0, len(begins), LEET))
    known: NDArray[np.uint64] = hash_set(np.unique(np.array(hashes, np.uint64)))
    return known


@cache
def small_words() -> NDArray[np.uint64]:
    """Words that say nothing by themselves wherever they stand, likewise: small words, fillers, words of emphasis.

    "Other" is none: "other complications" are not those that "complications" are.
    """
    return _folded({*listed("function_words"), *listed("fillers"), *listed("emphasis")} - {*listed("differing")})


@cache
def universal_words() -> NDArray[np.uint64]:
    """Words such as "all" and "every", likewise: what is put in behind one says of fewer things what is said."""
    return _folded({*listed("universal")})


@cache
def joining_words() -> NDArray[np.uint64]:
    """Words such as "and", likewise: what is put in with one is another thing beside the one that is named."""
    return _folded({*listed("joining")})


def _folded(words: set[str]) -> NDArray[np.uint64]:
    known: NDArray[np.uint64] = hash_set(np.unique(_hashes(sorted(words))))
    return known


def _hashes(words: list[str]) -> NDArray[np.uint64]:
    reading = read(normalise(pl.Series(words)), np.ones(len(words), np.bool_))
    bounds = zip(reading.pointers[:-1], reading.pointers[1:], strict=True)
    return np.array([fold(reading.letters[first:stop], LEET) for first, stop in bounds], np.uint64)


@lean_kernel
def fold(letters: NDArray[np.uint32], leet: NDArray[np.uint8]) -> np.uint64:
    """Hash of a word, however it is disguised."""
    state = _SEED
    for at in range(letters.size):
        if letters[at] & OPTIONAL and not (at == 0 and not letters[at] & DISGUISED):
            continue
        letter = letters[at] & CODE
        if letters[at] & FIGURE:
            letter = np.uint32(leet[letter - 48])
        state = absorb(state, np.uint64(_I if letter == _L else letter))
    return np.uint64(mix(state))


@lean_kernel
def fold_words(
    letters: NDArray[np.uint32], first: NDArray[np.int64], start: int, stop: int, leet: NDArray[np.uint8]
) -> np.uint64:
    """Hash of the words `start:stop` one after another, each as `fold` has it; `first` says where each begins."""
    state = _SEED
    for word in range(start, stop):
        state = absorb(state, fold(letters[first[word] : first[word + 1]], leet))
    return np.uint64(mix(state))


@kernel
def _short_words(
    letters: NDArray[np.uint32],
    place: NDArray[np.int64],
    pointers: NDArray[np.int64],
    normalised: Normalised,
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    flags: NDArray[np.uint8],
    word_df: NDArray[np.uint32],
    facts: NDArray[np.uint64],
    shorteners: NDArray[np.uint64],
    numbers: NDArray[np.uint64],
    values: NDArray[np.int32],
    leet: NDArray[np.uint8],
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]:
    count = 0
    for at in range(letters.size):
        count += (letters[at] & BREAK) != 0
    first, df, kind = np.empty(count + 1, np.int64), np.zeros(count, np.uint32), np.zeros(count, np.uint8)
    value, bounds = np.empty(count, np.int32), np.zeros_like(pointers)
    word = 0
    for document in range(pointers.size - 1):
        begin, stop, capitals, spelt = word, pointers[document + 1], 0, 0
        at = pointers[document]
        while at < stop:
            behind = at + 1
            while behind < stop and not letters[behind] & BREAK:
                behind += 1
            first[word] = at
            kind[word] = 0 if is_handle(letters[at]) else _kind(letters[at:behind], facts, leet)
            value[word] = _value(letters[at:behind], numbers, values, leet)
            spelt += _is_spelt(letters[at:behind])
            kind[word] |= ITEM * _is_item(normalised, document, place[at], place[behind - 1] + 1)
            if kind[word] & ADDRESS:
                goes_on = word > begin and kind[word - 1] & QUOTED
                kind[word] |= QUOTED * bool(goes_on or _is_value(normalised, document, place[at]))
            capitals += (letters[at] & CAPITAL) != 0
            written = np.searchsorted(start, place[at], side="right") - 1
            if written >= 0 and start[written] == place[at]:
                df[word] = word_df[written] if end[written] == place[behind - 1] + 1 else 0
                kind[word] |= NAME * (flags[written] & (CAPITAL_WORD | SENTENCE) == CAPITAL_WORD)
                kind[word] |= FIRST * (flags[written] & SENTENCE != 0)
            word, at = word + 1, behind
        told = np.sum(kind[begin:word] & ADDRESS == 0) >= _TOLD
        for inner in range(begin + 1, word):
            size = (at if inner + 1 == word else first[inner + 1]) - first[inner]
            if kind[inner - 1] & NUMBER and size <= _UNIT_LETTERS and not kind[inner] & ~FIRST:
                kind[inner] |= FACT
            linked = told and inner > begin + 1 and kind[inner - 2] & kind[inner - 1] & kind[inner] & ADDRESS
            if linked and holds(shorteners, fold(letters[first[inner - 2] : first[inner]], leet)):
                kind[inner] |= SHORTENED
        # Where every other word has a capital, capitals name nobody.
        if 2 * capitals >= word - begin:
            kind[begin:word] &= ~np.uint8(NAME)
        if spelt >= _SPELT_WORDS:
            for inner in range(begin, word):
                if kind[inner] & NUMBER and not _is_number(
                    letters[first[inner] : at if inner + 1 == word else first[inner + 1]]
                ):
                    kind[inner] &= ~np.uint8(NUMBER)
        bounds[document + 1] = word
    first[count] = letters.size
    return first, df, kind, value, bounds


@lean
def _is_item(normalised: Normalised, document: int, start: int, end: int) -> bool:
    """Does a word begin a line behind a bullet, or before a colon as a label does?"""
    codes, begin, last = normalised.codes, normalised.pointers[document], normalised.pointers[document + 1]
    bullet = start - 2 >= begin and codes[start - 1] == _BLANK and codes[start - 2] in BULLETS
    label = end + 1 < last and codes[end] == _COLON and codes[end + 1] == _BLANK
    if not bullet and not label:
        return False
    first = start - 2 if bullet else start
    line = np.searchsorted(normalised.line_breaks, first)
    return bool(first == begin or (line < normalised.line_breaks.size and normalised.line_breaks[line] == first))


@lean
def _is_value(normalised: Normalised, document: int, start: int) -> bool:
    """Does what starts here stand in quotation marks behind a colon, as a value in JSON or Python does?"""
    codes, at = normalised.codes, start - 1
    if at < normalised.pointers[document] or codes[at] not in _QUOTES:
        return False
    at -= 1
    while at > normalised.pointers[document] and codes[at] == _BLANK:
        at -= 1
    return bool(at >= normalised.pointers[document] and codes[at] == _COLON)


@lean
def is_handle(letter: np.uint32) -> bool:
    """Is it the "@" that a word begins with, as a name of somebody addressed does?"""
    return bool(letter & OPTIONAL and letter & SET_OFF and letter & CODE == _A)


@lean
def _kind(word: NDArray[np.uint32], facts: NDArray[np.uint64], leet: NDArray[np.uint8]) -> int:
    if word[0] & LINK:
        return ADDRESS
    if _is_spelt(word):
        return FACT if holds(facts, fold(word, leet)) else 0
    for at in range(word.size):
        if word[at] & FIGURE:
            return NUMBER
    return FACT if holds(facts, fold(word, leet)) or _may_deny(word) or is_series(word) else 0


@lean
def _value(
    word: NDArray[np.uint32], numbers: NDArray[np.uint64], values: NDArray[np.int32], leet: NDArray[np.uint8]
) -> int:
    """The number from 2 on that a word is, in digits without signs or in letters; -1 for others."""
    value, digits = 0, 0
    while digits < word.size and word[digits] & FIGURE and not word[digits] & (UNIT | APART) and digits < _LONGEST:
        value, digits = value * 10 + (word[digits] & CODE) - 48, digits + 1
    if digits == word.size:
        return int(value) if value > 1 else -1
    if digits or word[0] & LINK:
        return -1
    name = fold(word, leet)
    at = np.searchsorted(numbers, name)
    return int(values[at]) if at < numbers.size and numbers[at] == name else -1


@lean
def _may_deny(word: NDArray[np.uint32]) -> bool:
    """May a word without vowels be a "not": "nt", "wnt", "dsnt"?"""
    last = word.size - 1
    while last > 0 and word[last] & OPTIONAL:
        last -= 1
    if last == 0 or word[last] & CODE != _T or word[last - 1] & CODE != _N:
        return False
    for at in range(last):  # noqa: SIM110, numba has no generators
        if is_vowel(word[at]):
            return False
    return True


@lean
def _is_spelt(word: NDArray[np.uint32]) -> bool:
    """Do digits stand for letters in a word? In "pr0m0" they do, in "v2", "5pm" and "iphone7" they do not."""
    letters, among, begin = 0, False, 0
    # The sign of "$600m" may be read as a letter.
    while begin < word.size - 1 and word[begin] & OPTIONAL:
        begin += 1
    for at in range(begin, word.size):
        if word[at] & FIGURE:
            among |= at + 1 < word.size and not word[at + 1] & FIGURE
        else:
            letters += word[at] & OPTIONAL == 0
    return among and letters >= 2 and not word[begin] & FIGURE


@lean
def _is_number(word: NDArray[np.uint32]) -> bool:
    """Is a word made of digits only?"""
    for at in range(word.size):  # noqa: SIM110, numba has no generators
        if not word[at] & FIGURE:
            return False
    return True
