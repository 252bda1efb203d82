"""Marks of notes right behind what they are about: "[note 3]", "[Anm. 2]", "<sup>1</sup>", "<sup>[4]</sup>"."""

import numpy as np

from models.kernels.jit import inner
from models.lexical.text.frames.scanning import CLOSE, OPEN, digits_end, one_of, rows_of

Array = np.ndarray

_LABELS = rows_of(
    "[note ", "[Note ", "[nb ", "[n. ", "[fn ", "[footnote ", "[Anm. ", "[Fn. ", "[nota ", "[Nota ", "[noot ",
    "[uwaga ", "[прим. ", "[примітка ", "[注 ", "[註 ", "[注釈 ", "[注",  "[註", "[注釈",
)  # fmt: skip
"""What a mark in square brackets begins with, of wikis and papers; the Turkish one would be "not" in English."""
_RAISED, _LOWERED = rows_of("<sup>", "<SUP>"), rows_of("</sup>", "</SUP>")
_ENDS_CLAUSE = tuple(map(ord, ".,;:!?"))
_DIGITS = 3
"""Digits of the number of a note at most."""


@inner
def labelled_note(data: Array, at: int, stop: int) -> int:
    """Where "[note 3]" ends that stands here; `at` if none does."""
    number = one_of(data, at, stop, _LABELS)
    behind = digits_end(data, number, stop, _DIGITS)
    return behind + 1 if number > at and number < behind < stop and data[behind] == CLOSE else at


@inner
def raised_note(data: Array, first: int, at: int, stop: int) -> int:
    """Where "<sup>1</sup>" ends that stands here in a text from `first` on; `at` if none does.

    Behind a letter it may be an exponent, unless square brackets stand around the number.
    """
    number = one_of(data, at, stop, _RAISED)
    if number == at or at == first:
        return at
    bracketed = number < stop and data[number] == OPEN
    behind = digits_end(data, number + bracketed, stop, _DIGITS)
    end = behind + bracketed
    told = behind > number + bracketed and end <= stop and (not bracketed or data[behind] == CLOSE)
    if not told or not (bracketed or data[at - 1] in _ENDS_CLAUSE):
        return at
    closed: int = one_of(data, end, stop, _LOWERED)
    return closed if closed > end else at
