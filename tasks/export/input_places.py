"""Places of documents in the input: the file, as the index names it, and the row."""

from pathlib import Path

import polars as pl

from tasks.explain.archive import Archive
from tasks.ingest.user_columns import DOC, FILE, ROW
from tasks.storage.tables import TableRef, parts

UNKNOWN = "documents"
"""File of documents that were indexed before their places were."""


def places(archive: Archive) -> pl.DataFrame:
    """Every document that is not deleted, in the order of the input: its file and decision, and what is cut from it."""
    index = archive.path / "index"
    found = [_places(path) for path in parts(TableRef("extras", str(index / "extras"), 0, ""))]
    named = pl.concat([pl.read_parquet(path, columns=["doc", "doc_id"]) for path in _parts(index / "documents")])
    latest = named.sort("doc").unique("doc_id", keep="last", maintain_order=True)
    placed = latest.join(pl.concat(found), left_on="doc", right_on=DOC, how="left")
    decided = archive.table("decisions").filter(pl.col("action") != "delete").collect()
    cuts = archive.table("fragment_spans").filter("cut").sort("start").group_by("doc_id", maintain_order=True)
    spans = cuts.agg(cuts=pl.struct("start", "end")).collect()
    known = decided.join(placed, on="doc_id", how="left").join(spans, on="doc_id", how="left")
    return known.with_columns(pl.col(FILE).fill_null(UNKNOWN)).sort(FILE, ROW, "doc_id", nulls_last=True)


def _parts(folder: Path) -> list[Path]:
    return parts(TableRef(folder.name, str(folder), 0, ""))


def _places(path: Path) -> pl.DataFrame:
    kinds = {DOC: pl.Int64, FILE: pl.String, ROW: pl.Int64}
    held = [name for name in kinds if name in pl.read_parquet_schema(path)]
    read = pl.read_parquet(path, columns=held)
    return read.select(pl.col(name) if name in held else pl.lit(None).alias(name) for name in kinds).cast(kinds)  # type: ignore[arg-type]
