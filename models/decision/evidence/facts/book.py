"""Book of facts: a batch of texts as the rules on facts read it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.facts.lexicon import FUNCTION, FUNCTION_HERE, Lexicon, lexicon
from models.decision.evidence.facts.signs import signs
from models.decision.evidence.spelling.letters import Script
from models.kernels.jit import inlined, lean
from models.lexical.sketch.features import Features
from models.lexical.text.unicode_table import KIND, SPACE
from models.lexical.text.words import HAS_DIGIT, SENTENCE

UNTOLD = 255


class Book(NamedTuple):
    """A batch of texts, flat over the batch.

    Attributes:
        text: words and codes, see `Script`.
        marks: uint8[total], of the codes.
        line: int32[w], line of each word in its text.
        before: int64[w], first code of the text that each word stands in; beyond: the code behind its last.
        beyond: see before.
        signs: uint8[w], see `models.decision.evidence.facts.signs`.
        classes: uint32[w], bits of each word, see `models.decision.evidence.facts.lexicon.classes_of`.
        told: uint8[w], what `models.decision.evidence.facts.volatile` said of each word, `UNTOLD` before: most
            pairs of a hot spot ask about the same words.
        known: the listed words.
    """

    text: Script
    marks: NDArray[np.uint8]
    line: NDArray[np.int32]
    before: NDArray[np.int64]
    beyond: NDArray[np.int64]
    signs: NDArray[np.uint8]
    classes: NDArray[np.uint32]
    told: NDArray[np.uint8]
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
    return Book(text, marks, words.line, before, beyond, signed, classes, told, lexicon())


@inlined
def kind_of(book: Book, word: int) -> np.uint32:
    """Bits of the class of a word, see `models.decision.evidence.facts.lexicon`."""
    return book.classes[word]  # type: ignore[no-any-return]


@lean
def has_digit(book: Book, word: int) -> bool:
    """Whether a word holds a digit."""
    return bool(book.text.flags[word] & HAS_DIGIT != 0)


@inlined
def is_function(book: Book, word: int) -> bool:
    """Whether a word is an article, pronoun, conjunction or the like of any language."""
    return book.classes[word] & FUNCTION != 0  # type: ignore[no-any-return]


@inlined
def is_function_here(book: Book, word: int) -> bool:
    """Whether it is one of a language of its text."""
    return book.classes[word] & FUNCTION_HERE != 0  # type: ignore[no-any-return]


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
