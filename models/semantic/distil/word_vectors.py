"""Where distillation starts: the teacher's own vector of every frequent word, and how much each word matters."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.lexical.text import normalise, split_words, to_text

SMOOTHING = 1e-3
"""a of the smooth inverse frequency a / (a + p(word)) (Arora et al. 2017)."""

MIN_COUNT = 3
"""Words seen less often share a row."""


class WordCounts(NamedTuple):
    """Words of a corpus: `text` as first seen (normalised), their `hash` and `counts`, most frequent first."""

    text: list[str]
    hash: NDArray[np.uint64]
    counts: NDArray[np.int64]


def count_words(texts: pl.Series) -> pl.DataFrame:
    """Return `hash` (uint64), `word` (normalised) and `count` of the words of a batch of texts."""
    normalised = normalise(texts)
    words = split_words(normalised)
    hashes, first, count = np.unique(words.hash, return_index=True, return_counts=True)
    spelt = [to_text(normalised.codes[words.start[at] : words.end[at]]) for at in first]
    return pl.DataFrame({"hash": hashes, "word": pl.Series(spelt, dtype=pl.String), "count": count})


def choose_words(counted: pl.DataFrame, known: list[str], size: int) -> WordCounts:
    """Choose the words that get a row of their own.

    Args:
        counted: `hash`, `word`, `count`, one row per word.
        known: words that the teacher has whole; they come in even when the corpus lacks them, as its texts will not
            be the only ones that are read.
        size: most words in all; the corpus' most frequent come first, then what the teacher knows.
    """
    general = count_words(pl.Series(known, dtype=pl.String)).filter(pl.col("word").str.len_chars() > 1)
    seen = counted.filter((pl.col("count") >= MIN_COUNT) | pl.col("hash").is_in(general["hash"].implode()))
    unseen = general.join(seen, on="hash", how="anti").with_columns(count=pl.lit(0, pl.Int64))
    room = max(0, size - unseen.height)
    frequent = seen.sort(pl.col("count").neg(), "hash")[:room]
    chosen = pl.concat([frequent, unseen.sort("hash")[: size - frequent.height]])
    return WordCounts(chosen["word"].to_list(), chosen["hash"].to_numpy(), chosen["count"].to_numpy())


def starting_point(
    vectors: NDArray[np.float32], count: NDArray[np.int64], buckets: int, width: int, seed: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Reduce the teacher's word vectors to their principal directions.

    Args:
        vectors: float32[V, k], the teacher's vector of each word.
        count: int64[V], how often each occurs.
        buckets: rows behind them that other words share. They start at random, as long as a word's vector, so that two
            texts with the same rare name are closer than two with different ones.
        width: d <= k.
        seed: of these.

    Returns:
        float32[V + buckets, d] table; float32[V + buckets] log of the smooth inverse frequency; float32[d, k], which
        leads back into the teacher's space.
    """
    centred = vectors - vectors.mean(0)
    directions = np.linalg.eigh(np.cov(centred.T.astype(np.float64)))[1][:, ::-1][:, :width]
    directions *= np.sign(directions[np.abs(directions).argmax(0), np.arange(width)])
    table = np.zeros((len(vectors) + buckets, width), np.float32)
    table[: len(vectors)] = centred @ directions
    spread = table[: len(vectors)].std(0)
    table[len(vectors) :] = np.random.default_rng(seed).standard_normal((buckets, width)) * spread
    share = count / max(1, count.sum())
    salience = np.log(SMOOTHING / (SMOOTHING + np.concatenate([share, np.zeros(buckets)])))
    return table, salience.astype(np.float32), np.ascontiguousarray(directions.T, np.float32)
