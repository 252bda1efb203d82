"""Worn words: what two aligned short texts both have, but not letter by letter; slips, or other words."""

import numpy as np

from models.decision.evidence.identifiers import is_other_identifier
from models.decision.evidence.short_texts.alignment import SAME, SLIP, SWAPPED
from models.decision.evidence.short_texts.differences import CHANGED, DIGIT, FACT_CHANGED, REPLACED
from models.decision.evidence.short_texts.side import KEPT, WORN, Side, is_disguised, is_scheme
from models.decision.evidence.short_texts.words import ADDRESS, FACT, NAME, NUMBER, SHORTENED
from models.decision.evidence.spelling.keyboard_slips import is_unsayable
from models.decision.evidence.spelling.match import COMMON_DOCUMENTS, COMMON_FACTOR
from models.decision.evidence.spelling.regional import is_regional
from models.kernels.jit import inner, lean
from models.lexical.text.canonical.reading import CAPITAL, CODE, FIGURE, OPTIONAL, is_vowel

KNOWN_DOCUMENTS = 3
"""A word that so many documents hold is no slip of another word."""
STEM = 5
"""Letters that two forms of a word have in common at least."""
CODE_FIGURES = 2
"""Digits that a word has in both texts, from which it is a code, as "SP35C6SPGD", and no word spelt with digits."""
WORN_LETTERS = 4
"""Letters of a word for each that a slip may have changed."""
ALONE_LETTERS = 1.5
"""Letters that a slip may have changed where nothing else of two texts is worn or in disguise, vowels that were lost
and letters that changed places counting half: "Adenovirus" is no "Reovirus"."""
INITIALS = 2
"""Capitals that are a word of their own and change no places by a slip."""
SHORT_LETTERS = 5
"""Letters of a word up to which, as of a name, its rareness alone proves no slip."""
GUESSED = 2
"""Words that may be slips of others by their looks alone, from which, if they are half of all, two texts are in two
languages that are sisters, as "Konverterar/korrigerar" and "konvertiere/korrigiere" are."""
FEW_LETTERS = 3
"""Letters of a word up to which it has to be rarer by `COMMON_FACTOR` twice to be a slip: most are codes."""


@inner
def worn_words(x: Side, y: Side) -> int:
    """What of the worn words of x is no slip: `DIGIT`, `FACT_CHANGED` and `CHANGED`; `REPLACED` of links."""
    bad = changed = proven = guessed = 0
    letters, words, kind, df = x.letters, x.words, x.kind, x.df
    # Letters set apart and words run together are a disguise, too.
    plain = abs(x.fate.size - y.fate.size) <= 1 and not is_disguised(x, y)
    alone = plain and np.sum(x.fate == WORN) == 1
    for word in range(kind.size):
        if x.fate[word] == KEPT and _is_swapped(x, word):
            bad |= CHANGED if _is_initials(x, word) or _is_worn_twice(x, y, word) else 0
        if x.fate[word] != WORN:
            continue
        if kind[word] & ADDRESS:
            bad |= 0 if is_scheme(x, word) or kind[word] & SHORTENED else REPLACED
            continue
        size, lost, swapped, figures, gone = _losses(x, word)
        other = _counterpart(x, y, word)
        if other >= 0 and _is_regional(x, y, word, other):
            continue
        if lost and (_shared_figures(x, y, word) >= CODE_FIGURES or _goes_on_behind_digit(x, y, word)):
            bad |= DIGIT
            continue
        numbers = kind[word] & NUMBER or (other >= 0 and y.kind[other] & NUMBER)
        if (figures and (numbers or gone)) or (kind[word] & NUMBER and other >= 0 and y.kind[other] & NUMBER):
            bad |= DIGIT
            continue
        theirs = y.df[other] if other >= 0 else np.uint32(0)
        rare, common = min(df[word], theirs), max(df[word], theirs)
        facts = kind[word] & FACT or (other >= 0 and y.kind[other] & FACT)
        both = other >= 0 and kind[word] & y.kind[other] & FACT
        slip = theirs if kind[word] & FACT else df[word]
        across = y.words[other + 1] - y.words[other] if other >= 0 else 0
        rarer = COMMON_FACTOR**2 if size <= FEW_LETTERS else COMMON_FACTOR
        sure = common >= COMMON_DOCUMENTS and common >= rarer * rare
        named = other >= 0 and kind[word] & y.kind[other] & NAME
        naming = kind[word] & NAME or (other >= 0 and y.kind[other] & NAME)
        most = max(1.0, size / WORN_LETTERS)
        most = min(most, ALONE_LETTERS) if alone else most
        vowels = _has_lost_vowels(x, word)
        another = _begins_otherwise(x, word) or _is_worn_twice(x, y, word)
        if not vowels and (another or _are_identifiers(x, y, word, other)):
            bad |= CHANGED
        elif rare == 0 and not facts and (size < SHORT_LETTERS or naming):
            changed += 1  # nobody knows how rare a word in disguise is
            bad |= CHANGED * (lost > most)
        elif (
            vowels
            and other >= 0
            and is_unsayable(
                y.letters[y.words[other] : y.words[other + 1]] & CODE, letters[words[word] : words[word + 1]] & CODE
            )
        ):
            proven += not facts or size >= 5
            bad |= FACT_CHANGED if facts and size < 5 else 0
        elif vowels and size >= (5 if both else 4):
            guessed += not sure
            proven += rare < KNOWN_DOCUMENTS
            changed += rare >= KNOWN_DOCUMENTS
        elif facts and (size < 4 or lost > 1 or slip >= KNOWN_DOCUMENTS or abs(across - size) > 2 or both):
            bad |= FACT_CHANGED
        elif rare >= KNOWN_DOCUMENTS:
            changed += 1
            bad |= CHANGED * (lost > most)
        elif lost > most or (named and lost > 1) or (alone and lost + swapped / 2 > most):
            bad |= CHANGED
        elif sure or vowels or (swapped and lost == 0):
            guessed += not sure and lost > 0
            proven += 1
        elif kind[word] & NAME or size < SHORT_LETTERS:
            guessed += 1
            changed += 1
        else:
            guessed += 1
            proven += 1
    in_two_languages = guessed >= GUESSED and 2 * guessed >= _spoken_words(x)
    return bad | CHANGED * (changed > proven or in_two_languages)


@lean
def _spoken_words(x: Side) -> int:
    """Words of a text that are no numbers, and of no address."""
    count = 0
    for word in range(x.fate.size):
        count += not x.kind[word] & (NUMBER | ADDRESS)
    return count


@lean
def lost_letters(x: Side) -> float:
    """Letters without mate in worn words, vowels counted half."""
    count = 0.0
    for word in range(x.fate.size):
        if x.fate[word] == WORN:
            for at in range(x.words[word], x.words[word + 1]):
                if x.how[at] == 0 and not x.letters[at] & OPTIONAL:
                    count += 0.5 if is_vowel(x.letters[at]) else 1.0
    return count


@lean
def _losses(x: Side, word: int) -> tuple[int, float, int, int, bool]:
    """Letters of a worn word, how many it lost, how many changed places, how many digits it lost, and any wholly?"""
    size, lost, swapped, figures, gone = 0, 0.0, 0, 0, False
    for at in range(x.words[word], x.words[word + 1]):
        letter, how = x.letters[at], x.how[at]
        if letter & OPTIONAL:
            continue
        size += 1
        swapped += how == SWAPPED
        if how != SAME and how != SWAPPED:
            lost += 0.5 if is_vowel(letter) and how == 0 else 1.0
            figures += (letter & FIGURE) != 0
            gone |= how == 0 and letter & FIGURE != 0
    return size, lost, swapped, figures, gone


@lean
def _shared_figures(x: Side, y: Side, word: int) -> int:
    """Digits of a word that are digits in the other text, too."""
    figures = 0
    for at in range(x.words[word], x.words[word + 1]):
        figures += x.mate[at] >= 0 and x.letters[at] & FIGURE and y.letters[x.mate[at]] & FIGURE != 0
    return figures


@lean
def _goes_on_behind_digit(x: Side, y: Side, word: int) -> bool:
    """Has a word letters behind a digit with which it ends in the other text, as "mips6el" has beside "mips6"?"""
    last = x.words[word + 1] - 1
    at = last
    while at > x.words[word] and x.how[at] == 0:
        at -= 1
    return bool(at < last and x.mate[at] >= 0 and x.letters[at] & y.letters[x.mate[at]] & FIGURE)


@lean
def _begins_otherwise(x: Side, word: int) -> bool:
    """Has a word other letters in front, two and more, as "unlikely" has or "exclude" beside "include"?"""
    start, stop = x.words[word], x.words[word + 1]
    while start < stop and x.letters[start] & OPTIONAL:
        start += 1
    size = 0
    while start + size < stop and (x.how[start + size] == 0 or x.how[start + size] == SLIP):
        size += 1
    for at in range(start + size, stop):
        if x.how[at] != SAME:
            return False
    return size >= 2


@lean
def _is_worn_twice(x: Side, y: Side, word: int) -> bool:
    """Does a word stand twice, and the same other word for it both times? Slips are not made twice alike."""
    other = _counterpart(x, y, word)
    for again in range(x.fate.size if other >= 0 else 0):
        if again == word or x.fate[again] != x.fate[word] or not _same_word(x, word, again):
            continue
        there = _counterpart(x, y, again)
        if there >= 0 and there != other and _same_word(y, other, there):
            return True
    return False


@lean
def _is_swapped(x: Side, word: int) -> bool:
    """Has a word letters that changed places?"""
    for at in range(x.words[word], x.words[word + 1]):  # noqa: SIM110, numba has no generators
        if x.how[at] == SWAPPED:
            return True
    return False


@lean
def _is_initials(x: Side, word: int) -> bool:
    """Is a word two capitals, as "QR" beside "RQ"?"""
    capitals = others = 0
    for at in range(x.words[word], x.words[word + 1]):
        capitals += x.letters[at] & CAPITAL != 0
        others += x.letters[at] & (CAPITAL | OPTIONAL) == 0
    return capitals == INITIALS and not others


@lean
def _same_word(x: Side, one: int, other: int) -> bool:
    """Are two words of a text the same letter by letter, or forms of one: does the longer begin with the other?"""
    start, across = x.words[one], x.words[other]
    size, rest = x.words[one + 1] - start, x.words[other + 1] - across
    if size != rest and min(size, rest) < STEM:
        return False
    for at in range(min(size, rest)):  # noqa: SIM110, numba has no generators
        if (x.letters[start + at] ^ x.letters[across + at]) & CODE:
            return False
    return True


@lean
def _is_regional(x: Side, y: Side, word: int, other: int) -> bool:
    """Are a word and its counterpart one in British and American spelling?"""
    start, stop = np.int64(x.words[word]), np.int64(x.words[word + 1])
    across, end = np.int64(y.words[other]), np.int64(y.words[other + 1])
    return bool(is_regional(x.letters, start, stop, y.letters, across, end))


@lean
def _is_identifier(x: Side, word: int) -> bool:
    """Has a word capitals behind its first letter, and small ones, as the names of programs and products have?"""
    inner = small = False
    for at in range(x.words[word], x.words[word + 1]):
        capital = x.letters[at] & CAPITAL != 0
        inner |= capital and at > x.words[word]
        small |= not capital and x.letters[at] & OPTIONAL == 0
    return inner and small


@lean
def _are_identifiers(x: Side, y: Side, word: int, other: int) -> bool:
    """Are a word and its counterpart identifiers of two things, or of one, with capitals in the same places?"""
    if other < 0 or not _is_identifier(x, word) or not _is_identifier(y, other):
        return False
    start, stop, across, across_stop = x.words[word], x.words[word + 1], y.words[other], y.words[other + 1]
    if is_other_identifier(x.letters, start, stop, y.letters, across, across_stop, CODE):
        return True
    for at in range(x.words[word], x.words[word + 1]):
        if x.how[at] == SAME and x.mate[at] >= 0 and (x.letters[at] ^ y.letters[x.mate[at]]) & CAPITAL:
            return False
    return True


@lean
def _has_lost_vowels(x: Side, word: int) -> bool:
    """Are all letters that a word lost vowels?"""
    for at in range(x.words[word], x.words[word + 1]):
        if x.how[at] != SAME and not x.letters[at] & OPTIONAL and (x.how[at] or not is_vowel(x.letters[at])):
            return False
    return True


@lean
def _counterpart(x: Side, y: Side, word: int) -> int:
    """The word of y in which most letters of a word of x have their mates; -1 if none has one."""
    best, most, held, count = -1, 0, -1, 0
    for at in range(x.words[word], x.words[word + 1]):
        if x.mate[at] < 0:
            continue
        there = np.searchsorted(y.words, x.mate[at], side="right") - 1
        count = count + 1 if there == held else 1
        held = there
        if count > most:
            best, most = held, count
    return best
