"""Statements of words that are no numbers: names, identifiers, negations, opposites, in place of other ones."""

import numpy as np

from models.decision.evidence.alignment.place import Document, Place, size
from models.decision.evidence.facts.book import Book, ahead, behind, is_function, is_function_here, joins, kind_of
from models.decision.evidence.facts.exchanges.amounts import is_counted, is_misspelt
from models.decision.evidence.facts.exchanges.content_words import APOSTROPHES, SIMILAR
from models.decision.evidence.facts.exchanges.frames import is_set_off
from models.decision.evidence.facts.exchanges.subjects.titles import in_title
from models.decision.evidence.facts.kinds import is_contracted
from models.decision.evidence.facts.lexicon import BOUND, BOUNDING, GROUPED, NEGATION, QUALIFIER, exclude
from models.decision.evidence.facts.slips import is_inflected, is_misread, is_slip
from models.decision.evidence.facts.terms import (
    in_mail_address,
    is_caseless,
    is_foreign,
    is_katakana,
    is_respelt,
    is_term,
)
from models.decision.evidence.spelling.letters import same_codes
from models.decision.evidence.spelling.levenshtein import letter_similarity
from models.kernels.jit import lean
from models.lexical.text.unicode_table import CASELESS, KIND, LETTER, UPPER
from models.lexical.text.words import CAPITAL, HAS_DIGIT, SENTENCE

NOTHING, SAID, NAMED = range(3)
_AT, _A, _P = ord("@"), ord("a"), ord("p")
_SAMPLE = 2000
"""Words by which the use of capitals is told."""
_DENYING = dict.fromkeys(("un", "in", "im", "il", "ir", "non", "dis", "anti"), 4) | {"a": 9, "de": 6}
"""Prefixes that deny, and the letters behind each at least: "awaken" and "depart" deny nothing, "asynchronous" and
"deactivate" do."""
_PREFIXES = np.array([[*map(ord, prefix), *[0] * (4 - len(prefix))] for prefix in _DENYING], np.uint32)
_LEAST = np.array([*_DENYING.values()])
_FEWEST = min(_DENYING.values())


@lean
def has_term(book: Book, place: Place) -> bool:
    """Whether one of some words is part of an identifier."""
    found = False
    for at in range(place.begin, place.stop):
        found |= is_term(book, at, place.document.first, place.document.stop)
    return found


@lean
def holds_at(book: Book, place: Place) -> bool:
    """Whether an "@" stands between some words, as in an address of mail and not in its mask, "[email protected]"."""
    found = False
    if size(place):
        for at in range(book.text.end[place.begin], book.text.start[place.stop - 1]):
            found |= book.text.codes[at] == _AT
    return found


@lean
def denies(book: Book, place: Place) -> bool:
    """Whether one of some words is a negation."""
    denied = False
    for at in range(place.begin, place.stop):
        denied |= _is_denial(book, at)
    return denied


@lean
def _is_denial(book: Book, word: int) -> bool:
    """Whether a word is a negation or part of one."""
    return bool(kind_of(book, word) & NEGATION or _is_contracted(book, word))


@lean
def _is_contracted(book: Book, word: int) -> bool:
    """The "t" of "can't"."""
    start, end = book.text.start[word], book.text.end[word]
    return bool(end - start == 1 and book.text.codes[start] == ord("t") and is_contracted(book.text.codes, start))


@lean
def _goes_on(book: Book, place: Place, word: int) -> bool:
    """Whether a letter put in makes another word of the katakana around it: "キロ" before "メートル"."""
    text, begin, stop = book.text, place.begin, place.stop
    if not is_katakana(text.codes[text.start[word]]):
        return False
    before = begin > place.document.first and text.end[begin - 1] == text.start[begin]
    if before and is_katakana(text.codes[text.start[begin - 1]]):
        return True
    after = stop < place.document.stop and text.end[stop - 1] == text.start[stop]
    return bool(after and is_katakana(text.codes[text.start[stop]]))


@lean
def states_other(book: Book, word: int, kind: np.uint32, one: Place, other: Place, denied: bool) -> int:
    """Whether a word that is no number says what the words of the other side do not, and whether only as a name."""
    text, a, b = book.text, one.document, other.document
    replaces = size(other) > 0
    for at in range(other.begin, other.stop):
        if text.hash[at] == text.hash[word]:
            return NOTHING
    if denied and _is_denial(book, word):
        return NOTHING if is_misspelt(book, word, other) else SAID
    if kind & QUALIFIER:
        return SAID
    if not replaces and _goes_on(book, one, word):
        return SAID
    if kind & BOUND and not replaces and word > a.first and kind_of(book, word - 1) & BOUNDING:
        return SAID
    if _is_bound(book, word, one.stop):
        for at in range(other.begin, other.stop):
            if _is_bound(book, at, other.stop):
                return SAID
    if size(one) == 1 and size(other) == 1 and is_counted(book, one.begin, other.begin, a, b):
        return SAID
    joined = ahead(book, word, a.first) != 32 or behind(book, word) != 32
    if is_term(book, word, a.first, a.stop) and (replaces or (joined and text.end[word] - text.start[word] > 1)):
        return SAID
    titled = replaces and in_title(book, word, a) and not is_function(book, word)
    named, caseless = titled or _is_named(book, word, kind), is_caseless(book, word) and not is_function(book, word)
    # Of what replaced it, one word must say something else; a word that is spelt a little otherwise says the same.
    replaced = False
    for at in range(other.begin, other.stop):
        stated = False
        for own in range(one.begin, one.stop):
            stated |= text.hash[own] == text.hash[at]
        if stated:
            continue
        across = kind_of(book, at)
        if kind & GROUPED and across & GROUPED and exclude(book.known, text.hash[word], text.hash[at]):
            return SAID
        opposed = is_opposite_form(book, word, at) or is_opposite_form(book, at, word)
        if opposed or _is_other_half(book, word, at, a.stop, b.stop) or _is_other_letter(book, word, at):
            return SAID
        if named and (titled or _is_named(book, at, across)):
            if is_respelt(book, word, at) or is_slip(text, word, at, a.vocabulary, b.vocabulary):
                return NOTHING
            if _is_near(book, word, at, a):
                return NOTHING
            replaced = True
        replaced |= _is_letter_for_name(book, word, at) or _is_letter_for_name(book, at, word)
        if in_mail_address(book, word) and in_mail_address(book, at):
            return SAID
        if caseless and is_caseless(book, at) and not is_function(book, at):
            if is_slip(text, word, at, a.vocabulary, b.vocabulary):
                return NOTHING
            replaced = True
    return NAMED if replaced else NOTHING


@lean
def _is_bound(book: Book, word: int, stop: int) -> bool:
    """Whether "more than", "up to" or the like begins at a word and ends before another one."""
    return bool(word + 1 < stop and kind_of(book, word) & BOUNDING and kind_of(book, word + 1) & BOUND)


@lean
def _is_named(book: Book, word: int, kind: np.uint32) -> bool:
    """Whether a word may be a name: by its capital, at the beginning of a sentence only where it is no small word.

    Beside letters of a script without capitals it needs none.
    """
    flags = book.text.flags[word]
    if is_foreign(book, word):
        return True
    if not flags & CAPITAL or book.text.end[word] - book.text.start[word] < 2:
        return False
    # "MIT" is a small word of German.
    if is_function(book, word) and not (_is_loud(book, word) and not _is_loud(book, word - 1)):
        return False
    # A small word, or a label such as "UPDATE:".
    return flags & SENTENCE == 0 or (kind & ~np.uint32(GROUPED) == 0 and not is_set_off(book, word))


@lean
def _is_loud(book: Book, word: int) -> bool:
    """Whether a word of several letters is all capitals."""
    if word < 0 or book.text.end[word] - book.text.start[word] < 2:
        return False
    for at in range(book.text.start[word], book.text.end[word]):  # noqa: SIM110, numba has no generators
        if not book.marks[at] & UPPER:
            return False
    return True


@lean
def _is_letter_for_name(book: Book, word: int, other: int) -> bool:
    """Whether a word is a lone capital, as in "the C library", and the other one a name that does not begin with it.

    A letter with a dot is an initial.
    """
    if not (_is_lone_letter(book, word) and book.text.flags[word] & CAPITAL) or behind(book, word) == ord("."):
        return False
    named = _is_named(book, other, kind_of(book, other))
    return bool(named and book.text.codes[book.text.start[word]] != book.text.codes[book.text.start[other]])


@lean
def _is_near(book: Book, word: int, other: int, document: Document) -> bool:
    """Whether two words with capitals may be one in a text that does not keep capitals for names.

    Where nouns have them, as in German, they may differ by an ending; where most words have them, by a few letters.
    """
    inner = capitals = 0
    for at in range(document.first, min(document.stop, document.first + _SAMPLE)):
        if not book.text.flags[at] & (SENTENCE | HAS_DIGIT):
            inner += 1
            capitals += book.text.flags[at] & CAPITAL != 0
    if 5 * capitals > inner and is_inflected(book.text, word, other):
        return True
    return 2 * capitals > inner and letter_similarity(book.text, word, word + 1, other, other + 1) >= SIMILAR


@lean
def is_opposite_form(book: Book, word: int, other: int) -> bool:
    """Whether one word is the other with a prefix that denies it: "unsafe", "illegal", "non-free", "asynchronous"."""
    start, size = book.text.start[word], book.text.end[word] - book.text.start[word]
    across, rest = book.text.start[other], book.text.end[other] - book.text.start[other]
    prefix = size - rest
    if rest < _FEWEST or not 0 < prefix < 5:
        return False
    if not same_codes(book.text, start + prefix, across, rest):
        return False
    for row in range(len(_PREFIXES)):
        same = rest >= _LEAST[row]
        for at in range(4):
            code = book.text.codes[start + at] if at < prefix else np.uint32(0)
            same &= code == _PREFIXES[row, at]
        if same:
            return True
    return False


@lean
def _is_other_half(book: Book, word: int, other: int, stop: int, other_stop: int) -> bool:
    """Whether two words are the "a" of "a.m." and the "p" of "p.m."."""
    codes, start = book.text.codes, book.text.start
    one, across = codes[start[word]], codes[start[other]]
    if not ((one == _A and across == _P) or (one == _P and across == _A)):
        return False
    return bool(_is_half(book, word, stop) and _is_half(book, other, other_stop))


@lean
def _is_other_letter(book: Book, word: int, other: int) -> bool:
    """Whether two letters that stand alone are two things, as of vitamins or gates; no slip of a scanner."""
    if not _is_lone_letter(book, word) or not _is_lone_letter(book, other):
        return False
    ours, theirs = book.text.words[word], book.text.words[other]
    return not is_misread(book.text.letters, ours.first, ours.behind, theirs.first, theirs.behind)


@lean
def _is_lone_letter(book: Book, word: int) -> bool:
    """Whether a word is one letter that names something: no small word, contraction or first word of a sentence."""
    text, at = book.text, book.text.start[word]
    if text.end[word] != at + 1 or book.marks[at] & KIND != LETTER or text.codes[at] >= CASELESS:
        return False
    if text.flags[word] & SENTENCE or (is_function_here(book, word) and not text.flags[word] & CAPITAL):
        return False
    return ahead(book, word, word) not in APOSTROPHES and behind(book, word) not in APOSTROPHES


@lean
def _is_half(book: Book, word: int, stop: int) -> bool:
    """Whether a letter and a dot stand before an "m"."""
    text = book.text
    if text.end[word] - text.start[word] != 1 or joins(book, word, stop - 1) != ord("."):
        return False
    return bool(text.end[word + 1] - text.start[word + 1] == 1 and text.codes[text.start[word + 1]] == ord("m"))
