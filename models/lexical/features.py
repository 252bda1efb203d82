"""Texts → words, shingles and weights: the one pass that sketching and verification share."""

from typing import NamedTuple

import numpy as np
import polars as pl

from models.lexical.shingles import Shingles, shingle
from models.lexical.text import Normalised, Words, normalise, split_words
from models.lexical.weights import gram_weights, word_weights
from models.parameters import Sketch

ATTENTION_STEPS = 32
"""Attention is stored in steps of 1/32 of a document's mean; 255 steps reach eight times the mean."""


class Features(NamedTuple):
    """A batch of documents as words and weighted shingles.

    `gram_weight` is float32[g] along `shingles.hash`, `word_weight` float32[w] along `words.hash`.
    """

    normalised: Normalised
    words: Words
    shingles: Shingles
    gram_weight: np.ndarray
    word_weight: np.ndarray


def quantise_attention(attention: np.ndarray) -> np.ndarray:
    """Store float32[w] attention (mean 1 over a document) as uint8[w]; 0 stays "not seen by the encoder"."""
    steps = np.rint(attention * ATTENTION_STEPS)
    return np.where(attention > 0, np.clip(steps, 1, 255), 0).astype(np.uint8)


def restore_attention(stored: np.ndarray) -> np.ndarray:
    """Invert `quantise_attention`; words that the encoder did not see weigh as the mean, 1."""
    return np.where(stored == 0, np.float32(1), stored.astype(np.float32) / ATTENTION_STEPS)


def featurise(
    texts: pl.Series, attention: np.ndarray | None, table: np.ndarray, n_documents: int, sketch: Sketch
) -> Features:
    """Tokenise a batch of texts and weigh its words and shingles (`eq:gram_weight`).

    Args:
        texts: n texts.
        attention: uint8[w] as `quantise_attention` gives it along all words of the batch, or None for even attention.
        table: document-frequency table, uint32[2**bits].
        n_documents: N of the table.
        sketch: which weights apply and how short texts are shingled.
    """
    normalised = normalise(texts)
    words = split_words(normalised)
    shingles = shingle(normalised, words, sketch.short_chars)
    salience = np.ones(len(words.hash), np.float32)
    if attention is not None and sketch.use_attention:
        salience = restore_attention(attention)
    weight = gram_weights(
        shingles.hash,
        shingles.first_word,
        shingles.last_word,
        shingles.pointers,
        salience,
        words.pointers,
        table,
        n_documents,
        use_attention=sketch.use_attention,
        use_idf=sketch.use_idf,
    )
    return Features(normalised, words, shingles, weight, word_weights(words.hash, salience, table, n_documents))
