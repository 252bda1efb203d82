"""Prose and code: the words of a text that say something, not those of menus, bylines, headlines and lists of links."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.lexical.normalisation import Normalised
from models.lexical.words import CAPITAL, Words

LINE_WORDS = 8
"""Words of a line of prose at least; menus, bylines and most headlines are shorter."""
_STOPS = tuple(map(ord, ".!?…。।؟"))
_BLANK = np.uint32(ord(" "))
_SIGNS = np.isin(np.arange(128), [ord(sign) for sign in "{};=<>[]_$\\`"])
"""Of code; two of them in a line make a line of code."""


def prose(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Tell which words stand in prose.

    A line is prose if it has `LINE_WORDS` words or more, less than half of them with a capital, and a sentence ends in
    it or in such a line directly before or behind it, as in a paragraph that was wrapped.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    found: NDArray[np.bool_] = _prose(
        normalised.codes, normalised.pointers, words.end, words.flags, words.line, words.pointers
    )
    return found


@njit(cache=True, nogil=True)
def _prose(
    codes: NDArray[np.uint32],
    code_pointers: NDArray[np.int64],
    end: NDArray[np.int64],
    flags: NDArray[np.uint8],
    line: NDArray[np.int32],
    pointers: NDArray[np.int64],
) -> NDArray[np.bool_]:
    found = np.zeros(len(end), np.bool_)
    for document in range(len(pointers) - 1):
        stop, last = pointers[document + 1], code_pointers[document + 1]
        word = pointers[document]
        # of the paragraph at hand: where it began, the line behind its last, whether a sentence ended in it
        paragraph, next_line, ended = word, np.int32(-1), False
        while word < stop:
            begin, capitals, stops = word, 0, False
            while word < stop and line[word] == line[begin]:
                capitals += (flags[word] & CAPITAL) != 0
                stops |= _ends_sentence(codes, end[word], last)
                word += 1
            wordy = word - begin >= LINE_WORDS and 2 * capitals < word - begin
            if not wordy or line[begin] != next_line:
                found[paragraph:begin] = ended
                paragraph, ended = begin, False
            if not wordy:
                paragraph = word
                next_line = np.int32(-1)
                continue
            ended |= stops
            next_line = line[begin] + 1
        found[paragraph:stop] = ended
    return found


def code(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Tell which words stand in lines of code or of a table of values.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    found: NDArray[np.bool_] = _code(
        normalised.codes, normalised.pointers, words.start, words.end, words.line, words.pointers
    )
    return found


@njit(cache=True, nogil=True)
def _code(
    codes: NDArray[np.uint32],
    code_pointers: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    line: NDArray[np.int32],
    pointers: NDArray[np.int64],
) -> NDArray[np.bool_]:
    found = np.zeros(len(end), np.bool_)
    for document in range(len(pointers) - 1):
        stop = pointers[document + 1]
        word = pointers[document]
        while word < stop:
            begin, signs = word, 0
            while word < stop and line[word] == line[begin]:
                behind = start[word + 1] if word + 1 < stop else code_pointers[document + 1]
                for at in range(end[word], behind):
                    signs += codes[at] < 128 and _SIGNS[codes[at]]
                word += 1
            found[begin:word] = signs >= 2
    return found


@njit(cache=True, nogil=True)
def _ends_sentence(codes: NDArray[np.uint32], at: int, last: int) -> bool:
    """Is the word before `at` followed by a full stop, and that by a blank, a closing quote or the end?"""
    if at + 1 < last and codes[at] == _BLANK:  # a tokenised text
        at += 1
    if at >= last or codes[at] not in _STOPS:
        return False
    behind = codes[at + 1] if at + 1 < last else _BLANK
    return bool(behind <= _BLANK or behind > 127 or behind in (34, 39, 41, 93))
