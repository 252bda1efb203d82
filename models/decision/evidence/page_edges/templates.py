"""Templates of sites: lines around what two pages share that far more documents hold than hold that.

Versions of a page and copies of a story share their lines with each other, too. So a line is a template only where few
documents hold what the two pages share (`gram_df`), and the line stands in more than these: others hold it as well.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel, lean
from models.lexical.text import CAPITAL, HAS_DIGIT, Words

RATIO = 3
"""Times as many documents as hold what two texts share hold a sentence that is their template, at least."""
NEVER = 0xFFFFFFFF
"""Documents that hold no line."""


@lean
def least_template(common: NDArray[np.bool_], gram_df: NDArray[np.uint32]) -> int:
    """Documents that a line must stand in, at least, to be a template around some words: as many as hold these.

    Args:
        common: bool[w], see `OwnContent`; where many documents hold most of the words no line is one.
        gram_df: uint32[w], see `Features`.
    """
    shared = held = grams = 0
    for word in range(len(common)):
        shared += common[word]
        held += gram_df[word]
        grams += gram_df[word] > 0
    return NEVER if 2 * shared >= len(common) else held // max(1, grams)


@lean
def is_template(held: np.uint8, prose: np.uint8, least: int) -> bool:
    """Is a line that so many documents hold a template? `least` are enough, `RATIO` times as many for a sentence."""
    return bool(held and held >= (RATIO * least if prose else least))


def forget_paragraphs(line_df: NDArray[np.uint8], prose: NDArray[np.bool_], words: Words) -> None:
    """Write 0 for lines of prose that go on in others: a wrapped paragraph, as of a licence, is no template.

    Args:
        line_df: uint8[w], documents that hold the line of each word.
        prose: bool[w].
        words: w words.
    """
    _forget_paragraphs(line_df, prose, words.flags, words.line, words.pointers)


@kernel
def _forget_paragraphs(
    line_df: NDArray[np.uint8],
    prose: NDArray[np.bool_],
    flags: NDArray[np.uint8],
    line: NDArray[np.int32],
    pointers: NDArray[np.int64],
) -> None:
    for document in range(len(pointers) - 1):
        first, stop = pointers[document], pointers[document + 1]
        begin, goes_on = first, False
        while begin < stop:
            behind = begin
            while behind < stop and line[behind] == line[begin]:
                behind += 1
            follows = behind < stop and prose[begin] and prose[behind] and line[behind] == line[begin] + 1
            follows = follows and not flags[behind] & (CAPITAL | HAS_DIGIT)
            if goes_on or follows:
                line_df[begin:behind] = 0
            begin, goes_on = behind, follows
