"""Comparison of two short texts: facts decide whether they say the same, then how alike they are letter by letter.

Read as `models.lexical.text.canonical` reads them, two copies of a text differ by slips inside of words and by words
that stand on one side only: tags and forwarding in front and behind, links, a filling word. Whatever else differs makes
another text: a word in place of another, a digit, the sign of an amount or a name ("C++"), a negation.
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.short_texts.added_words import added_words, states_fact
from models.decision.evidence.short_texts.alignment import SLIP, SWAPPED, align_letters, reversed_alignment, slide
from models.decision.evidence.short_texts.differences import (
    ADDED_BOTH,
    ADDED_FACT,
    ADDED_MOST,
    ONLY_A,
    ONLY_B,
    REPLACED,
    SIGN,
)
from models.decision.evidence.short_texts.fillers import begin_alike, fillers_in_front, teaser_behind
from models.decision.evidence.short_texts.numbers import differ_in_sign, is_half_spelt, pair_numbers
from models.decision.evidence.short_texts.side import Side, part, tell_fates
from models.decision.evidence.short_texts.words import (
    ShortWords,
    fact_words,
    filler_words,
    joining_words,
    small_words,
    teaser_phrases,
    universal_words,
)
from models.decision.evidence.short_texts.worn_words import lost_letters, worn_words
from models.kernels.jit import inner, kernel, lean
from models.lexical.text.canonical.lookalikes import LEET, readings
from models.lexical.text.canonical.reading import OPTIONAL, Reading

ADDED_SHARE, BOTH_SHARE = 1.0, 0.75
"""Letters that one side may have in words of its own, of those that both have; and both sides, where each has some."""
FEWEST = 8
"""Letters that texts must share for one to have words of its own."""


def compare_short(
    reading: Reading, words: ShortWords, a: NDArray[np.int64], b: NDArray[np.int64], asked: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.int32]]:
    """Compare pairs of short texts.

    Args:
        reading: n texts, those of the pairs read.
        words: their words.
        a: int64[p], first texts.
        b: int64[p], second texts.
        asked: bool[p], pairs to compare.

    Returns:
        float32[p], share of the letters of both, without words that one side has by itself, that are the same;
        int32[p], what makes them two texts, bits `REPLACED` to `CHANGED` of
        `models.decision.evidence.short_texts.differences`; and int32[p], `ONLY_A` | `ONLY_B`. (0, `REPLACED`, 0) for
        pairs not asked.
    """
    alike, differences, only = _compare(
        reading.letters, reading.pointers, words, a, b, asked, readings(), fact_words(), filler_words(),
        teaser_phrases(), small_words(), universal_words(), joining_words(), LEET,
    )  # fmt: skip
    return alike, differences, only


@kernel
def _compare(
    letters: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    words: ShortWords,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    asked: NDArray[np.bool_],
    stands_for: NDArray[np.uint32],
    facts: NDArray[np.uint64],
    fillers: NDArray[np.uint64],
    teasers: NDArray[np.uint64],
    small: NDArray[np.uint64],
    universal: NDArray[np.uint64],
    joining: NDArray[np.uint64],
    leet: NDArray[np.uint8],
) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.int32]]:
    alike, differences = np.zeros(a.size, np.float32), np.full(a.size, REPLACED, np.int32)
    only = np.zeros(a.size, np.int32)
    room = np.empty(1, np.uint8)
    first = words.first
    for pair in range(a.size):
        if not asked[pair]:
            continue
        one, one_stop = words.pointers[a[pair]], words.pointers[a[pair] + 1]
        other, other_stop = words.pointers[b[pair]], words.pointers[b[pair] + 1]
        one_stop -= teaser_behind(letters, words, one, one_stop, teasers, leet)
        other_stop -= teaser_behind(letters, words, other, other_stop, teasers, leet)
        begins, other_begins = one, other
        x, y = letters[first[one] : first[one_stop]], letters[first[other] : first[other_stop]]
        one += fillers_in_front(letters, words, one, one_stop, fillers, leet)
        other += fillers_in_front(letters, words, other, other_stop, fillers, leet)
        cut, other_cut = first[one] - first[begins], first[other] - first[other_begins]
        if cut != other_cut and begin_alike(x, y, max(cut, other_cut)):
            one, other = begins, other_begins
        else:
            x, y = x[cut:], y[other_cut:]
        if x.size == 0 or y.size == 0:
            continue
        if room.size < (x.size + 1) * (y.size + 1):
            room = np.empty((x.size + 1) * (y.size + 1), np.uint8)
        mate, how = align_letters(x, y, stands_for, room)
        slide(x, y, mate, how)
        back, how_back = reversed_alignment(mate, how, y.size)
        slide(y, x, back, how_back)
        mate, how = reversed_alignment(back, how_back, x.size)
        ours, theirs = _side(x, mate, how, words, one, one_stop), _side(y, back, how_back, words, other, other_stop)
        pair_numbers(ours, theirs)
        states = states_fact(ours, facts, leet) or states_fact(theirs, facts, leet)
        alike[pair], differences[pair], only[pair] = _judge(ours, theirs, small, universal, joining, leet)
        differences[pair] |= ADDED_FACT * states
    return alike, differences, only


@inner
def _side(
    letters: NDArray[np.uint32],
    mate: NDArray[np.int32],
    how: NDArray[np.uint8],
    words: ShortWords,
    start: int,
    stop: int,
) -> Side:
    """One aligned text with its words, `start:stop`."""
    first, fate = words.first[start : stop + 1] - words.first[start], np.empty(stop - start, np.uint8)
    kind, df, value = words.kind[start:stop], words.df[start:stop], words.value[start:stop]
    return Side(letters, mate, how, first, kind, df, value, fate)


@inner
def _judge(
    x: Side,
    y: Side,
    small: NDArray[np.uint64],
    universal: NDArray[np.uint64],
    joining: NDArray[np.uint64],
    leet: NDArray[np.uint8],
) -> tuple[float, int, int]:
    """Share of letters alike, what makes them two texts, and which says more, of two aligned texts."""
    for _ in range(2):
        tell_fates(x)
        tell_fates(y)
        part(x, y)
        part(y, x)
    tell_fates(x)
    tell_fates(y)
    differences = SIGN * (differ_in_sign(x, y) or is_half_spelt(x, y) or is_half_spelt(y, x))
    x_added, x_body, x_bad, x_more = added_words(x, y, small, universal, joining, leet)
    y_added, y_body, y_bad, y_more = added_words(y, x, small, universal, joining, leet)
    differences |= x_bad | y_bad | ADDED_BOTH * ((x_body > 0 and y_body > 0) or (x_more > 0 and y_more > 0))
    x_shared, x_slips = _shared(x)
    y_shared, y_slips = _shared(y)
    shared, slips = (x_shared + y_shared) / 2, (x_slips + y_slips) / 2
    differences |= worn_words(x, y) | worn_words(y, x)
    slips += lost_letters(x) + lost_letters(y)
    added = x_added + y_added
    most = BOTH_SHARE if x_added and y_added else ADDED_SHARE
    if added and (shared < FEWEST or added > most * shared):
        differences |= ADDED_MOST
    return shared / max(shared + slips, 1.0), differences, ONLY_A * (x_more > y_more) | ONLY_B * (y_more > x_more)


@lean
def _shared(x: Side) -> tuple[float, float]:
    """Letters that the other text has, and slips: one for another letter, half of one for each that changed places."""
    shared = slips = 0.0
    for at in range(x.letters.size):
        if x.how[at] and not x.letters[at] & OPTIONAL:
            shared += x.how[at] != SLIP
            slips += 1.0 if x.how[at] == SLIP else 0.5 * (x.how[at] == SWAPPED)
    return shared, slips
