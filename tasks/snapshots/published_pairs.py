"""Published pairs: verified pairs of the user's documents, under their ids, part by part."""

from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq

from data_contracts.schemas import SNAPSHOT
from tasks.parallel.map_parts import Arrays, map_chunks
from tasks.remote.object_mirror import discard, fetch, lend
from tasks.storage.atomic import atomic_path
from tasks.storage.link_parts import link
from tasks.storage.parquet import write_snapshot
from tasks.storage.tables import TableRef, one_part, part_name, parts, scan
from tasks.storage.work import Work

ROWS = 1 << 18
"""Pairs of a part, about."""


def write_pairs(work: Work, verified: TableRef, decisions: TableRef, folder: Path, first: int) -> None:
    """Write the pairs, in each part in the order of documents.

    Args:
        work: what this is for; workers leave parts in its folder, from which they get their names in `folder`.
        verified: pairs by the numbers of documents.
        decisions: which ids these have, and which of them were planted.
        folder: of the table in the snapshot.
        first: number of the first part.
    """
    ids = work.path / "ids.arrow"
    named = scan(decisions).select("doc", "doc_id", own=pl.col("canary").is_null()).sort("doc")
    named.collect().write_ipc(ids)
    lend(ids)
    write, bounds = partial(_write, verified, ids, work.path), np.array(_bounds(verified))
    folder.mkdir(exist_ok=True)
    written = first
    for number, rows in enumerate(map_chunks(work, write, range(len(bounds) - 1), {"bounds": bounds})):
        place = work.path / f"pairs-{part_name(number)}"
        if rows or not any(folder.iterdir()):
            link(fetch(place), folder / part_name(written))
            written += 1
        discard(place)
    discard(ids)


def _bounds(verified: TableRef) -> list[int]:
    """Which parts go together into one."""
    heights = [pq.read_metadata(path).num_rows for path in parts(verified)]
    bounds, held = [0], 0
    for number, height in enumerate(heights):
        if held and held + height > ROWS:
            bounds.append(number)
            held = 0
        held += height
    return [*bounds, len(heights)]


def _write(verified: TableRef, ids: Path, folder: Path, arrays: Arrays, number: int) -> int:
    several = range(*arrays["bounds"][number : number + 2])
    pairs = pl.concat([pl.read_parquet(one_part(verified, part)) for part in several]).sort("a", "b")
    named = pl.read_ipc(fetch(ids))
    doc = named["doc"].to_numpy()
    at = [np.minimum(np.searchsorted(doc, pairs[side]), len(doc) - 1) for side in ("a", "b")]
    known = np.all([doc[place] == pairs[side].to_numpy() for side, place in zip(("a", "b"), at, strict=True)], axis=0)
    one, other = (named[place] for place in at)
    shown = pairs.select(one["doc_id"].alias("a_id"), other["doc_id"].alias("b_id"), pl.exclude("a", "b"))
    shown = shown.filter(one["own"] & pl.Series(known))
    SNAPSHOT["verified"].hold(shown.schema)
    place = folder / f"pairs-{part_name(number)}"
    with atomic_path(place) as temporary:
        write_snapshot(shown, temporary)
    lend(place)
    return shown.height
