"""Tables: references to them, their part files, and reading them whole, by parts or lazily."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import polars as pl

from tasks.remote.object_mirror import DONE, fetch, listed


class TableRef(NamedTuple):
    """Reference to a finished table: all that travels between tasks.

    No dictionary: Prefect would take the keys that all of them share for results, and draw arrows between all tasks.
    """

    name: str
    path: str
    rows: int
    fingerprint: str


def sealed(path: Path) -> TableRef:
    """Reference to the finished table in a folder."""
    name, fingerprint = path.name.rsplit("-", 1)
    return TableRef(name, str(path), json.loads((path / DONE).read_text())["rows"], fingerprint)


def part_name(index: int) -> str:
    """File name of part `index` of a table."""
    return f"part-{index:05d}.parquet"


def glob(ref: TableRef) -> str:
    """Pattern of a table's part files, for `read_parquet`."""
    return f"{ref.path}/part-*.parquet"


def parts(ref: TableRef) -> list[Path]:
    """Part files of a table in order."""
    return [fetch(path) for path in listed(Path(ref.path))]


def one_part(ref: TableRef, index: int) -> Path:
    """One part file of a table; a worker has no need to fetch the others."""
    return fetch(listed(Path(ref.path))[index])


def frames(found: duckdb.DuckDBPyRelation, rows: int) -> Iterator[pl.DataFrame]:
    """Result of a statement in frames of at most `rows` rows; of none, one frame with its columns."""
    reader = found.to_arrow_reader(rows)
    first = next(reader, None)
    yield pl.DataFrame(pl.from_arrow(reader.schema.empty_table() if first is None else first))
    for batch in reader:
        yield pl.DataFrame(pl.from_arrow(batch))


def distinct_part(path: Path, copies: pl.DataFrame, columns: list[str] | None = None) -> pl.DataFrame:
    """One part of `documents`, or some of its columns, without the exact copies (`copies`: a column `doc`)."""
    return pl.read_parquet(path, columns=columns).join(copies, on="doc", how="anti", maintain_order="left")


def scan(ref: TableRef) -> pl.LazyFrame:
    """Lazy view of a table in the order of its rows."""
    return pl.scan_parquet(parts(ref))


def texts_of(documents: TableRef, wanted: pl.Series) -> dict[int, str]:
    """Text by document number."""
    chosen = pl.LazyFrame({"doc": wanted.unique()})
    rows = scan(documents).select("doc", "text").join(chosen, on="doc", how="semi").collect()
    return dict(rows.iter_rows())


def characters_of(documents: TableRef, planted: bool = False) -> int:
    """Code points of the user's texts, or of the planted ones, which a sum of the column's own type would not hold.

    Sizes of tables follow from it, and from these what collides: planted documents must change nothing there.
    """
    chosen = scan(documents).filter(pl.col("canary").is_not_null() == planted)
    return int(chosen.select(pl.col("n_chars").cast(pl.Int64).sum()).collect().item())


def about(ref: TableRef) -> dict[str, Any]:
    """The table's own record: rows, counts, facts, seconds, peak memory."""
    record: dict[str, Any] = json.loads((Path(ref.path) / DONE).read_text())
    return record
