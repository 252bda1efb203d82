"""Removed texts beside those of the documents in whose favour they go, batch by batch, on workers."""

import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars as pl

from tasks.parallel.map_parts import map_rows
from tasks.parallel.text_exchange import TextExchange, exchange_texts
from tasks.storage.ragged_arrays import batches
from tasks.storage.tables import TableRef, scan
from tasks.storage.work import Work

Value = TypeVar("Value")
CHARS = 32 << 20
"""Code points of removed texts that are compared by one task, about."""


def map_beside(
    work: Work,
    compare: Callable[[pl.DataFrame], Value],
    documents: TableRef,
    listed: pl.DataFrame,
    anew: Sequence[Path] = (),
) -> Iterator[Value]:
    """Results of `compare` for batches of survivors, behind each of which stand texts that were removed for it.

    Args:
        work: what this is for.
        compare: a function of a module with arguments that can be pickled, of a batch that begins with a survivor:
            `doc`, `survivor`, `removed`, `text` and further columns of `listed`, which are null for survivors.
        documents: with their texts.
        listed: `doc` of the removed, `survivor`, and, if there are files, in `anew` whether the text of that stands in
            one of them.
        anew: files with `doc` and `text`.

    Raises:
        LookupError: there is no text of a survivor.
    """
    if listed.is_empty():
        return
    chars = scan(documents).select("doc", chars=pl.col("n_chars").cast(pl.Int64))
    removed = listed.lazy().join(chars, on="doc").sort("survivor", "doc").collect()
    owner = removed["chars"].cum_sum() // CHARS
    removed = removed.with_columns(owner=owner.rle_id().cast(pl.Int64), removed=pl.lit(value=True)).drop("chars")
    of_survivor = pl.col("anew") if anew else pl.lit(value=False)
    heads = removed.select("survivor", "owner", doc="survivor", anew=of_survivor, removed=pl.lit(value=False)).unique()
    rows = pl.concat([heads, removed.with_columns(anew=pl.lit(value=False))], how="diagonal")
    rows = rows.sort("owner", "survivor", "removed", "doc")
    several = rows.partition_by("owner", maintain_order=True)
    made = exchange_texts(work, uuid.uuid4().hex, documents, rows.select("doc", "owner", "anew"), len(several), anew)
    for values in map_rows(work, partial(_of_owner, compare, made), several):
        yield from values
    made.clear()


def _of_owner(compare: Callable[[pl.DataFrame], Value], made: TextExchange, rows: pl.DataFrame) -> list[Value]:
    texts = made.take(rows["owner"][0])
    whole = rows.join(texts, on=["doc", "anew"], how="inner", maintain_order="left")
    if missing := rows.filter(~pl.col("removed")).height - whole.filter(~pl.col("removed")).height:
        raise LookupError(f"{missing} survivors have no text")
    return [compare(batch) for batch in with_survivors(batches([whole]))]


def with_survivors(found: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Batches of survivors and what was removed for them, each of which begins with a survivor."""
    last = pl.DataFrame()
    for part in found:
        if part.is_empty():
            continue
        whole = pl.concat([last, part]) if part["removed"][0] else part
        last = whole.filter(~pl.col("removed")).tail(1)
        yield whole


def beside(part: pl.DataFrame) -> np.ndarray:
    """Row of the survivor of each removed document in such a batch, -1 for survivors."""
    removed = part["removed"].to_numpy()
    survivors = np.maximum.accumulate(np.where(removed, 0, np.arange(part.height)))
    return np.where(removed, survivors, -1)
