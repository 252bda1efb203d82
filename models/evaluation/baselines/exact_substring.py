"""Exact substring deduplication (Lee et al. 2022, "Deduplicating Training Data Makes Language Models Better").

Every substring of at least N characters that occurs anywhere else in the corpus, in another document or in the same
one, is cut, in all its copies. N = 200 characters are about the 50 tokens of Lee et al. A document of which no letter
or digit is left is removed, with nothing to survive it: cutting all copies takes whole duplicates with it.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.evaluation.baselines.parts.suffix_array import common_prefixes, suffix_order
from models.evaluation.baselines.protocol import Corpus, Outcome
from models.kernels.jit import kernel
from models.lexical.fragments.repeats import SEPARATOR
from models.lexical.text import Normalised, normalise, original_spans
from models.lexical.text.unicode_table import COMBINING, KIND


@dataclass(frozen=True)
class Repeated:
    """`Prepared`: how long a repeated substring begins at each place.

    Attributes:
        corpus: n documents.
        normalised: their texts.
        length: int32[k] along `normalised.codes`, code points; within the document.
    """

    corpus: Corpus
    normalised: Normalised
    length: NDArray[np.int32]

    def outcome(self, threshold: float) -> Outcome:
        """Cut every repeated substring of at least `threshold` code points."""
        start, end = united(self.length, int(threshold))
        edges = np.zeros(len(self.length) + 1, np.int64)
        edges[start] += 1
        edges[end] -= 1
        return Outcome(self._decisions(np.cumsum(edges[:-1]) > 0), self._spans(start, end))

    def _spans(self, start: NDArray[np.int64], end: NDArray[np.int64]) -> pl.DataFrame:
        document = np.searchsorted(self.normalised.pointers, start, side="right") - 1
        first, behind = original_spans(self.normalised, start, end)
        return pl.DataFrame(
            {
                "doc_id": self.corpus.documents["doc_id"].gather(document),
                "start": first,
                "end": behind,
                "cut": np.ones(len(start), np.bool_),
            }
        )

    def _decisions(self, cut: NDArray[np.bool_]) -> pl.DataFrame:
        wording = (self.normalised.marks & KIND) >= COMBINING
        pointers = self.normalised.pointers
        edited, worded, left = (count_inside(mask, pointers) for mask in (cut, wording, wording & ~cut))
        gone = pl.Series((left == 0) & (worded > 0))
        return self.corpus.documents.select(
            "doc_id",
            action=pl.when(gone)
            .then(pl.lit("remove"))
            .when(pl.Series(edited > 0))
            .then(pl.lit("edit"))
            .otherwise(pl.lit("keep")),
            survivor_id=pl.lit(None, pl.String),
            n_chars=pl.col("text").str.len_chars().cast(pl.Int64),
        )


@dataclass(frozen=True)
class ExactSubstring:
    """Suffix array over the corpus; the threshold is N, the least length of a repeated substring in code points."""

    name = "exact substring"
    usual = 200.0
    grid = (800.0, 600.0, 500.0, 400.0, 300.0, 250.0, 200.0, 175.0, 150.0, 125.0, 100.0, 90.0, 80.0, 70.0, 60.0, 50.0)

    def prepare(self, corpus: Corpus) -> Repeated:
        """Sort all suffixes; takes about 40 bytes per code point while it runs."""
        normalised = normalise(corpus.texts)
        return Repeated(corpus, normalised, repeat_lengths(normalised))


def repeat_lengths(normalised: Normalised) -> NDArray[np.int32]:
    """Return int32[k]: how many code points from each position on occur at another position too, in any document."""
    codes = np.insert(normalised.codes, normalised.pointers[1:], SEPARATOR)
    order = suffix_order(codes)
    length = np.zeros(len(codes), np.int32)
    _longest(order, common_prefixes(codes, order), length)
    kept: NDArray[np.int32] = length[codes != SEPARATOR]
    return kept


@kernel
def _longest(order: NDArray[np.int32], common: NDArray[np.int32], length: NDArray[np.int32]) -> None:
    for r in range(len(order)):
        behind = common[r + 1] if r + 1 < len(order) else 0
        length[order[r]] = max(common[r], behind)


@kernel
def united(length: NDArray[np.int32], least: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Unite the overlapping ones among the repeats [p, p + length[p]) of at least `least` code points.

    Repeats that only touch stay two, so that no union reaches into the next document.

    Returns:
        (start, end), int64 each, rising and disjoint.
    """
    start, end = np.empty(len(length), np.int64), np.empty(len(length), np.int64)
    kept = 0
    for p in range(len(length)):
        if length[p] < least:
            continue
        if kept and p < end[kept - 1]:
            end[kept - 1] = max(end[kept - 1], p + length[p])
        else:
            start[kept], end[kept] = p, p + length[p]
            kept += 1
    return start[:kept].copy(), end[:kept].copy()


def count_inside(mask: NDArray[np.bool_], pointers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return int64[n]: how many of bool[k] are on in each document."""
    total = np.concatenate([np.zeros(1, np.int64), np.cumsum(mask)])
    return np.diff(total[pointers])
