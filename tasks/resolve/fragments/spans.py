"""Text of fragment spans: read part by part when they are written, by workers; beside numbers it is most of them."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import polars as pl

from data_contracts.schemas import FRAGMENT_SPANS, SPANS
from tasks.parallel.map_parts import Arrays, map_chunks
from tasks.remote.object_mirror import mirror
from tasks.storage.part_bounds import part_bounds
from tasks.storage.stage import Stage

ROWS = 1 << 16
"""Spans of a part, at most."""
CHARS = 1 << 24
"""Code points of their texts, about."""


def write_spans(stage: Stage, spans: pl.DataFrame, texts: Mapping[int, str], first: int) -> int:
    """Write spans as parts of `fragment_spans`.

    Args:
        stage: the table.
        spans: rows without text, in any order.
        texts: originals by document.
        first: number of the first part; all later documents come in later parts.

    Returns:
        The number behind the last part; there is one at least in all.
    """
    if spans.is_empty() and first:
        return first
    ordered = spans.sort("doc", "start")
    lengths = (ordered["end"] - ordered["start"]).cast(pl.Int64).to_numpy()
    arrays = {name: ordered[name].to_numpy() for name in SPANS.columns}
    arrays["bounds"] = part_bounds(lengths, ROWS, CHARS)
    numbers = range(len(arrays["bounds"]) - 1)
    for _ in map_chunks(stage, partial(_write_part, stage, texts, first), numbers, arrays):
        pass
    for number in numbers:
        mirror(stage.part(first + number))
    return first + len(numbers)


def _write_part(stage: Stage, texts: Mapping[int, str], first: int, arrays: Arrays, number: int) -> None:
    here = slice(*arrays["bounds"][number : number + 2].tolist())
    spans = pl.DataFrame({name: np.asarray(arrays[name][here]) for name in SPANS.columns}, schema=SPANS.schema)
    stage.write(first + number, with_text(spans, texts))


def with_text(spans: pl.DataFrame, texts: Mapping[int, str]) -> pl.DataFrame:
    """Rows of `fragment_spans`: the text of a document is read once for spans of it that stand together."""
    last, text, written = -1, "", []
    for doc, start, end in spans.select("doc", "start", "end").iter_rows():
        if doc != last:
            last, text = doc, texts[doc]
        written.append(text[start:end])
    return FRAGMENT_SPANS.shape(spans.with_columns(text=pl.Series(written, dtype=pl.String)))
