"""Plain words: hashes of words by the letters that theirs read as.

"naïve" and "naive" have one hash, "schön" and "schoen", and so has a "cat" that begins with a Cyrillic letter. For
asking whether what one text says stands in another: facts are told by the words as they are written.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from models.lexical.text.canonical.lookalikes import lookalikes
from models.lexical.text.canonical.reading import DECORATION
from models.lexical.text.normalisation import Normalised
from models.lexical.text.rehash import LEFT_OUT, rehash
from models.lexical.text.words import Words


def plain_words(normalised: Normalised, words: Words) -> Words:
    """Words with other hashes where they hold letters that read as others.

    Args:
        normalised: n texts.
        words: their words.

    Returns:
        The same words; those of ASCII alone with the hashes that they had.
    """
    return words._replace(hash=rehash(normalised, words, _plain(), umlauts=True))


@cache
def _plain() -> NDArray[np.uint32]:
    """uint32[`LIMIT`], the letter that each code reads as, without its decoration."""
    letters: NDArray[np.uint32] = lookalikes()[0].copy()
    for first, behind in DECORATION:
        letters[first:behind] = LEFT_OUT
    return letters
