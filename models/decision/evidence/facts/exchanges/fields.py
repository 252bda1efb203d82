"""Fields of records: names with a colon behind them, such as "Question:"."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.facts.book import Book
from models.decision.evidence.spelling.letters import BARE
from models.kernels.jit import lean
from models.languages import listed

_COLON = ord(":")
_MARKS = (ord(" "), ord("*"), ord("_"), ord('"'), ord("]"))
"""Marks that may stand behind a name, as in "**Prompt**:" and in JSON."""


def _letters(names: list[str]) -> NDArray[np.uint32]:
    """Letters of names, one a row, 0 behind them."""
    table = np.zeros((len(names), max(map(len, names)) + 1), np.uint32)
    for row, name in enumerate(names):
        table[row, : len(name)] = [*map(ord, name)]
    return table


_NAMES = _letters(listed("record_fields"))
"""Names of the fields of records that questions and instructions are trained on."""


@lean
def names_field(book: Book, word: int) -> bool:
    """Whether a word is the name of a field: with a colon directly behind it, or a blank or marks before that."""
    at, stop = book.text.end[word], book.beyond[word]
    while at < stop and book.text.codes[at] in _MARKS:
        at += 1
    if at >= stop or book.text.codes[at] != _COLON:
        return False
    ours = book.text.words[word]
    size = ours.behind - ours.first
    for row in range(len(_NAMES)):
        same = size < _NAMES.shape[1] and _NAMES[row, min(size, _NAMES.shape[1] - 1)] == 0
        for letter in range(size if same else 0):
            same &= book.text.letters[ours.first + letter] & BARE == _NAMES[row, letter]
        if same:
            return True
    return False
