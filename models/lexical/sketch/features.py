"""Features of texts: words, shingles and weights in the one pass that sketching and verification share."""

from typing import NamedTuple

import numpy as np
import polars as pl

from models.lexical.sketch.line_shapes import line_shapes
from models.lexical.sketch.shingles import Shingles, hash_word_grams, shingle
from models.lexical.sketch.weights import cells, gram_weights, word_weights
from models.lexical.text import Normalised, Words, normalise, split_words
from models.lexical.text.canonical.plain_words import plain_words
from models.parameters import Sketch

MOST_HELD = 0xFF
"""Documents that are told to hold a line at most."""
ATTENTION_STEPS = 32
"""Attention is stored in steps of 1/32 of a document's mean; 255 steps reach eight times the mean."""


class Frequencies(NamedTuple):
    """In how many documents things occur: hashed tables uint32[2**bits], over N documents.

    Of shingles, of words, and of lines up to their numbers (`line_shapes`), of which none is common if not counted.
    """

    shingles: np.ndarray
    words: np.ndarray
    n_documents: int
    lines: np.ndarray = np.zeros(2, np.uint32)


class Features(NamedTuple):
    """A batch of documents as words and weighted shingles.

    `gram_weight` is float32[g] along `shingles.hash`, `word_weight` float32[w] and `word_df` uint32[w]
    (documents that hold the word) along `words.hash`; likewise `gram` uint64[w] (`hash_word_grams`, of
    `plain_words`) and `gram_df` uint32[w] (documents that hold the gram, 0 where none begins), `plain` uint64[w]
    (hashes of `plain_words`), and `line_df` uint8[w] (documents that hold the line of the word, up to its numbers,
    `line_shapes`, `MOST_HELD` where more do; 0 for long lines).
    """

    normalised: Normalised
    words: Words
    shingles: Shingles
    gram_weight: np.ndarray
    word_weight: np.ndarray
    word_df: np.ndarray
    gram: np.ndarray
    gram_df: np.ndarray
    plain: np.ndarray
    line_df: np.ndarray


def quantise_attention(attention: np.ndarray) -> np.ndarray:
    """Store float32[w] attention (mean 1 over a document) as uint8[w]; 0 stays "not seen by the encoder"."""
    steps = np.rint(attention * ATTENTION_STEPS)
    return np.where(attention > 0, np.clip(steps, 1, 255), 0).astype(np.uint8)


def restore_attention(stored: np.ndarray) -> np.ndarray:
    """Invert `quantise_attention`; words that the encoder did not see weigh as the mean, 1."""
    return np.where(stored == 0, np.float32(1), stored.astype(np.float32) / ATTENTION_STEPS)


def featurise(
    texts: pl.Series, attention: np.ndarray | None, frequencies: Frequencies, sketch: Sketch, short_chars: int
) -> Features:
    """Tokenise a batch of texts and weigh its words and shingles (`eq:gram_weight`).

    Args:
        texts: n texts.
        attention: uint8[w] as `quantise_attention` gives it along all words of the batch, or None for even attention.
        frequencies: of the corpus.
        sketch: which weights apply.
        short_chars: texts below this length are shingled by characters.
    """
    normalised = normalise(texts)
    words = split_words(normalised)
    plain = plain_words(normalised, words)
    shingles = shingle(normalised, words, short_chars, plain=plain)
    salience = _salience(words, attention, sketch)
    weight = _shingle_weights(shingles, words, salience, frequencies, sketch)
    informative = word_weights(
        words.hash, salience, frequencies.words, frequencies.n_documents, idf_floor=sketch.idf_floor
    )
    word_df = frequencies.words[cells(words.hash, frequencies.words.size.bit_length() - 1)]
    gram = hash_word_grams(plain)
    gram_df = np.where(gram == 0, 0, frequencies.shingles[cells(gram, frequencies.shingles.size.bit_length() - 1)])
    weights = weight, informative, word_df
    return Features(
        normalised, words, shingles, *weights, gram, gram_df, plain.hash, _line_df(normalised, words, frequencies.lines)
    )


def shingle_weights(
    shingles: Shingles, words: Words, attention: np.ndarray | None, frequencies: Frequencies, sketch: Sketch
) -> np.ndarray:
    """Weigh shingles alone, as `featurise` does.

    Args:
        shingles: of n texts.
        words: of the same texts.
        attention: see `featurise`.
        frequencies: of the corpus.
        sketch: which weights apply.

    Returns:
        float32[g] along `shingles.hash`.
    """
    return _shingle_weights(shingles, words, _salience(words, attention, sketch), frequencies, sketch)


def _line_df(normalised: Normalised, words: Words, table: np.ndarray) -> np.ndarray:
    """Documents that hold the line of each word."""
    lines = line_shapes(normalised, words)
    counted = table[cells(lines.hash, table.size.bit_length() - 1)]
    held = np.where(lines.hash == 0, 0, np.minimum(counted, MOST_HELD)).astype(np.uint8)
    found = np.zeros(len(words.hash), np.uint8)  # of texts that are one long line no page of memory is touched
    found[np.repeat(held > 0, lines.words)] = np.repeat(held[held > 0], lines.words[held > 0])
    return found


def _salience(words: Words, attention: np.ndarray | None, sketch: Sketch) -> np.ndarray:
    if attention is not None and sketch.use_attention:
        return restore_attention(attention)
    return np.ones(len(words.hash), np.float32)


def _shingle_weights(
    shingles: Shingles, words: Words, salience: np.ndarray, frequencies: Frequencies, sketch: Sketch
) -> np.ndarray:
    return gram_weights(
        shingles.hash,
        shingles.first_word,
        shingles.last_word,
        shingles.pointers,
        salience,
        words.pointers,
        frequencies.shingles,
        frequencies.n_documents,
        use_attention=sketch.use_attention,
        use_idf=sketch.use_idf,
        idf_floor=sketch.idf_floor,
    )
