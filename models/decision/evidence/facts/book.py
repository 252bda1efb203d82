"""Book of facts: a batch of texts as the rules on facts read it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.facts.lexicon import FUNCTION, Lexicon, class_of, lexicon, spoken_in
from models.decision.evidence.facts.signs import signs
from models.decision.evidence.spelling.letters import Script
from models.kernels.jit import inlined, lean
from models.languages import languages
from models.lexical.sketch.features import Features
from models.lexical.text.unicode_table import KIND, SPACE
from models.lexical.text.words import HAS_DIGIT, SENTENCE

UNTOLD = 255
LOOKED_AT, FEWEST, SHARE = 128, 3, 0.5
"""Words of a text that tell its languages; function words of one language at least for it to be told; and of a language
beside the one with most: English has some German ones ("war", "die", "man"), and few in all."""
_LANGUAGES = len(languages())


class Book(NamedTuple):
    """A batch of texts, flat over the batch.

    Attributes:
        text: words and codes, see `Script`.
        marks: uint8[total], of the codes.
        line: int32[w], line of each word in its text.
        pointers: int64[n + 1], document d owns the words `pointers[d]:pointers[d + 1]`.
        before: int64[w], first code of the text that each word stands in; beyond: the code behind its last.
        beyond: see before.
        signs: uint8[w], see `models.decision.evidence.facts.signs`.
        classes: uint32[w], bits of each word, see `models.decision.evidence.facts.lexicon.classes_of`.
        told: uint8[w], what `models.decision.evidence.facts.volatile` said of each word, `UNTOLD` before: most
            pairs of a hot spot ask about the same words.
        languages: uint32[n], bits of the languages of each text, see `languages_of`; 0 before that was asked.
        room: int32[l], in which function words are counted.
        known: the listed words.
    """

    text: Script
    marks: NDArray[np.uint8]
    line: NDArray[np.int32]
    pointers: NDArray[np.int64]
    before: NDArray[np.int64]
    beyond: NDArray[np.int64]
    signs: NDArray[np.uint8]
    classes: NDArray[np.uint32]
    told: NDArray[np.uint8]
    languages: NDArray[np.uint32]
    room: NDArray[np.int32]
    known: Lexicon


def book(features: Features, text: Script, classes: NDArray[np.uint32]) -> Book:
    """Gather what the rules on facts need of a batch.

    Args:
        features: of n documents.
        text: the same texts as a `Script`.
        classes: uint32[w], of their words, from `models.decision.evidence.facts.lexicon.classes_of`.
    """
    words, marks = features.words, features.normalised.marks
    signed = signs(features.normalised, words)
    sizes, edges = np.diff(words.pointers), features.normalised.pointers
    before, beyond = np.repeat(edges[:-1], sizes), np.repeat(edges[1:], sizes)
    told = np.full(len(classes), UNTOLD, np.uint8)
    spoken, room = np.zeros(len(sizes), np.uint32), np.zeros(_LANGUAGES, np.int32)
    beside = told, spoken, room, lexicon()
    return Book(text, marks, words.line, words.pointers, before, beyond, signed, classes, *beside)


@inlined
def kind_of(book: Book, word: int) -> np.uint32:
    """Bits of the class of a word, see `models.decision.evidence.facts.lexicon`."""
    return book.classes[word]  # type: ignore[no-any-return]


@lean
def has_digit(book: Book, word: int) -> bool:
    """Whether a word holds a digit."""
    return bool(book.text.flags[word] & HAS_DIGIT != 0)


@lean
def is_function(book: Book, word: int) -> bool:
    """Whether a word is an article, pronoun, conjunction or the like of any language."""
    return bool(class_of(book.known, book.text.hash[word]) & FUNCTION != 0)


@lean
def is_function_here(book: Book, word: int) -> bool:
    """Whether it is one of a language of its text, which costs more to tell."""
    spoken = spoken_in(book.known, book.text.hash[word])
    return bool(spoken != 0 and spoken & languages_of(book, word) != 0)


@lean
def languages_of(book: Book, word: int) -> np.uint32:
    """Bits of the languages that the text of a word may be in, by its function words; all, where it has few."""
    row = np.searchsorted(book.pointers, word, side="right") - 1
    if book.languages[row] == 0:
        book.languages[row] = _told(book, book.pointers[row], book.pointers[row + 1])
    return book.languages[row]  # type: ignore[no-any-return]


@lean
def _told(book: Book, first: int, stop: int) -> np.uint32:
    """Bits of the languages of a text `first:stop`."""
    counts = book.room
    for bit in range(_LANGUAGES):
        counts[bit] = 0
    for at in range(first, min(first + LOOKED_AT, stop)):
        spoken = spoken_in(book.known, book.text.hash[at])
        for bit in range(_LANGUAGES if spoken else 0):
            counts[bit] += (spoken >> np.uint32(bit)) & np.uint32(1)
    most = 0
    for bit in range(_LANGUAGES):
        most = max(most, counts[bit])
    found = np.uint32(0)
    for bit in range(_LANGUAGES):
        if most < FEWEST or counts[bit] >= SHARE * most:
            found |= np.uint32(1) << np.uint32(bit)
    return np.uint32(found)


@lean
def behind(book: Book, word: int) -> int:
    """The code directly behind a word; 32 where nothing or white space follows."""
    at = book.text.end[word]
    return int(book.text.codes[at]) if at < book.beyond[word] and book.marks[at] & KIND != SPACE else 32


@lean
def ahead(book: Book, word: int, first: int) -> int:
    """The code directly before a word of the text that begins with the word `first`; 32 for white space or none."""
    at = book.text.start[word] - 1
    if at < book.before[word] or (word > first and at < book.text.end[word - 1]) or book.marks[at] & KIND == SPACE:
        return 32
    return int(book.text.codes[at])


@lean
def joins(book: Book, word: int, last: int) -> int:
    """The one code that stands between a word and the next one; 0 where there is more, none, or a blank.

    `last` is the last word of the text.
    """
    if word >= last or book.text.start[word + 1] != book.text.end[word] + 1:
        return 0
    code = behind(book, word)
    return 0 if code == 32 else code


@lean
def sentence_of(book: Book, word: int, first: int, stop: int, most: int) -> tuple[int, int]:
    """First word of the sentence or line of a word, and the word behind its last, at most `most` words away.

    The text is `first:stop`.
    """
    begin = word
    while begin > first and word - begin < most and not book.text.flags[begin] & SENTENCE:
        begin -= 1
    end = word + 1
    while end < stop and end - word < most and not book.text.flags[end] & SENTENCE:
        end += 1
    return begin, end
