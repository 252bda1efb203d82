"""Exact checks of labels on word n-grams: copies, containment and passages in many documents."""

import re
from collections.abc import Sequence

import numpy as np
import polars as pl

WORDS = re.compile(r"\w+")


class Grams:
    """Hashes of word n-grams; equal words get equal numbers in all texts given to one object."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}

    def of(self, texts: Sequence[str], size: int) -> pl.DataFrame:
        """Return `gram` uint64, `doc` (place in `texts`) and `word` (place of its first word), in order."""
        number = self.number
        ids = [[number.setdefault(w, len(number)) for w in WORDS.findall(text.lower())] for text in texts]
        lengths = np.array([len(words) for words in ids], np.int64)
        flat = np.fromiter((w for words in ids for w in words), np.uint64, int(lengths.sum()))
        flat = (flat + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        doc = np.repeat(np.arange(len(texts)), lengths)
        place = np.arange(len(flat)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        n = max(len(flat) - size + 1, 0)
        gram = np.zeros(n, np.uint64)
        for i in range(size):
            gram = (gram ^ (flat[i : i + n] >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9) + flat[i : i + n]
        inside = doc[:n] == doc[size - 1 : size - 1 + n]
        return pl.DataFrame({"gram": gram[inside], "doc": doc[:n][inside], "word": place[:n][inside]})


def overlaps(grams: pl.DataFrame, most: int = 40) -> pl.DataFrame:
    """Return pairs a < b with `share`, the shared distinct n-grams over those of the smaller text."""
    distinct = grams.select("gram", "doc").unique(maintain_order=True)
    size = distinct.group_by("doc").agg(size=pl.len())
    shared = distinct.filter(pl.len().over("gram").is_between(2, most))
    pairs = (
        shared.join(shared, on="gram")
        .filter(pl.col("doc") < pl.col("doc_right"))
        .group_by(a="doc", b="doc_right")
        .agg(shared=pl.len())
    )
    sized = pairs.join(size.rename({"doc": "a"}), on="a").join(size.rename({"doc": "b", "size": "size_b"}), on="b")
    return sized.with_columns(share=pl.col("shared") / pl.min_horizontal("size", "size_b")).sort("a", "b")


def foreign(grams: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """Return `doc` and the share of its distinct n-grams that occur in `others`."""
    known = others.select("gram", known=True).unique()
    distinct = grams.select("gram", "doc").unique().join(known, on="gram", how="left")
    return distinct.group_by("doc").agg(share=pl.col("known").fill_null(False).mean())


def widespread(grams: pl.DataFrame, unit: np.ndarray, least: int) -> pl.DataFrame:
    """Return the rows of `grams` whose n-gram occurs in at least `least` units."""
    counted = grams.with_columns(unit=pl.Series(unit[grams["doc"].to_numpy()]))
    return counted.filter(pl.col("unit").n_unique().over("gram") >= least).drop("unit")


def word_spans(text: str) -> np.ndarray:
    """Return int64 [w, 2]: first and past-the-last code point of every word."""
    return np.array([m.span() for m in WORDS.finditer(text)], np.int64).reshape(-1, 2)
