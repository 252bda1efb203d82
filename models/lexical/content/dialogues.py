"""Dialogues and records: turns behind labels that come again ("Teacher:", "Student:"), all of which say something."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel, lean
from models.lexical.text.normalisation import Normalised
from models.lexical.text.unicode_table import CASELESS
from models.lexical.text.words import Words

LABEL_WORDS, LABELS = 3, 8
"""Words of a label, and labels of one text, at most: what has more is a document with headings."""
_AGAIN, _TWICE = 2, np.int64(2)
"""Labels that come twice and more at least; and how often each comes on average."""
_COLON, _BLANK = ord(":"), ord(" ")
_BEFORE = tuple(map(ord, ' *#>["'))
_EMPHASIS = ord("*")
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@kernel
def turns(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Tell which words stand in the turns of a dialogue, or the fields of records that come again and again.

    A label is up to `LABEL_WORDS` words in front of a line with a colon behind. A text is a dialogue if it has few
    labels, at least `_AGAIN` of them and twice as many labelled lines as labels, and mostly another label follows. All
    behind the first label is said by somebody, but for the labels.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    pointers, line = words.pointers, words.line
    found = np.zeros(len(line), np.bool_)
    names, counts = np.empty(LABELS, np.uint64), np.empty(LABELS, np.int64)
    for document in range(len(pointers) - 1):
        start, stop = pointers[document], pointers[document + 1]
        begin, last = normalised.pointers[document], normalised.pointers[document + 1]
        known = labelled = others = 0
        first, before = stop, np.uint64(0)
        for word in range(start, stop):
            if word > start and line[word] == line[word - 1]:
                continue
            behind = _behind_label(normalised, words, word, begin, stop, last)
            if behind == word:
                continue
            name = words.hash[word] * _FACTOR + words.hash[behind - 1]
            at = 0
            while at < known and names[at] != name:
                at += 1
            if at == LABELS:
                known += 1
                break
            if at == known:
                names[at], counts[at] = name, 0
                known += 1
            counts[at] += 1
            others += labelled > 0 and name != before
            first = min(first, word)
            before, labelled = name, labelled + 1
        if known > LABELS or labelled < _TWICE * known or 2 * others < labelled - 1:
            continue
        if np.sum(counts[:known] >= _TWICE) < _AGAIN:
            continue
        told = first
        for word in range(first, stop):
            if word == start or line[word] != line[word - 1]:
                told = max(told, _behind_label(normalised, words, word, begin, stop, last))
            found[word] = word >= told
    return found


@lean
def _behind_label(normalised: Normalised, words: Words, word: int, begin: int, stop: int, last: int) -> int:
    """The word behind the label with which a line begins at `word`; `word` itself where there is none.

    Words and codes of the text end before `stop` and `last`, its codes begin at `begin`.
    """
    codes = normalised.codes
    if words.start[word] > begin and codes[words.start[word] - 1] not in _BEFORE:
        return word
    for at in range(word, min(word + LABEL_WORDS, stop)):
        end = words.end[at]
        while end < last and codes[end] == _EMPHASIS:
            end += 1
        if words.line[at] != words.line[word] or end >= last:
            return word
        if codes[end] == _COLON:
            while end + 1 < last and codes[end + 1] == _EMPHASIS:
                end += 1
            said = end + 1 == last or codes[end + 1] == _BLANK or codes[end + 1] >= CASELESS
            return at + 1 if said else word
        if codes[end] != _BLANK and (at + 1 == stop or words.start[at + 1] != end):
            return word
    return word
