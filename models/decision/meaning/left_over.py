"""Left-over text of a pair: what two texts say when all is taken out that they share word for word.

Records under one form share the form, and it makes them near in meaning whatever they say in it. Two texts that say the
same in other words say the same in what is left of them, too.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.lexical.content.coverage import free_words, held_beside
from models.lexical.sketch.shingles import hash_word_grams
from models.lexical.text import normalise, split_words, to_text
from models.semantic.encoder.student import Student

SHARED = 4
"""Words in a row that both texts have, from which they are taken out."""
LEAST = 4
"""Words that are left of a text, below which they say too little to be compared."""


def left_over(one: pl.Series, other: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Take out of pairs of texts what both have.

    Args:
        one: p texts.
        other: the other text of each pair.

    Returns:
        What is left of each, normalised, with the marks behind its words; null where fewer than `LEAST` words are.
    """
    pairs = len(one)
    normalised = normalise(pl.concat([one, other]))
    words = split_words(normalised)
    beside = np.roll(np.arange(2 * pairs), pairs)
    free = free_words(held_beside(hash_word_grams(words, SHARED), words.pointers, beside), words.pointers, SHARED)
    texts: list[str | None] = []
    for text in range(2 * pairs):
        first, stop = words.pointers[text], words.pointers[text + 1]
        mine = free[first:stop]
        behind = np.append(words.start[first:stop], normalised.pointers[text + 1])
        codes = normalised.codes[behind[0] : behind[-1]][np.repeat(mine, np.diff(behind))]
        texts.append(to_text(codes) if mine.sum() >= LEAST else None)
    return pl.Series(texts[:pairs], dtype=pl.String), pl.Series(texts[pairs:], dtype=pl.String)


def left_over_cosine(student: Student, one: pl.Series, other: pl.Series) -> NDArray[np.float32]:
    """Compare what is left of pairs of texts.

    Args:
        student: gives the vectors.
        one: p texts.
        other: the other text of each pair.

    Returns:
        float32[p], the cosines; NaN where too little is left of one of the two.
    """
    ours, theirs = left_over(one, other)
    told = (ours.is_not_null() & theirs.is_not_null()).to_numpy()
    vectors = student.embed([*ours.filter(told), *theirs.filter(told)])
    half = len(vectors) // 2
    found = np.full(len(told), np.nan, np.float32)
    found[told] = np.einsum("pd,pd->p", vectors[:half], vectors[half:])
    return found
