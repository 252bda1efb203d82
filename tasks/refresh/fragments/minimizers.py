"""Minimizers of text columns; see `models/lexical/fragments/minimizers.py`."""

import numpy as np
import polars as pl

from models.lexical.fragments.minimizers import minimizers, windows_among
from models.lexical.fragments.widths import filled
from models.lexical.text import normalise
from tasks.storage.ragged_arrays import ragged

BATCH = 4096
"""Texts that are normalised together."""


def windows_of(texts: pl.Series, min_chars: int) -> pl.Series:
    """Distinct minimizers of every text, ascending: list<uint32>."""
    return pl.concat([ragged(*minimizers(filled(normalise(batch)), min_chars)) for batch in _batches(texts)])


def windows_within(passages: pl.Series, min_chars: int, wanted: pl.Series) -> pl.Series:
    """Wanted windows (uint32) that stand in normalised passages, or reach over the space on either side.

    Passages were trimmed to whole words, and next to an end it is the surroundings that decide which window is picked.
    """
    hashes = wanted.unique().sort()
    among = np.zeros(len(hashes), np.bool_)
    for batch in _batches("| " + spelled(passages) + " |"):
        among |= windows_among(filled(normalise(batch)), min_chars, hashes.to_numpy())
    return hashes.filter(among)


def spelled(passages: pl.Series) -> pl.Series:
    """Normalised texts spelled so that `normalise` gives them back: what looks like a reference is not read again."""
    return passages.str.replace_all("&", "&amp;", literal=True)


def _batches(texts: pl.Series) -> list[pl.Series]:
    return [texts.slice(at, BATCH) for at in range(0, max(1, len(texts)), BATCH)]
