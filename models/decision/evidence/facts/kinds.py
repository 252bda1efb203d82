"""Facts: words whose change makes another record of an otherwise equal text.

Numbers, dates and versions, model names of letters and digits, number words, negations, and names by their capital.
"""

from functools import cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import Place, size
from models.decision.evidence.facts.book import UNTOLD, Book
from models.decision.evidence.facts.lexicon import (
    CALENDAR,
    CLOCKED,
    DATED,
    MOMENT,
    NUMERAL,
    SPAN,
    classes_of,
)
from models.decision.evidence.facts.lexicon import NEGATION as DENIES
from models.decision.evidence.facts.terms import (
    are_in_address,
    continues_address,
    in_address,
    is_enumerator,
    is_note,
)
from models.decision.evidence.facts.values import value_of
from models.decision.evidence.facts.volatile.places import tell
from models.kernels.jit import inlined, kernel, lean
from models.lexical.text import CAPITAL, HAS_DIGIT, SENTENCE, Normalised, Words, normalise, split_words

NUMBER, NEGATION, NAME = 1, 2, 4
"""Kinds of fact, as bits."""
BY_CHANCE = 3
"""Of a sentence: no more of it is matched than of any two sentences."""
EDGE_WORDS = 5
"""How near to matched words a fact must stand to be part of an otherwise equal sentence."""


def fact_kinds(normalised: Normalised, words: Words, classes: NDArray[np.uint32] | None = None) -> NDArray[np.uint8]:
    """Which words state a fact, and of what kind.

    Args:
        normalised: n texts.
        words: their w words.
        classes: uint32[w], from `models.decision.evidence.facts.lexicon.classes_of`, where known.

    Returns:
        uint8[w], bits `NUMBER`, `NEGATION` and `NAME` (a capital within a sentence); 0 for all other words.
    """
    classes = classes_of(words) if classes is None else classes
    kinds: NDArray[np.uint8] = _kinds(words.hash, classes, words.flags, normalised.codes, words.start, _contracted())
    return kinds


@cache
def _contracted() -> np.uint64:
    """Hash of what is left of "not" in "don't". Made where it is asked for: kernels would be compiled for an import."""
    return np.uint64(split_words(normalise(pl.Series(["t"]))).hash[0])


@kernel
def _kinds(
    hashes: NDArray[np.uint64],
    classes: NDArray[np.uint32],
    flags: NDArray[np.uint8],
    codes: NDArray[np.uint32],
    start: NDArray[np.int64],
    contracted: np.uint64,
) -> NDArray[np.uint8]:
    kinds = np.zeros(len(hashes), np.uint8)
    for word in range(len(hashes)):
        listed = classes[word]
        number = (flags[word] & HAS_DIGIT) != 0 or listed & (NUMERAL | DATED) != 0
        denies = listed & DENIES != 0 or (hashes[word] == contracted and is_contracted(codes, start[word]))
        name = flags[word] & (CAPITAL | SENTENCE) == CAPITAL
        kinds[word] = NUMBER * number | NEGATION * denies | NAME * name
    return kinds


@lean
def is_contracted(codes: NDArray[np.uint32], start: int) -> bool:
    """Whether the word "t" that starts here is that of "can't": as a word it is the whole difference from "can"."""
    if start < 2:
        return False
    apostrophe = codes[start - 1] == ord("'") or codes[start - 1] == 0x2019
    return bool(apostrophe and codes[start - 2] == ord("n"))


@inlined
def tell_volatile(book: Book, kinds: NDArray[np.uint8], place: Place) -> None:
    """Find out in `Book.told` which words at the edges of a gap are volatile.

    Args:
        book: the batch.
        kinds: uint8[w], from `fact_kinds`.
        place: a gap on one side.
    """
    first, stop = place.document.first, place.document.stop
    edge = min(EDGE_WORDS, size(place))
    for at in range(min(2 * EDGE_WORDS, size(place))):
        word = place.begin + at if at < edge else place.stop - 1 - (at - edge)
        if kinds[word] & NUMBER and book.told[word] == UNTOLD:
            book.told[word] = tell(book, word, first, stop)
            # "May", "minutes" and "pm" go with their numbers.
            for beside in range(max(first, word - 2), min(stop, word + 3) if book.told[word] else first):
                if book.told[beside] == UNTOLD and book.classes[beside] & (CALENDAR | CLOCKED | MOMENT | SPAN):
                    book.told[beside] = book.told[word]


@lean
def _is_noted(book: Book, one: Place, other: Place) -> bool:
    """Whether an address and nothing else stands on one side, and the mark of a note on the other."""
    here = size(one) == 1 and is_note(book, one.begin)
    across = size(other) == 1 and is_note(book, other.begin)
    if here == across:
        return False
    address = other if here else one
    return bool(are_in_address(book, address.begin, address.stop))


@lean
def _states_value(book: Book, word: int, other: Place) -> bool:
    """Whether one of the words of a place is the same number, as "two" is "2"."""
    value = value_of(book, word)
    for elsewhere in range(other.begin, other.stop if value >= 0 else other.begin):
        if value_of(book, elsewhere) == value:
            return True
    return False


@lean
def changes_on_one_side(
    book: Book,
    own: Place,
    other: Place,
    left: bool,
    right: bool,
    kinds: NDArray[np.uint8],
    weights: NDArray[np.float32],
    anchored: NDArray[np.uint8],
    changes: NDArray[np.float64],
) -> None:
    """Find what one side of a gap changes in a text that is matched around it.

    A replaced word counts within `EDGE_WORDS` of matched words, in a sentence of which other words are matched or in
    a short replacement. An inserted word counts between matched words in a short insertion into a matched sentence,
    an inserted negation also at the end of one; a longer insertion adds content, it does not change what is there.
    Volatile words (`models.decision.evidence.facts.volatile`) count as neither, nor does an inserted address, mark of
    a note or number of a line, nor a number that the other side writes otherwise. Facts are the counted words that
    state one, unless the other side of the gap states it too; a name must have replaced something.

    Args:
        book: the batch, after `tell_volatile`.
        own: the gap on this side.
        other: the same on the other side.
        left: whether matched words stand before the gap.
        right: whether matched words stand behind the gap.
        kinds: uint8[w], from `fact_kinds`.
        weights: float32[w], information carried by each word.
        anchored: uint8[n] for the words of this text: 0 in a sentence without matched words, 1 with some, 2 where
            most of a sentence of several words is matched, `BY_CHANCE` where what is matched says nothing.
        changes: float64[7], receives how many words count, how many of them are facts, how many of these stand in
            sentences mostly matched, the weight of the words and the weight of the facts, how many of the facts are
            numbers, how many negations.
    """
    changes[:] = 0
    replaced = size(other) > 0
    short = size(own) <= EDGE_WORDS and size(other) <= EDGE_WORDS
    if not replaced and not (short and (left or right)):
        return
    inner = left and right
    # A longer address is another one; a note may stand in place of one.
    put_in = _is_noted(book, own, other) if replaced else not continues_address(book, own.begin)
    edges = min(2 * EDGE_WORDS, size(own))
    for at in range(edges):
        word = own.begin + at if at < EDGE_WORDS else own.stop - edges + at
        near = (left and word - own.begin < EDGE_WORDS) or (right and own.stop - word <= EDGE_WORDS)
        part = anchored[word - own.document.first]
        if not near or part == BY_CHANCE or not (part or (replaced and short and inner)):
            continue
        if not replaced and not inner and not kinds[word] & NEGATION:
            continue
        if 0 < book.told[word] < UNTOLD:
            continue
        if put_in and (in_address(book, word) or is_note(book, word) or is_enumerator(book, word)):
            continue
        if kinds[word] & NUMBER and _states_value(book, word, other):
            continue
        changes[0] += 1
        changes[3] += weights[word]
        if not kinds[word] or (not replaced and kinds[word] == NAME):
            continue
        stated = False
        for elsewhere in range(other.begin, other.stop):
            if book.text.hash[elsewhere] == book.text.hash[word]:
                stated = True
                break
        if stated:
            continue
        changes[1] += 1
        changes[2] += part == 2
        changes[4] += weights[word]
        changes[5] += (kinds[word] & NUMBER) != 0
        changes[6] += (kinds[word] & NEGATION) != 0
