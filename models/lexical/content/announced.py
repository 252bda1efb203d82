"""Announced lists: what stands below "You may also like" beside a text, titles of other pages and how these begin."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hash_set import holds
from models.kernels.jit import kernel, lean
from models.lexical.text.normalisation import Normalised
from models.lexical.text.phrase_sets import listed_phrases, phrase_hash
from models.lexical.text.unicode_table import KIND, SPACE
from models.lexical.text.words import Words

_LABEL, _TITLE, _BEGINNING = 10, 12, 40
"""Words at most of a line that announces a list, of a title, and of a beginning; letters, where no blanks part them."""
_LINES, _OMITTED = 30, 3
"""Lines of such a list at most, and dots with which a text breaks off."""
_ENDS, _DOT, _COLON = tuple(map(ord, ".!?;。！？")), ord("."), ord(":")


def announced(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Tell which words stand in a list that a line of its own announces.

    The list ends after `_LINES` lines, or before the first line that is longer than a title, ends with a colon, or ends
    like a sentence and does not break off ("The mayor said on ..."); a title may be a question.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    found: NDArray[np.bool_] = _announced(normalised, words, listed_phrases("announcing"))
    return found


@kernel
def _announced(normalised: Normalised, words: Words, known: NDArray[np.uint64]) -> NDArray[np.bool_]:
    line, pointers = words.line, words.pointers
    found = np.zeros(len(line), np.bool_)
    for document in range(len(pointers) - 1):
        word, stop, last = pointers[document], pointers[document + 1], normalised.pointers[document + 1]
        left = 0  # lines that may still follow
        while word < stop:
            begin = word
            while word < stop and line[word] == line[begin]:
                word += 1
            if word - begin <= _LABEL and holds(known, phrase_hash(words.hash, begin, word)):
                found[begin:word], left = True, _LINES
            elif left > 0 and _is_item(normalised, words, begin, word, last):
                found[begin:word], left = True, left - 1
            else:
                left = 0
    return found


@lean
def _is_item(normalised: Normalised, words: Words, begin: int, stop: int, last: int) -> bool:
    """Whether a line is a title, or the beginning of a page that breaks off; behind "Ann says:" somebody speaks."""
    at, size = words.end[stop - 1], stop - begin
    behind = words.start[stop] if stop < len(words.start) and words.start[stop] < last else last
    stops, ends, said = 0, False, False
    while at < behind:
        if normalised.marks[at] & KIND != SPACE:
            stops += normalised.codes[at] == _DOT
            ends |= normalised.codes[at] in _ENDS
            said = normalised.codes[at] == _COLON
        at += 1
    if stops >= _OMITTED:
        return bool(size <= _BEGINNING)
    return bool(size <= _TITLE and not said and not (ends and stops))
