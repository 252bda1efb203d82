"""English prose: the texts of which something is known of how well their meaning is compared.

The encoder was distilled from an English teacher, and the verifier has learned from sentences. In other languages, in
source code, records and configuration, what is near in meaning is near in form.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.evidence.facts.lexicon import SPOKEN, languages_of
from models.lexical.content.prose import prose
from models.lexical.text import normalise, split_words
from models.lexical.text.markup.source_code import source_texts

_SHARE = 0.5
"""Share of the words of a text that stand in prose at least."""
_TOLD = 50
"""Words from which a text must be English alone; a shorter one may have small words of another language by chance."""
_ENGLISH = np.uint32(1 << SPOKEN.index("en"))


def is_english_prose(texts: pl.Series) -> NDArray[np.bool_]:
    """Tell which texts are English prose: by their lines and function words, and no source code.

    Args:
        texts: n texts.

    Returns:
        bool[n].
    """
    normalised = normalise(texts)
    words = split_words(normalised)
    sizes = np.diff(words.pointers)
    said = np.append(0, np.cumsum(prose(normalised, words)))
    found = np.diff(said[words.pointers]) > _SHARE * sizes
    mostly, alone = languages_of(words, 1.0) & _ENGLISH != 0, languages_of(words) == _ENGLISH
    found &= np.where(sizes < _TOLD, mostly, alone)
    in_prose: NDArray[np.bool_] = found & ~source_texts(normalised, found)
    return in_prose
