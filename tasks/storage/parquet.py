"""Parquet files: one way of writing them for each purpose."""

import errno
import os
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

FETCHED = 256
"""Rows of a row group where single documents are fetched later: what is read for one of them.

Who reads all of a table pays for each group: with four times as many a whole run takes a tenth more, a night no less.
"""


def write_part(frame: pl.DataFrame, path: Path, group: int | None = None, *, dense: bool = False) -> None:
    """A part of a table of the workspace, in row groups of `group` rows.

    What is `dense`, such as hashes, is written as it is: compressing it would save an eighth. How the frame was put
    together does not show in the bytes: of chunks, polars would make row groups.

    Raises:
        OSError: no space is left on the disk.
    """
    frame = frame.rechunk()
    try:
        if dense:
            frame.write_parquet(path, compression="uncompressed", statistics=False, row_group_size=group)
        else:
            frame.write_parquet(path, compression="zstd", compression_level=1, statistics=False, row_group_size=group)
    except pl.exceptions.ComputeError as error:
        # So polars calls a disk that is full just where the footer begins.
        if "transport error" not in str(error):
            raise
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path)) from error


def write_texts(table: pa.Table, path: Path) -> None:
    """A part of the documents, of which single rows are fetched; compressing small columns would save nothing.

    Texts are read by a handful of stages and contracts: lz4 takes them half as much to undo as zstd.
    """
    pq.write_table(
        table,
        path,
        compression={name: "lz4" if name == "text" else "none" for name in table.schema.names},
        use_dictionary=["source"],
        write_statistics=False,
        row_group_size=FETCHED,
    )


def write_columns(table: pa.Table, path: Path) -> None:
    """A part of the user's columns, in the types of Arrow, of which single rows are fetched."""
    pq.write_table(table, path, compression="zstd", compression_level=1, use_dictionary=False, row_group_size=FETCHED)


def read_columns(path: Path, columns: list[str] | None = None) -> pa.Table:
    """What `write_columns` wrote; names of folders like `a=b` make no columns."""
    with pq.ParquetFile(path) as file:
        return file.read(columns)


def write_relation(rows: duckdb.DuckDBPyRelation, path: Path) -> None:
    """The rows of a statement, which do not pass through Python."""
    rows.write_parquet(str(path), compression="zstd")


def write_published(frame: pl.DataFrame, path: Path, group: int | None = None) -> None:
    """A part of a published table: statistics help whoever asks it for some of its rows."""
    frame.rechunk().write_parquet(path, compression="zstd", compression_level=1, row_group_size=group)


def write_snapshot(rows: pl.DataFrame | pa.Table, path: Path) -> None:
    """A part of a snapshot as it was made: texts are hardly ever equal, so no dictionary of them."""
    table = rows.to_arrow() if isinstance(rows, pl.DataFrame) else rows
    pq.write_table(table, path, compression="zstd", use_dictionary=False)


def write_passing(rows: pl.DataFrame | pa.Table | pa.RecordBatchReader, path: Path) -> None:
    """What is read once and removed: compressing it would take longer."""
    if isinstance(rows, pl.DataFrame):
        rows = rows.to_arrow()
    with pq.ParquetWriter(
        path, rows.schema, compression="none", use_dictionary=False, write_statistics=False
    ) as writer:
        for some in [rows] if isinstance(rows, pa.Table) else rows:
            writer.write(some)


def write_answers(frame: pl.DataFrame, path: Path) -> None:
    """What people or a language model have answered, which cannot be made again: every page has its checksum."""
    pq.write_table(frame.to_arrow(), path, write_page_checksum=True)
