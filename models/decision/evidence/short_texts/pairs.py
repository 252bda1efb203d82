"""Comparison of two short texts: facts decide whether they say the same, then how alike they are letter by letter.

Read as `models.lexical.text.canonical` reads them, two copies of a text differ by slips inside of words and by words
that stand on one side only: tags and forwarding in front and behind, links, a filling word. Whatever else differs makes
another text: a word in place of another, a digit, the sign of an amount or a name ("C++"), a negation.
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.short_texts.alignment import SAME, SLIP, SWAPPED, align_letters, reversed_alignment, slide
from models.decision.evidence.short_texts.words import (
    ADDRESS,
    FACT,
    NAME,
    NUMBER,
    ShortWords,
    fact_words,
    filler_words,
    fold,
    is_handle,
)
from models.decision.evidence.spelling.keyboard_slips import is_unsayable
from models.kernels.hash_set import holds
from models.kernels.jit import kernel, lean
from models.lexical.text.canonical.lookalikes import LEET, readings
from models.lexical.text.canonical.reading import (
    ANY,
    APART,
    BREAK,
    CAPITAL,
    CODE,
    FIGURE,
    LINK,
    OF_ITSELF,
    OPTIONAL,
    SET_OFF,
    UNIT,
    Reading,
    is_vowel,
)

KNOWN_DOCUMENTS = 3
"""A word that so many documents hold is no slip of another word."""
COMMON_DOCUMENTS, COMMON_FACTOR = 10, 8
"""In how many documents, and in how many times as many, a word stands that proves another spelling of it a slip."""
ONLY_A, ONLY_B = 1, 2
"""Which of two texts says something by itself, beyond tags and fillers, so that it is the one to stay."""
TAG_WORDS, PLAIN_TAG_WORDS = 6, 2
"""Words that may stand in front or behind on one side only: set off by a sign or line end, and otherwise; twice as many
letters where each is a word."""
WORDS_PER_FILLER = 6
"""Words of the text for each that may be put in between."""
ADDED_SHARE = 1.0
"""Letters that one side may have in words of its own, of those that both have."""
FEWEST = 8
"""Letters that texts must share for one to have words of its own."""

REPLACED, SIGN, ADDED_FACT, ADDED_INSIDE, ADDED_OUTSIDE, ADDED_BOTH, ADDED_MOST, DIGIT, FACT_CHANGED, CHANGED = (
    1 << bit for bit in range(10)
)
"""What makes two texts of two: a word in place of another; the sign of a number or within one; words that one side has
by itself, which state a fact, or are too many inside or around the text, or on both sides, or too much; in a word
that both have, a digit, a fact, or letters that make another word."""

WORN_LETTERS = 4
"""Letters of a word for each that a slip may have changed."""
SHORT_WORD = 3
"""Letters of a word in which one slip is much."""

_SCHEME, _H, _W = 5, 104, 119
_KEPT, _WORN, _LOST = range(3)


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
        int32[p], what makes them two texts, bits `REPLACED` to `CHANGED`; and int32[p], `ONLY_A` | `ONLY_B`.
        (0, `REPLACED`, 0) for pairs not asked.
    """
    alike, differences, only = _compare(
        *reading[::2], *words, a, b, asked, readings(), fact_words(), filler_words(), LEET
    )
    return alike, differences, only


@kernel
def _compare(
    letters: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    first: NDArray[np.int64],
    df: NDArray[np.uint32],
    kind: NDArray[np.uint8],
    value: NDArray[np.int32],
    word_pointers: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    asked: NDArray[np.bool_],
    stands_for: NDArray[np.uint32],
    facts: NDArray[np.uint64],
    fillers: NDArray[np.uint64],
    leet: NDArray[np.uint8],
) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.int32]]:
    alike, differences = np.zeros(a.size, np.float32), np.full(a.size, REPLACED, np.int32)
    only = np.zeros(a.size, np.int32)
    room = np.empty(1, np.uint8)
    for pair in range(a.size):
        if not asked[pair]:
            continue
        one, one_stop = word_pointers[a[pair]], word_pointers[a[pair] + 1]
        other, other_stop = word_pointers[b[pair]], word_pointers[b[pair] + 1]
        begins, other_begins = one, other
        x, y = letters[first[one] : pointers[a[pair] + 1]], letters[first[other] : pointers[b[pair] + 1]]
        one += _fillers(letters, first[one : one_stop + 1], kind[one:one_stop], fillers, leet)
        other += _fillers(letters, first[other : other_stop + 1], kind[other:other_stop], fillers, leet)
        cut, other_cut = first[one] - first[begins], first[other] - first[other_begins]
        if cut != other_cut and _begin_alike(x, y, max(cut, other_cut)):
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
        x_words, y_words = first[one : one_stop + 1] - first[one], first[other : other_stop + 1] - first[other]
        x_kind, y_kind = kind[one:one_stop], kind[other:other_stop]
        x_df, y_df = df[one:one_stop], df[other:other_stop]
        x_value, y_value = value[one:one_stop], value[other:other_stop]
        _pair_numbers(x, x_words, x_value, mate, how, y, y_words, y_value, back, how_back)
        states = _states_fact(x, how, facts, leet) or _states_fact(y, how_back, facts, leet)
        alike[pair], differences[pair], only[pair] = _judge(
            x, y, mate, how, back, how_back, x_words, y_words, x_kind, y_kind, x_df, y_df
        )
        differences[pair] |= ADDED_FACT * states
    return alike, differences, only


@lean
def _fillers(
    letters: NDArray[np.uint32],
    first: NDArray[np.int64],
    kind: NDArray[np.uint8],
    fillers: NDArray[np.uint64],
    leet: NDArray[np.uint8],
) -> int:
    """How many words in front of a text say nothing, where there are `PLAIN_TAG_WORDS` others at least.

    A number does, though its digits may stand for the letters of such a word: 807 is no "bot".
    """
    count = 0
    while count + 1 + PLAIN_TAG_WORDS < first.size and not kind[count] & NUMBER:
        if not holds(fillers, fold(letters[first[count] : first[count + 1]], leet)):
            break
        count += 1
    return count


@lean
def _begin_alike(x: NDArray[np.uint32], y: NDArray[np.uint32], size: int) -> bool:
    """Do both texts begin with these letters, as where a filler of one was joined to other words in the other?"""
    alike = min(x.size, y.size) >= size
    for at in range(size if alike else 0):
        alike &= (x[at] ^ y[at]) & CODE == 0
    return alike


@kernel
def _pair_numbers(
    x: NDArray[np.uint32],
    x_words: NDArray[np.int64],
    x_value: NDArray[np.int32],
    mate: NDArray[np.int32],
    how: NDArray[np.uint8],
    y: NDArray[np.uint32],
    y_words: NDArray[np.int64],
    y_value: NDArray[np.int32],
    back: NDArray[np.int32],
    how_back: NDArray[np.uint8],
) -> None:
    """Take numbers that stand in each other's place for the same, one in digits and one in letters."""
    for word in range(x_value.size):
        start, stop = x_words[word], x_words[word + 1]
        if x_value[word] < 0:
            continue
        low, high = _slot(start, stop, mate, how_back.size)
        for other in range(y_value.size):
            begin, end = y_words[other], y_words[other + 1]
            spelt = (x[start] ^ y[begin]) & FIGURE
            if spelt and y_value[other] == x_value[word] and low <= begin and end <= high:
                how[start:stop], mate[start:stop] = SAME, -1
                how_back[begin:end], back[begin:end] = SAME, -1
                break


@lean
def _slot(start: int, stop: int, mate: NDArray[np.int32], size: int) -> tuple[int, int]:
    """Where in the other text some letters would stand: behind what is before them, before what is behind them."""
    left = start - 1
    while left >= 0 and mate[left] < 0:
        left -= 1
    right = stop
    while right < mate.size and mate[right] < 0:
        right += 1
    return mate[left] + 1 if left >= 0 else 0, mate[right] if right < mate.size else size


@lean
def _states_fact(
    x: NDArray[np.uint32], how: NDArray[np.uint8], facts: NDArray[np.uint64], leet: NDArray[np.uint8]
) -> bool:
    """Do the letters of some place that only this text has spell a fact, with or without blanks around them?"""
    start = 0
    while start < x.size:
        stop = start
        while stop < x.size and how[stop] == 0:
            stop += 1
        while start < stop and x[start] & OPTIONAL and not x[start] & BREAK:
            start += 1
        if (
            stop - start >= 2
            and not x[start] & LINK
            and not is_handle(x[start])
            and holds(facts, fold(x[start:stop], leet))
        ):
            return True
        start = stop + 1
    return False


@kernel
def _judge(
    x: NDArray[np.uint32],
    y: NDArray[np.uint32],
    mate: NDArray[np.int32],
    how: NDArray[np.uint8],
    back: NDArray[np.int32],
    how_back: NDArray[np.uint8],
    x_words: NDArray[np.int64],
    y_words: NDArray[np.int64],
    x_kind: NDArray[np.uint8],
    y_kind: NDArray[np.uint8],
    x_df: NDArray[np.uint32],
    y_df: NDArray[np.uint32],
) -> tuple[float, int, int]:
    """Share of letters alike, what makes them two texts, and which says more, of two aligned texts."""
    for _ in range(2):
        x_fate = _fates(x, how, x_words)
        y_fate = _fates(y, how_back, y_words)
        _part(x_words, x_fate, mate, how, back, how_back)
        _part(y_words, y_fate, back, how_back, mate, how)
    x_fate, y_fate = _fates(x, how, x_words), _fates(y, how_back, y_words)
    differences = SIGN * (
        _numbers(x, y, mate, how)
        or _half_spelt(x, y, mate, x_words, x_kind)
        or _half_spelt(y, x, back, y_words, y_kind)
    )
    x_added, x_body, x_bad, x_more = _added(x, mate, x_words, x_kind, x_df, x_fate, y, back, y_words, y_fate)
    y_added, y_body, y_bad, y_more = _added(y, back, y_words, y_kind, y_df, y_fate, x, mate, x_words, x_fate)
    differences |= x_bad | y_bad | ADDED_BOTH * ((x_body > 0 and y_body > 0) or (x_more and y_more))
    x_shared, x_slips = _shared(x, how)
    y_shared, y_slips = _shared(y, how_back)
    shared, slips = (x_shared + y_shared) / 2, (x_slips + y_slips) / 2
    differences |= _worn(x, mate, how, back, x_words, x_kind, x_df, x_fate, y_words, y, y_kind, y_df)
    differences |= _worn(y, back, how_back, mate, y_words, y_kind, y_df, y_fate, x_words, x, x_kind, x_df)
    slips += _left_out(x, how, x_words, x_fate) + _left_out(y, how_back, y_words, y_fate)
    added = x_added + y_added
    if added and (shared < FEWEST or added > ADDED_SHARE * shared):
        differences |= ADDED_MOST
    return shared / max(shared + slips, 1.0), differences, ONLY_A * x_more | ONLY_B * y_more


@lean
def _shared(x: NDArray[np.uint32], how: NDArray[np.uint8]) -> tuple[float, float]:
    """Letters that the other text has, and slips: one for another letter, half of one for each that changed places."""
    shared = slips = 0.0
    for at in range(x.size):
        if how[at] and not x[at] & OPTIONAL:
            shared += how[at] != SLIP
            slips += 1.0 if how[at] == SLIP else 0.5 * (how[at] == SWAPPED)
    return shared, slips


@kernel
def _fates(x: NDArray[np.uint32], how: NDArray[np.uint8], words: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Which words are kept whole, worn, or lost: less than half of a lost one is there, vowels counted half."""
    fate = np.empty(words.size - 1, np.uint8)
    for word in range(fate.size):
        size = there = 0.0
        letters = same = 0
        for at in range(words[word], words[word + 1]):
            if x[at] & OPTIONAL:
                continue
            weight = 0.5 if is_vowel(x[at]) else 1.0
            size += weight
            there += weight * (how[at] == SAME or how[at] == SWAPPED)
            letters += 1
            same += how[at] == SAME
        # One slip in "on" or "the" leaves less than half.
        few = letters <= SHORT_WORD and same > 0
        fate[word] = _LOST if letters == 0 else _KEPT if there == size else _WORN if few or 2 * there >= size else _LOST
    return fate


@lean
def _part(
    words: NDArray[np.int64],
    fate: NDArray[np.uint8],
    mate: NDArray[np.int32],
    how: NDArray[np.uint8],
    back: NDArray[np.int32],
    how_back: NDArray[np.uint8],
) -> None:
    """What is left of lost words is chance."""
    for word in range(fate.size):
        if fate[word] == _LOST:
            for at in range(words[word], words[word + 1]):
                if mate[at] >= 0:
                    back[mate[at]], how_back[mate[at]] = -1, 0
                    mate[at], how[at] = -1, 0


@lean
def _numbers(x: NDArray[np.uint32], y: NDArray[np.uint32], mate: NDArray[np.int32], how: NDArray[np.uint8]) -> bool:
    """Are there digits, or letters, that differ in their sign, or digits in what keeps them apart?"""
    for at in range(x.size):
        if mate[at] < 0 or x[at] & LINK:
            continue
        there = y[mate[at]]
        if not x[at] & there & FIGURE:
            if not (x[at] | there) & FIGURE and (x[at] ^ there) & UNIT:
                return True
            continue
        if how[at] == SLIP:
            return True
        if (x[at] ^ there) & UNIT:
            return True
        runs_on = at > 0 and x[at - 1] & FIGURE and mate[at - 1] == mate[at] - 1 and mate[at] > 0
        if runs_on and (x[at] ^ there) & APART:
            return True
    return False


@lean
def _half_spelt(
    x: NDArray[np.uint32],
    y: NDArray[np.uint32],
    mate: NDArray[np.int32],
    words: NDArray[np.int64],
    kind: NDArray[np.uint8],
) -> bool:
    """Is a number half digits and half letters in the other text, as in "10 o'clock" and "1 o'clock"?"""
    for word in range(kind.size):
        digits = letters = 0
        for at in range(words[word], words[word + 1] if kind[word] & NUMBER else words[word]):
            if x[at] & FIGURE and mate[at] >= 0:
                digits += y[mate[at]] & FIGURE != 0
                letters += y[mate[at]] & FIGURE == 0
        if digits and letters:
            return True
    return False


@lean
def _added(
    x: NDArray[np.uint32],
    mate: NDArray[np.int32],
    words: NDArray[np.int64],
    kind: NDArray[np.uint8],
    df: NDArray[np.uint32],
    fate: NDArray[np.uint8],
    y: NDArray[np.uint32],
    back: NDArray[np.int32],
    y_words: NDArray[np.int64],
    y_fate: NDArray[np.uint8],
) -> tuple[int, int, int, bool]:
    """Words that x has by itself: their letters, how many stand inside, what makes another text, and do they say more?

    Words in front and behind may be tags; a word in place of another is never one. Names and rare words say something,
    where no sign sets them off as a tag.
    """
    letters = inside = bad = 0
    more = False
    there = 0
    for word in range(fate.size):
        there += fate[word] != _LOST
    head = 0
    while head < fate.size and fate[head] == _LOST:
        head += 1
    tail = fate.size
    while tail > head and fate[tail - 1] == _LOST:
        tail -= 1
    # Is each word in front set off and no name, as in "#this #and #that Text"? "#Boston police" is a sentence.
    apart = head < fate.size and x[words[head]] & CAPITAL != 0
    for word in range(fate.size):
        if fate[word] != _LOST:
            continue
        size = 0
        for at in range(words[word], words[word + 1]):
            size += not x[at] & (OPTIONAL | LINK)
        if kind[word] & ADDRESS:
            bad |= REPLACED * _replaced(words[word], words[word + 1], mate, y, back, True)
            # A longer link leads elsewhere.
            near = word > 0 and kind[word - 1] & ADDRESS and fate[word - 1] != _LOST
            bad |= REPLACED if near and not _is_scheme(x[words[word] : words[word + 1]]) else 0
            continue
        if size == 0:
            continue
        if _replaced(words[word], words[word + 1], mate, y, back, False):
            bad |= REPLACED
            continue
        in_front, behind = word < head, word >= tail
        apart &= not in_front or x[words[word]] & (SET_OFF | CAPITAL) == SET_OFF
        # "de-stressed" is another word, and so is "sugar-free".
        joined = _is_joined(x, words[word + 1]) or (word and _is_joined(x, words[word]))
        if joined and not _in_handle(x, words, word):
            bad |= ADDED_INSIDE
        if kind[word] & (NUMBER | FACT):
            bad |= ADDED_FACT
        elif kind[word] & NAME and not in_front and not (behind and x[words[word]] & SET_OFF):
            # "Read more" begins a sentence of its own.
            begins = word == tail and word + 1 < fate.size and not kind[word + 1] & NAME
            bad |= 0 if begins else ADDED_FACT
        tagged = (
            (in_front and (apart or x[words[head]] & SET_OFF)) or (behind and x[words[word]] & SET_OFF)
            if head < fate.size
            else False
        )
        more |= not tagged and (x[words[word]] & CAPITAL != 0 or df[word] < COMMON_DOCUMENTS)
        letters += size
        if not in_front and not behind:
            inside += 1
    if inside > max(1, there // WORDS_PER_FILLER):
        bad |= ADDED_INSIDE
    loose = 0  # words in front that nothing sets off from the text
    while loose < head and head < fate.size and not x[words[head - loose]] & SET_OFF:
        loose += 1
    if (
        _halves(x, words, kind, 0, head - loose) > 2 * TAG_WORDS
        or _halves(x, words, kind, head - loose, head) > 2 * PLAIN_TAG_WORDS
    ):
        bad |= ADDED_OUTSIDE
    plain = tail
    while plain < fate.size and not x[words[plain]] & SET_OFF:
        plain += 1
    behind_it = _halves(x, words, kind, tail, plain), _halves(x, words, kind, plain, fate.size)
    if behind_it[0] > 2 * PLAIN_TAG_WORDS or behind_it[1] > 2 * TAG_WORDS:
        bad |= ADDED_OUTSIDE
    return letters, inside, bad, more


@lean
def _is_joined(x: NDArray[np.uint32], start: int) -> bool:
    """Does a hyphen or the like stand before the word that starts here?"""
    return bool(start < x.size and x[start - 1] & CODE == ANY)


@lean
def _in_handle(x: NDArray[np.uint32], words: NDArray[np.int64], word: int) -> bool:
    """Is it a word of a name of somebody addressed, as "@some_one"?"""
    while word > 0 and _is_joined(x, words[word]):
        word -= 1
    return bool(is_handle(x[words[word]]))


@lean
def _halves(x: NDArray[np.uint32], words: NDArray[np.int64], kind: NDArray[np.uint8], start: int, stop: int) -> int:
    """2 for each of some words that belongs to no link, 1 for a letter that is one by itself."""
    count = 0
    for word in range(start, stop):
        count += 0 if kind[word] & ADDRESS else 1 if x[words[word]] & CODE >= OF_ITSELF else 2
    return count


@lean
def _replaced(
    start: int, stop: int, mate: NDArray[np.int32], y: NDArray[np.uint32], back: NDArray[np.int32], link: bool
) -> bool:
    """Stand letters of its own in the other text where this word would stand?"""
    low, high = _slot(start, stop, mate, y.size)
    for at in range(low, high):  # noqa: SIM110, numba has no generators
        if back[at] < 0 and not y[at] & OPTIONAL and ((y[at] & LINK) != 0) == link:
            return True
    return False


@lean
def _left_out(
    x: NDArray[np.uint32], how: NDArray[np.uint8], words: NDArray[np.int64], fate: NDArray[np.uint8]
) -> float:
    """Letters without mate in worn words, vowels counted half."""
    count = 0.0
    for word in range(fate.size):
        if fate[word] == _WORN:
            for at in range(words[word], words[word + 1]):
                if how[at] == 0 and not x[at] & OPTIONAL:
                    count += 0.5 if is_vowel(x[at]) else 1.0
    return count


@kernel
def _worn(
    x: NDArray[np.uint32],
    mate: NDArray[np.int32],
    how: NDArray[np.uint8],
    back: NDArray[np.int32],
    words: NDArray[np.int64],
    kind: NDArray[np.uint8],
    df: NDArray[np.uint32],
    fate: NDArray[np.uint8],
    y_words: NDArray[np.int64],
    y: NDArray[np.uint32],
    y_kind: NDArray[np.uint8],
    y_df: NDArray[np.uint32],
) -> int:
    """What of the worn words is no slip: `DIGIT`, `FACT_CHANGED` and `CHANGED`."""
    bad = changed = proven = 0
    for word in range(fate.size):
        start, stop = words[word], words[word + 1]
        if fate[word] != _WORN:
            continue
        if kind[word] & ADDRESS:
            bad |= 0 if _is_scheme(x[start:stop]) else REPLACED
            continue
        size, lost, swapped, figures, gone = 0, 0.0, 0, 0, False
        for at in range(start, stop):
            if x[at] & OPTIONAL:
                continue
            size += 1
            swapped += how[at] == SWAPPED
            if how[at] != SAME and how[at] != SWAPPED:
                lost += 0.5 if is_vowel(x[at]) and how[at] == 0 else 1.0
                figures += (x[at] & FIGURE) != 0
                gone |= how[at] == 0 and x[at] & FIGURE != 0
        other = _counterpart(start, stop, mate, y_words)
        numbers = kind[word] & NUMBER or (other >= 0 and y_kind[other] & NUMBER)
        if (figures and (numbers or gone)) or (kind[word] & NUMBER and other >= 0 and y_kind[other] & NUMBER):
            bad |= DIGIT
            continue
        theirs = y_df[other] if other >= 0 else np.uint32(0)
        rare, common = min(df[word], theirs), max(df[word], theirs)
        facts = kind[word] & FACT or (other >= 0 and y_kind[other] & FACT)
        both = other >= 0 and kind[word] & y_kind[other] & FACT
        slip = theirs if kind[word] & FACT else df[word]
        across = y_words[other + 1] - y_words[other] if other >= 0 else 0
        sure = common >= COMMON_DOCUMENTS and common >= COMMON_FACTOR * rare
        vowels = _lost_vowels(x, how, start, stop)
        if _begins_otherwise(x, how, start, stop) and not vowels:
            bad |= CHANGED
        elif (
            vowels and other >= 0 and is_unsayable(y[y_words[other] : y_words[other + 1]] & CODE, x[start:stop] & CODE)
        ):
            proven += not facts or size >= 5
            bad |= FACT_CHANGED if facts and size < 5 else 0
        elif vowels and size >= (5 if both else 4):
            proven += rare < KNOWN_DOCUMENTS
            changed += rare >= KNOWN_DOCUMENTS
        elif facts and (size < 4 or lost > 1 or slip >= KNOWN_DOCUMENTS or abs(across - size) > 2 or both):
            bad |= FACT_CHANGED
        elif rare >= KNOWN_DOCUMENTS:
            changed += 1
            bad |= CHANGED * (lost > max(1.0, size / WORN_LETTERS))
        elif lost > max(1.0, size / WORN_LETTERS):
            bad |= CHANGED
        elif sure or swapped or vowels:
            proven += 1
        elif kind[word] & NAME or size < 5:
            changed += 1
        else:
            proven += 1
    return bad | CHANGED * (changed > proven)


@lean
def _is_scheme(word: NDArray[np.uint32]) -> bool:
    """Is it the "https" of a link, or its "www" or "html"?"""
    return bool(word.size <= _SCHEME and word[0] & CODE in (_H, _W))


@lean
def _begins_otherwise(x: NDArray[np.uint32], how: NDArray[np.uint8], start: int, stop: int) -> bool:
    """Has a word other letters in front, two and more, as "unlikely" has or "exclude" beside "include"?"""
    while start < stop and x[start] & OPTIONAL:
        start += 1
    size = 0
    while start + size < stop and (how[start + size] == 0 or how[start + size] == SLIP):
        size += 1
    for at in range(start + size, stop):
        if how[at] != SAME:
            return False
    return size >= 2


@lean
def _lost_vowels(x: NDArray[np.uint32], how: NDArray[np.uint8], start: int, stop: int) -> bool:
    """Are all letters that a word lost vowels?"""
    for at in range(start, stop):
        if how[at] != SAME and not x[at] & OPTIONAL and (how[at] or not is_vowel(x[at])):
            return False
    return True


@lean
def _counterpart(start: int, stop: int, mate: NDArray[np.int32], y_words: NDArray[np.int64]) -> int:
    """The word of the other text in which most letters of a word have their mates; -1 if none has one."""
    best, most, held, count = -1, 0, -1, 0
    for at in range(start, stop):
        if mate[at] < 0:
            continue
        word = np.searchsorted(y_words, mate[at], side="right") - 1
        count = count + 1 if word == held else 1
        held = word
        if count > most:
            best, most = held, count
    return best
