"""Shapes of lines: short lines as they stand on many pages, whatever their numbers and dates.

"Page 1 of 12" and "Page 3 of 4" are one shape, so are "Posted on 2019-03-04" and "Posted on 2021-11-30". What many
documents hold as a line of its own is the template of a site.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel
from models.kernels.probe import FREE
from models.lexical.text.words import HAS_DIGIT, Words

LONGEST = 24
"""Words of a line at most; longer ones are paragraphs, whose grams are counted."""
_SEED, _NUMBER = np.uint64(0x6C696E6520736861), np.uint64(0x6E756D6265720000)


class Lines(NamedTuple):
    """Lines with words of a batch; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        hash: uint64[l], of the words of each line, all with a digit alike; 0 for a line of more than `LONGEST` words.
        words: int64[l], words of each line.
        pointers: int64[n+1].
    """

    hash: NDArray[np.uint64]
    words: NDArray[np.int64]
    pointers: NDArray[np.int64]


def line_shapes(words: Words) -> Lines:
    """Hash the lines of some texts."""
    return Lines(*_shapes(words.hash, words.flags, words.line, words.pointers))


@kernel
def _shapes(
    hashes: NDArray[np.uint64], flags: NDArray[np.uint8], line: NDArray[np.int32], pointers: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    found, sizes = np.empty(len(hashes), np.uint64), np.empty(len(hashes), np.int64)
    bounds, lines = np.zeros(len(pointers), np.int64), 0
    for document in range(len(pointers) - 1):
        word, stop = pointers[document], pointers[document + 1]
        while word < stop:
            begin, state = word, _SEED
            while word < stop and line[word] == line[begin]:
                state = absorb(state, _NUMBER if flags[word] & HAS_DIGIT else hashes[word])
                word += 1
            found[lines], sizes[lines] = mix(state) if word - begin <= LONGEST else FREE, word - begin
            lines += 1
        bounds[document + 1] = lines
    return found[:lines].copy(), sizes[:lines].copy(), bounds
