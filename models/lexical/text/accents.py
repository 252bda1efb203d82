"""Accents: hashes of words as they are written where nobody types them, "zacnemo" for "začnemo".

They tell which of two texts lost its accents, so that the other one stays. Candidates are looked for by what letters
read as, in which no accent counts either (`canonical.plain_words`); what a pair says is compared with them.
"""

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

from models.lexical.text.normalisation import Normalised
from models.lexical.text.rehash import rehash
from models.lexical.text.words import Words

_LETTERS = ((0xC0, 0x250), (0x370, 0x400), (0x1E00, 0x2000))
"""Latin and Greek; in Cyrillic and other scripts a letter with a mark is another letter."""
_LIMIT = 0x2000
_OTHERS = {"đ": "d", "ł": "l", "ı": "i", "ø": "o"}


@cache
def _bare() -> NDArray[np.uint32]:
    """uint32[`_LIMIT`], what each code is without its accents."""
    table = np.arange(_LIMIT, dtype=np.uint32)
    for first, behind in _LETTERS:
        for code in range(first, behind):
            table[code] = ord(unicodedata.normalize("NFD", chr(code))[0])
    for letter, bare in _OTHERS.items():
        table[ord(letter)] = ord(bare)
    return table


def without_accents(normalised: Normalised, words: Words) -> NDArray[np.uint64]:
    """Hash words without their accents.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        uint64[w], the hash that each word has if it is written without accents; its own where it has none.
    """
    return rehash(normalised, words, _bare())
