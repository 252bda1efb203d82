"""Numbers of two aligned short texts: which are the same in digits and in letters, and which differ in a sign."""

from models.decision.evidence.short_texts.alignment import SAME, SLIP
from models.decision.evidence.short_texts.side import Side, slot
from models.decision.evidence.short_texts.words import NUMBER
from models.kernels.jit import lean
from models.lexical.text.canonical.reading import APART, FIGURE, LINK, UNIT


@lean
def pair_numbers(x: Side, y: Side) -> None:
    """Take numbers that stand in each other's place for the same, one in digits and one in letters."""
    for word in range(x.value.size):
        start, stop = x.words[word], x.words[word + 1]
        if x.value[word] < 0:
            continue
        low, high = slot(x, y, start, stop)
        for other in range(y.value.size):
            begin, end = y.words[other], y.words[other + 1]
            spelt = (x.letters[start] ^ y.letters[begin]) & FIGURE
            if spelt and y.value[other] == x.value[word] and low <= begin and end <= high:
                _take_for_same(x, start, stop)
                _take_for_same(y, begin, end)
                break


@lean
def _take_for_same(x: Side, start: int, stop: int) -> None:
    for at in range(start, stop):
        x.how[at], x.mate[at] = SAME, -1


@lean
def differ_in_sign(x: Side, y: Side) -> bool:
    """Are there digits, or letters, that differ in their sign, or digits in what keeps them apart?"""
    for at in range(x.letters.size):
        letter, mate = x.letters[at], x.mate[at]
        if mate < 0 or letter & LINK:
            continue
        there = y.letters[mate]
        if not letter & there & FIGURE:
            if not (letter | there) & FIGURE and (letter ^ there) & UNIT:
                return True
            continue
        if x.how[at] == SLIP:
            return True
        if (letter ^ there) & UNIT:
            return True
        runs_on = at > 0 and x.letters[at - 1] & FIGURE and x.mate[at - 1] == mate - 1 and mate > 0
        if runs_on and (letter ^ there) & APART:
            return True
    return False


@lean
def is_half_spelt(x: Side, y: Side) -> bool:
    """Is a number of x half digits and half letters in y, as in "10 o'clock" and "1 o'clock"?"""
    for word in range(x.kind.size):
        digits = letters = 0
        for at in range(x.words[word], x.words[word + 1] if x.kind[word] & NUMBER else x.words[word]):
            if x.letters[at] & FIGURE and x.mate[at] >= 0:
                there = y.letters[x.mate[at]] & FIGURE
                digits += there != 0
                letters += there == 0
        if digits and letters:
            return True
    return False
