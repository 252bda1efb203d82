"""Windows of texts as columns; see `models/lexical/minimizers.py`."""

from collections.abc import Callable

import numpy as np
import polars as pl

from models.lexical.minimizers import every_window, minimizers
from models.lexical.text import Normalised, normalise
from tasks.columns import ragged

BATCH = 4096
"""Texts that are normalised together."""


def windows_of(texts: pl.Series, min_chars: int) -> pl.Series:
    """Distinct minimizers of every text, ascending: list<uint32>."""
    return _batched(minimizers, texts, min_chars)


def windows_within(passages: pl.Series, min_chars: int) -> pl.Series:
    """All windows of normalised passages, those with the space on either side among them: list<uint32>.

    Passages were trimmed to whole words, and next to an end it is the surroundings that decide which window is picked.
    """
    return _batched(every_window, "| " + spelled(passages) + " |", min_chars)


def spelled(passages: pl.Series) -> pl.Series:
    """Normalised texts spelled so that `normalise` gives them back: what looks like a reference is not read again."""
    return passages.str.replace_all("&", "&amp;", literal=True)


def _batched(
    pick: Callable[[Normalised, int], tuple[np.ndarray, np.ndarray]], texts: pl.Series, min_chars: int
) -> pl.Series:
    batches = [texts.slice(at, BATCH) for at in range(0, max(1, len(texts)), BATCH)]
    return pl.concat([ragged(*pick(normalise(batch), min_chars)) for batch in batches])
