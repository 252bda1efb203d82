"""Lists of teasers in the frame of a page: lines that other documents hold, too, one by one and in no such order.

"Related articles" lists the titles or first sentences of other pages. Each of these lines stands in the page that it
leads to; from one line to the next nothing else reads the same. What continues a text, as the next part of a manual
that was cut into parts, stands elsewhere in one piece and is none.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel, lean

RUN = 3
"""Grams in a row that other documents hold and that are no accident."""
LONGEST = 40
"""Words of a teaser at most."""
COVERED = 0.6
"""Share of the words of its line, at least; the name of a site or a date may stand beside it."""
APART, LEAST = 12, 3
"""Words between two teasers of a list at most, and teasers of a list at least."""


@kernel
def teaser_lists(
    gram_df: NDArray[np.uint32], line: NDArray[np.int32], pointers: NDArray[np.int64], gram: int
) -> NDArray[np.bool_]:
    """Tell which words stand in a list of teasers.

    Args:
        gram_df: uint32[w], documents that hold the gram that begins with each word; 0 where none does.
        line: int32[w], number of the line of each word.
        pointers: int64[n + 1], words of each document.
        gram: words of a gram.

    Returns:
        bool[w].
    """
    found = np.zeros(len(line), np.bool_)
    for document in range(len(pointers) - 1):
        word, stop = pointers[document], pointers[document + 1]
        begin, behind, teasers = word, word, 0  # of the list at hand
        while word < stop:
            first = word
            while word < stop and gram_df[word] > 1:
                word += 1
            last = word + gram - 1
            if word - first >= RUN and _is_teaser(line, pointers[document], first, min(last, stop), stop):
                begin, teasers = (begin, teasers + 1) if teasers and first - behind <= APART else (first, 1)
                behind = min(last, stop)
                if teasers >= LEAST:
                    found[begin:behind] = True
            elif word - first >= RUN:
                teasers = 0
            word += 1
    return found


@lean
def _is_teaser(line: NDArray[np.int32], start: int, first: int, last: int, stop: int) -> bool:
    """Are these words most of one line and no more than that?"""
    if line[first] != line[last - 1] or last - first > LONGEST:
        return False
    begin, behind = first, last
    while begin > start and line[begin - 1] == line[first]:
        begin -= 1
    while behind < stop and line[behind] == line[first]:
        behind += 1
    return bool(last - first >= COVERED * (behind - begin))
