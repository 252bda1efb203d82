"""Shapes of lines: short lines as they stand on many pages, whatever their numbers and dates.

"Page 1 of 12" and "Page 3 of 4" are one shape, so are "Posted on 2019-03-04" and "Posted on 2021-11-30". What many
documents hold as a line of its own is the template of a site, but for lines of source code.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel
from models.kernels.probe import FREE
from models.lexical.text.normalisation import Normalised
from models.lexical.text.words import HAS_DIGIT, Words

LONGEST = 24
"""Words of a line at most; longer ones are paragraphs, whose grams are counted."""
_OF_CODE, _CALL, _BLANK = tuple(map(ord, "{};=")), np.uint32(ord("(")), np.uint32(ord(" "))
_SEED, _NUMBER = np.uint64(0x6C696E6520736861), np.uint64(0x6E756D6265720000)


class Lines(NamedTuple):
    """Lines with words of a batch; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        hash: uint64[l], of the words of each line, all with a digit alike; 0 for a line of more than `LONGEST` words,
            and for one of code: with a brace, a semicolon, an equals sign, or a bracket directly behind a word.
        words: int64[l], words of each line.
        pointers: int64[n+1].
    """

    hash: NDArray[np.uint64]
    words: NDArray[np.int64]
    pointers: NDArray[np.int64]


def line_shapes(normalised: Normalised, words: Words) -> Lines:
    """Hash the lines of some texts."""
    return Lines(*_shapes(normalised.codes, normalised.pointers, words))


@kernel
def _shapes(
    codes: NDArray[np.uint32], code_pointers: NDArray[np.int64], words: Words
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    hashes, line, pointers = words.hash, words.line, words.pointers
    room = 0
    for word in range(len(line)):
        room += word == 0 or line[word] != line[word - 1]
    # the first word of a text may stand in a line of the same number as the last one of the text before
    found, sizes = np.empty(room + len(pointers), np.uint64), np.empty(room + len(pointers), np.int64)
    bounds, lines = np.zeros(len(pointers), np.int64), 0
    for document in range(len(pointers) - 1):
        word, stop, behind = pointers[document], pointers[document + 1], code_pointers[document]
        while word < stop:
            begin, state, code = word, _SEED, False
            while word < stop and line[word] == line[begin]:
                state = absorb(state, _NUMBER if words.flags[word] & HAS_DIGIT else hashes[word])
                for at in range(behind, words.start[word]):
                    code |= codes[at] in _OF_CODE or (codes[at] == _CALL and at == behind and word > begin)
                behind = words.end[word]
                word += 1
            following = words.start[word] if word < stop else code_pointers[document + 1]
            while behind < following and codes[behind] != _BLANK:
                code |= codes[behind] in _OF_CODE or (codes[behind] == _CALL and behind == words.end[word - 1])
                behind += 1
            found[lines] = FREE if code or word - begin > LONGEST else mix(state)
            sizes[lines] = word - begin
            lines += 1
        bounds[document + 1] = lines
    return found[:lines].copy(), sizes[:lines].copy(), bounds
