"""Published documents: the kept ones without what is cut from them, beside the user's columns, part by part."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from models.lexical.text.spans import cut
from models.parameters import Extract
from tasks.ingest.readers.schema import conform
from tasks.ingest.user_columns import DOC, published_rows
from tasks.parallel.map_parts import Arrays, map_chunks
from tasks.parallel.runners import current
from tasks.remote.object_mirror import discard, fetch, lend
from tasks.storage.atomic import atomic_path
from tasks.storage.link_parts import link
from tasks.storage.parquet import read_columns, write_snapshot
from tasks.storage.part_bounds import part_bounds
from tasks.storage.row_numbers import keys, rows_among
from tasks.storage.tables import TableRef, one_part, part_name, parts, scan
from tasks.storage.work import Work

ROWS, PART_CHARS = 4096, 64 << 20
"""Documents of a part, and code points, unless one document alone has more."""


class Originals(NamedTuple):
    """Tables of documents and of the user's columns beside them, both in the order of documents."""

    documents: TableRef
    extras: TableRef


class Target(NamedTuple):
    """Where published parts go.

    Attributes:
        folder: where they stand in the end.
        first: number of the first of them.
        columns: how those of id and text are called.
        schema: of every part.
    """

    folder: Path
    first: int
    columns: Extract
    schema: pa.Schema


def write_documents(
    work: Work, originals: Originals, decisions: TableRef, spans: TableRef, target: Target
) -> Iterator[int]:
    """Write the parts one by one; yields how many documents each has.

    Args:
        work: what this is for; workers leave parts in its folder, from which they get their names in that of `target`.
        originals: whole texts; those of them are published that are kept.
        decisions: on each of them.
        spans: passages in kept ones, and which of them are cut.
        target: see `Target`.
    """
    kept = scan(decisions).filter(pl.col("action") != "remove", pl.col("canary").is_null()).select("doc")
    listed = scan(originals.documents).select("doc", "n_chars").join(kept, on="doc", how="semi").sort("doc").collect()
    cuts = scan(spans).filter("cut").select("doc", "start", "end").sort("doc", "start").collect()
    arrays = {
        "kept": listed["doc"].to_numpy(),
        "bounds": part_bounds(listed["n_chars"].cast(pl.Int64).to_numpy(), ROWS, PART_CHARS),
        "documents": _starts(originals.documents, "doc"),
        "extras": _starts(originals.extras, DOC),
        "cut": cuts["doc"].to_numpy(),
        "span": cuts.select("start", "end").to_numpy().astype(np.int64),
    }
    target.folder.mkdir(exist_ok=True)
    written = partial(_write, originals, target.columns, target.schema, work.path)
    numbers = range(len(arrays["bounds"]) - 1)
    for number, documents in zip(numbers, map_chunks(work, written, numbers, arrays), strict=True):
        place = work.path / part_name(number)
        link(fetch(place), target.folder / part_name(target.first + number))
        discard(place)
        yield documents


def published_in(decisions: TableRef, folder: Path) -> pl.DataFrame:
    """`doc`, `doc_id` and `action` of the documents that a first run kept, and the number of the `part` with each."""
    fates = scan(decisions).filter(pl.col("action") != "remove", pl.col("canary").is_null())
    kept = fates.select("doc", "doc_id", "action").sort("doc").collect()
    heights = [pq.read_metadata(path).num_rows for path in sorted(folder.glob("part-*.parquet"))]
    return kept.with_columns(part=pl.Series(np.repeat(np.arange(len(heights)), heights)))


def parts_in_reach(documents: TableRef, published: pl.DataFrame, number: int) -> NDArray[np.int64]:
    """Parts of the documents that can hold the originals of each published part.

    Args:
        documents: in the order of documents.
        published: see `published_in`.
        number: of published parts.

    Returns:
        int64[number, 2], the first part and the one behind the last.
    """
    ends = published.group_by("part").agg(low=pl.col("doc").min(), high=pl.col("doc").max())
    every = pl.DataFrame({"part": np.arange(number)}).join(ends, on="part", how="left", maintain_order="left")
    known = every.select("low", "high").fill_null(0).to_numpy()
    found = np.searchsorted(_starts(documents, "doc"), known, "right")
    return np.stack([np.maximum(found[:, 0] - 1, 0), np.maximum(found[:, 1], 1)], axis=1)


def shown_to_workers(work: Work, folder: Path, names: Iterable[str]) -> Path:
    """Folder where workers see published parts, wherever snapshots are: in the workspace, under second names."""
    if not current():
        return folder
    for name in names:
        link(folder / name, work.path / "shown" / name)
        lend(work.path / "shown" / name)
    return work.path / "shown"


def _starts(ref: TableRef, key: str) -> NDArray[np.int64]:
    """The least number in each part of a table; of a part without rows that of the next."""
    most = np.iinfo(np.int64).max
    least = [int(keys(path, key).min(initial=most)) for path in parts(ref)]
    return np.minimum.accumulate(np.array([*least, most])[::-1])[::-1][:-1]


def _write(originals: Originals, columns: Extract, schema: pa.Schema, folder: Path, arrays: Arrays, number: int) -> int:
    low, high = arrays["bounds"][number : number + 2]
    docs = arrays["kept"][low:high]
    texts = [
        pl.read_parquet(path, columns=["doc", "doc_id", "text"]).filter(pl.col("doc").is_in(pl.Series(docs).implode()))
        for path in _holding(originals.documents, arrays["documents"], docs)
    ]
    beside = [_rows(path, docs) for path in _holding(originals.extras, arrays["extras"], docs)]
    here = slice(*np.searchsorted(arrays["cut"], [docs[0], docs[-1] + 1])) if len(docs) else slice(0)
    several = arrays["span"][here]
    cuts = pl.DataFrame({"doc": arrays["cut"][here], "start": several[:, 0], "end": several[:, 1]})
    shown = cut_texts(pl.concat(texts).sort("doc"), cuts, "doc")
    rows = published_rows(columns, shown, pa.concat_tables(beside))
    place = folder / part_name(number)
    with atomic_path(place) as temporary:
        write_snapshot(conform(rows, schema), temporary)
    lend(place)
    return len(docs)


def _holding(ref: TableRef, starts: NDArray[np.int64], docs: NDArray[np.int64]) -> Iterator[Path]:
    """Parts that hold some documents, given in ascending order; of none, the first part."""
    ends = docs[[0, -1]] if len(docs) else starts[:1].repeat(2)
    first, last = np.searchsorted(starts, ends, "right") - 1
    return (one_part(ref, number) for number in range(max(first, 0), last + 1))


def _rows(path: Path, docs: NDArray[np.int64]) -> pa.Table:
    table = read_columns(path)
    return table.take(rows_among(table[DOC].to_numpy(), docs))


def cut_texts(documents: pl.DataFrame, spans: pl.DataFrame, key: str) -> pl.DataFrame:
    """Documents (`key`, `text`) without the passages (`key`, `start`, `end`) that are cut from them."""
    here = spans.join(documents.select(key), on=key, how="semi")
    if here.is_empty():
        return documents
    edits = dict(here.group_by(key).agg(pl.struct("start", "end")).iter_rows())
    name, text = pl.col(key), pl.col("text")
    hosts = documents.select(name, text).filter(name.is_in(list(edits)))
    shortened = {
        host: cut(whole, [(one["start"], one["end"]) for one in edits[host]]) for host, whole in hosts.iter_rows()
    }
    return documents.with_columns(text=name.replace_strict(shortened, default=text, return_dtype=pl.String))
