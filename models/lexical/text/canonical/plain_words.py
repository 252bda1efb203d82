"""Plain words: hashes of words by the letters that theirs read as.

"naïve" and "naive" have one hash, and so has a "cat" that begins with a Cyrillic letter. For asking whether what one
text says stands in another: facts are told by the words as they are written.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel
from models.lexical.text.canonical.lookalikes import LIMIT, lookalikes
from models.lexical.text.canonical.reading import is_decoration
from models.lexical.text.normalisation import Normalised
from models.lexical.text.words import WORD_SEED, Words

_ASCII = 128


def plain_words(normalised: Normalised, words: Words) -> Words:
    """Words with other hashes where they hold letters that read as others.

    Args:
        normalised: n texts.
        words: their words.

    Returns:
        The same words; those of ASCII alone with the hashes that they had.
    """
    hashes = _plain(normalised.codes, words.start, words.end, words.hash, lookalikes()[0])
    return words._replace(hash=hashes)


@kernel
def _plain(
    codes: NDArray[np.uint32],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    alike: NDArray[np.uint32],
) -> NDArray[np.uint64]:
    found = hashes.copy()
    for word in range(start.size):
        highest = np.uint32(0)
        for at in range(start[word], end[word]):
            highest |= codes[at]
        if highest < _ASCII:
            continue
        state = WORD_SEED
        for at in range(start[word], end[word]):
            if not is_decoration(codes[at]):
                state = absorb(state, np.uint64(alike[codes[at]] if codes[at] < LIMIT else codes[at]))
        found[word] = mix(state)
    return found
