"""A batch of texts as the rules on facts read it."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.decision.lexicon import Lexicon, class_of, lexicon
from models.decision.script import Script
from models.decision.signs import signs
from models.lexical.features import Features
from models.lexical.unicode_table import KIND, LETTER, SPACE
from models.lexical.words import SENTENCE


class Book(NamedTuple):
    """A batch of texts, flat over the batch.

    Attributes:
        text: words and codes, see `Script`.
        marks: uint8[total], of the codes.
        line: int32[w], line of each word in its text.
        pointers: int64[n + 1], document d owns the words `pointers[d]:pointers[d + 1]`.
        before: int64[w], first code of the text that each word stands in; beyond: the code behind its last.
        beyond: see before.
        signs: uint8[w], see `models.decision.signs`.
        known: the listed words.
    """

    text: Script
    marks: NDArray[np.uint8]
    line: NDArray[np.int32]
    pointers: NDArray[np.int64]
    before: NDArray[np.int64]
    beyond: NDArray[np.int64]
    signs: NDArray[np.uint8]
    known: Lexicon


def book(features: Features, text: Script) -> Book:
    """Gather what the rules on facts need of a batch.

    Args:
        features: of n documents.
        text: the same texts as a `Script`.
    """
    words, marks = features.words, features.normalised.marks
    signed = signs(features.normalised, words)
    sizes, edges = np.diff(words.pointers), features.normalised.pointers
    before, beyond = np.repeat(edges[:-1], sizes), np.repeat(edges[1:], sizes)
    return Book(text, marks, words.line, words.pointers, before, beyond, signed, lexicon())


@njit(cache=True, nogil=True)
def kind_of(book: Book, word: int) -> np.uint32:
    """Bits of the class of a word, see `models.decision.lexicon`."""
    kind: np.uint32 = class_of(book.known, book.text.hash[word])
    return kind


@njit(cache=True, nogil=True)
def behind(book: Book, word: int) -> int:
    """The code directly behind a word; 32 where nothing or white space follows."""
    at = book.text.end[word]
    return int(book.text.codes[at]) if at < book.beyond[word] and book.marks[at] & KIND != SPACE else 32


@njit(cache=True, nogil=True)
def ahead(book: Book, word: int, first: int) -> int:
    """The code directly before a word of the text that begins with the word `first`; 32 for white space or none."""
    at = book.text.start[word] - 1
    if at < book.before[word] or (word > first and at < book.text.end[word - 1]) or book.marks[at] & KIND == SPACE:
        return 32
    return int(book.text.codes[at])


@njit(cache=True, nogil=True)
def joins(book: Book, word: int, last: int) -> int:
    """The one code that stands between a word and the next one; 0 where there is more, none, or a blank.

    `last` is the last word of the text.
    """
    if word >= last or book.text.start[word + 1] != book.text.end[word] + 1:
        return 0
    code = behind(book, word)
    return 0 if code == 32 else code


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def is_letters(book: Book, word: int) -> bool:
    """Whether a word begins with a letter of a script written with spaces."""
    return bool(book.marks[book.text.start[word]] & KIND == LETTER)
