"""Added words: what one of two aligned short texts has by itself, be it a tag, a filling word or more."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.short_texts.differences import ADDED_FACT, ADDED_INSIDE, ADDED_OUTSIDE, REPLACED
from models.decision.evidence.short_texts.side import LOST, Side, is_disguised, is_scheme, slot
from models.decision.evidence.short_texts.words import (
    ADDRESS,
    FACT,
    FIRST,
    ITEM,
    NAME,
    NUMBER,
    QUOTED,
    SHORTENED,
    fold,
    is_handle,
)
from models.decision.evidence.spelling.match import COMMON_DOCUMENTS
from models.kernels.hash_set import holds
from models.kernels.jit import lean
from models.lexical.text.canonical.reading import ANY, BREAK, CAPITAL, CODE, FIGURE, LINK, OF_ITSELF, OPTIONAL, SET_OFF

TAG_WORDS, PLAIN_TAG_WORDS = 6, 2
"""Words that may stand in front or behind on one side only: set off by a sign or line end, and otherwise; twice as many
letters where each is a word."""
IDENTIFIER_PARTS = 3
"""Parts with capitals of a word that names a thing of a program, wherever it is put to a text."""
SENTENCE_WORDS = 6
"""Words that both texts have from which they are a sentence, and no title or name to which somebody puts a word."""
LINKED_WORDS = 3
"""Words that both texts have below which a link that one has by itself is what that one says: "Documentation"."""
WORDS_PER_FILLER = 6
"""Words of the text for each that may be put in between."""
RANDOM_LETTERS, RANDOM_CHANGES, RANDOM_DOCUMENTS = 5, 2, 2
"""Letters and digits of a tag drawn at random, and changes from one to the other, at least; documents that hold it, at
most."""
SITE_WORDS = 4
"""Words of the name of a site behind a sentence, at most."""
_VIA = 3
"""Letters of "via" and "cc"."""
SAYS_A_WORD, SAYS_MORE = 1, 2
"""What words say that one text has by itself: a word that many texts use, or a name or rare word."""


@lean
def added_words(
    x: Side,
    y: Side,
    small: NDArray[np.uint64],
    universal: NDArray[np.uint64],
    joining: NDArray[np.uint64],
    leet: NDArray[np.uint8],
) -> tuple[int, int, int, int]:
    """Words that x has by itself: their letters, how many stand inside, what makes another text, and what they say.

    Words in front and behind may be tags; a word in place of another is never one, nor an item of a list beside others.
    They say something (`SAYS_A_WORD`) where one is none of the `small` ones and no sign sets it off as a tag; names and
    rare words `SAYS_MORE`. Behind one of the `universal` ones they are facts: "all stable features" are not "all
    features". With one of the `joining` ones they are another thing: "corruption and waste" are not "corruption".
    """
    letters = inside = bad = more = 0
    there = 0
    for word in range(x.fate.size):
        there += x.fate[word] != LOST
    head = 0
    while head < x.fate.size and x.fate[head] == LOST:
        head += 1
    tail = x.fate.size
    while tail > head and x.fate[tail - 1] == LOST:
        tail -= 1
    listed, disguised = _is_of_list(x, head, tail), is_disguised(x, y)
    signed = there >= SENTENCE_WORDS and _is_signed(x, tail)
    # Is each word in front set off and no name, as in "#this #and #that Text"? "#Boston police" is a sentence.
    apart = head < x.fate.size and _first_letter(x, head) & CAPITAL != 0
    for word in range(x.fate.size):
        if x.fate[word] != LOST:
            continue
        if x.kind[word] & ADDRESS:
            bad |= REPLACED * _is_other_link(x, y, word)
            bad |= ADDED_FACT * (there < LINKED_WORDS)
            continue
        size = _letters(x, word)
        if size == 0:
            continue
        if not x.kind[word] & (NUMBER | FACT) and (_repeats(x, word, word - 1) or _repeats(x, word, word + 1)):
            continue
        if _is_replaced(x, y, word, False):
            bad |= REPLACED
            continue
        first = _first_letter(x, word)
        in_front, behind = word < head, word >= tail
        apart &= not in_front or first & (SET_OFF | CAPITAL) == SET_OFF
        # "de-stressed" is another word, and so is "sugar-free".
        joined = _is_joined(x, x.words[word + 1]) or (word and _is_joined(x, x.words[word]))
        if joined and not _in_handle(x, word):
            bad |= ADDED_INSIDE
        small_word = _is_listed(x, word, small, leet)
        # "Puma Junior Boots" are no "Puma Boots", though all of it has capitals.
        within = not (in_front or behind or small_word)
        # Who sends a text on puts in a filler; a word of content amid it makes another entry of a list or a catalogue.
        # In disguise it may be half a word.
        bad |= ADDED_INSIDE * (within and not disguised)
        qualifies = within and first & CAPITAL != 0
        if within and x.fate[word - 1] != LOST:
            qualifies |= _is_listed(x, word - 1, universal, leet)
        if not (small_word or first & SET_OFF):
            qualifies |= _is_added(x, word - 1, joining, leet) or _is_added(x, word + 1, joining, leet)
        # Digits of "@mei_840" count nothing, nor do those of a tag such as "8af806" that nobody else has.
        at_edge = in_front or behind
        told = at_edge and (_in_handle(x, word) or _is_random(x, word, head, tail))
        if (x.kind[word] & (NUMBER | FACT) and not told) or qualifies or _is_identifier(x, word):
            bad |= ADDED_FACT
        elif x.kind[word] & NAME and not in_front and not (behind and (first & SET_OFF or signed)):
            # "Read more" begins a sentence of its own.
            begins = word == tail and word + 1 < x.fate.size and not x.kind[word + 1] & NAME
            bad |= 0 if begins else ADDED_FACT
        tagged = False
        if head < x.fate.size and not listed:
            tagged = (in_front and (apart or _first_letter(x, head) & SET_OFF)) or (behind and first & SET_OFF)
        tagged |= behind and signed and not listed
        tagged |= (in_front or behind) and _addresses(x, word)
        # A sentence that goes on says something else: "on a series point" is more than "on a series"; "read more" is no
        # more of it.
        goes_on = (
            word == tail
            and size > _VIA
            and not (tagged or told or small_word or disguised or first & (SET_OFF | CAPITAL))
        )
        goes_on = goes_on and not _is_listed(x, x.fate.size - 1, small, leet)
        bad |= ADDED_INSIDE * (goes_on and there >= SENTENCE_WORDS)
        # Who said it stands like a site behind what is said, so the text that names one is the one to stay.
        if (not tagged or (behind and signed)) and (first & CAPITAL != 0 or x.df[word] < COMMON_DOCUMENTS):
            more = SAYS_MORE
        elif not tagged and not small_word:
            more = max(more, SAYS_A_WORD)
        letters += size
        if not in_front and not behind:
            inside += 1
    if inside > max(1, there // WORDS_PER_FILLER):
        bad |= ADDED_INSIDE
    if _are_many(x, head, tail):
        bad |= ADDED_OUTSIDE
    return letters, inside, bad, more


@lean
def _repeats(x: Side, word: int, other: int) -> bool:
    """Is a word its neighbour once more, as in "the the", and the other text has that?"""
    if not 0 <= other < x.fate.size or x.fate[other] == LOST:
        return False
    size = x.words[word + 1] - x.words[word]
    if size != x.words[other + 1] - x.words[other]:
        return False
    same = True
    for at in range(size):
        same = same and (x.letters[x.words[word] + at] ^ x.letters[x.words[other] + at]) & CODE == 0
    return same


@lean
def _is_identifier(x: Side, word: int) -> bool:
    """Is a word made of three parts that begin with capitals, as "CfnPlacementGroup"? "YouTube" has two."""
    parts = 0
    for at in range(x.words[word] + 1, x.words[word + 1]):
        parts += x.letters[at] & CAPITAL != 0 and not x.letters[at - 1] & (CAPITAL | OPTIONAL)
    return parts >= IDENTIFIER_PARTS - 1


@lean
def _is_random(x: Side, word: int, head: int, tail: int) -> bool:
    """Is the first or last word small letters among digits that next to no other text has, as "ze8glbwqv4"?

    The name of a model changes once from letters to digits, and others have it, too.
    """
    if not (word == 0 < head or word == x.fate.size - 1 >= tail) or x.df[word] > RANDOM_DOCUMENTS:
        return False
    size = changes = letters = 0
    was_figure = False
    for at in range(x.words[word], x.words[word + 1]):
        if x.letters[at] & CAPITAL:
            return False
        figure = x.letters[at] & FIGURE != 0
        changes += size > 0 and figure != was_figure
        letters += not figure
        size, was_figure = size + 1, figure
    return size >= RANDOM_LETTERS and letters > 0 and changes >= RANDOM_CHANGES


@lean
def _is_signed(x: Side, tail: int) -> bool:
    """Is what stands behind a sentence, set off, the name of a site: "... risen. | Harbour Times"?"""
    size = x.fate.size - tail
    if not 0 < size <= SITE_WORDS or not x.kind[tail] & FIRST or not _first_letter(x, tail) & SET_OFF:
        return False
    names = _first_letter(x, tail) & CAPITAL != 0
    for word in range(tail + 1, x.fate.size):
        names += _first_letter(x, word) & CAPITAL != 0
    return bool(names >= max(1, size - 1))


@lean
def _is_of_list(x: Side, head: int, tail: int) -> bool:
    """Are there items of a list among the words before `head` and from `tail` on, and others between?"""
    within = around = False
    for word in range(x.fate.size):
        if x.kind[word] & ITEM:
            within |= head <= word < tail
            around |= not head <= word < tail
    return within and around


@lean
def _is_added(x: Side, word: int, listed: NDArray[np.uint64], leet: NDArray[np.uint8]) -> bool:
    """Is a word one that only this text has, and a listed one?"""
    return 0 <= word < x.fate.size and x.fate[word] == LOST and _is_listed(x, word, listed, leet)


@lean
def _is_listed(x: Side, word: int, listed: NDArray[np.uint64], leet: NDArray[np.uint8]) -> bool:
    return bool(holds(listed, fold(x.letters[x.words[word] : x.words[word + 1]], leet)))


@lean
def states_fact(x: Side, facts: NDArray[np.uint64], leet: NDArray[np.uint8]) -> bool:
    """Do the letters of some place that only this text has spell a fact, with or without blanks around them?"""
    start = 0
    while start < x.letters.size:
        stop = start
        while stop < x.letters.size and x.how[stop] == 0:
            stop += 1
        while start < stop and x.letters[start] & OPTIONAL and not x.letters[start] & BREAK:
            start += 1
        if (
            stop - start >= 2
            and not x.letters[start] & LINK
            and not is_handle(x.letters[start])
            and holds(facts, fold(x.letters[start:stop], leet))
        ):
            return True
        start = stop + 1
    return False


@lean
def _first_letter(x: Side, word: int) -> np.uint32:
    return x.letters[x.words[word]]  # type: ignore[no-any-return]


@lean
def _letters(x: Side, word: int) -> int:
    """Letters of a word, without those of links."""
    size = 0
    for at in range(x.words[word], x.words[word + 1]):
        size += not x.letters[at] & (OPTIONAL | LINK)
    return size


@lean
def _is_other_link(x: Side, y: Side, word: int) -> bool:
    """Is a part of a link in place of another one or the value of a field, or does it make a link longer?

    That leads elsewhere then.
    """
    if x.kind[word] & SHORTENED:
        return False
    if x.kind[word] & QUOTED:
        return True
    near = word > 0 and x.kind[word - 1] & ADDRESS and x.fate[word - 1] != LOST
    return _is_replaced(x, y, word, True) or bool(near and not is_scheme(x, word))


@lean
def _is_replaced(x: Side, y: Side, word: int, link: bool) -> bool:
    """Stand letters of its own in the other text where this word would stand?"""
    low, high = slot(x, y, x.words[word], x.words[word + 1])
    for at in range(low, high):
        if y.mate[at] < 0 and not y.letters[at] & OPTIONAL and ((y.letters[at] & LINK) != 0) == link:
            return True
    return False


@lean
def _is_joined(x: Side, start: int) -> bool:
    """Does a hyphen or the like stand before the word that starts here?"""
    return bool(start < x.letters.size and x.letters[start - 1] & CODE == ANY)


@lean
def _in_handle(x: Side, word: int) -> bool:
    """Is it a word of a name of somebody addressed, as "@some_one"?"""
    while word > 0 and _is_joined(x, x.words[word]):
        word -= 1
    return bool(is_handle(_first_letter(x, word)))


@lean
def _addresses(x: Side, word: int) -> bool:
    """Is it a word of a name of somebody addressed, or a short one before it, as in "via @some_one"?"""
    if _in_handle(x, word):
        return True
    named = word + 1 < x.fate.size and x.fate[word + 1] == LOST and is_handle(_first_letter(x, word + 1))
    return bool(named and _letters(x, word) <= _VIA)


@lean
def _are_many(x: Side, head: int, tail: int) -> bool:
    """Are the words before `head`, or those from `tail` on, too many for tags?"""
    loose = 0  # words in front that nothing sets off from the text
    while loose < head and head < x.fate.size and not _first_letter(x, head - loose) & SET_OFF:
        loose += 1
    plain = tail
    while plain < x.fate.size and not _first_letter(x, plain) & SET_OFF:
        plain += 1
    return bool(
        _halves(x, 0, head - loose) > 2 * TAG_WORDS
        or _halves(x, head - loose, head) > 2 * PLAIN_TAG_WORDS
        or _halves(x, tail, plain) > 2 * PLAIN_TAG_WORDS
        or _halves(x, plain, x.fate.size) > 2 * TAG_WORDS
    )


@lean
def _halves(x: Side, start: int, stop: int) -> int:
    """2 for each of some words that belongs to no link, 1 for a letter that is one by itself."""
    count = 0
    for word in range(start, stop):
        count += 0 if x.kind[word] & ADDRESS else 1 if _first_letter(x, word) & CODE >= OF_ITSELF else 2
    return count
