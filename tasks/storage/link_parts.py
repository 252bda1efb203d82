"""Links of parts into another table: hard links where no row changes, new files where some go."""

import os
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from data_contracts.schemas import SNAPSHOT
from tasks.ingest.readers.schema import conform
from tasks.pipeline.registry import UNITE
from tasks.runtime.run import Run
from tasks.storage.atomic import atomic_path
from tasks.storage.parquet import FETCHED, read_columns, write_columns, write_published
from tasks.storage.row_numbers import has_rows
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, part_name, parts


def link(source: Path, target: Path) -> None:
    """Give a file that never changes a second name, or copy it where the file system cannot; replaces the target."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{uuid.uuid4().hex}.tmp")
    try:
        os.link(source, temporary)  # what it holds is on the disk already
        temporary.replace(target)
    except OSError:
        with atomic_path(target) as copied:
            shutil.copyfile(source, copied)
    finally:
        temporary.unlink(missing_ok=True)  # stays where both were names of one file


def unite(run: Run, name: str, refs: list[TableRef]) -> TableRef:
    """One table out of several of the same columns, without writing a row; out of none, one without rows."""
    with Stage(run, UNITE, refs, table=name) as stage:
        if not stage.finished:
            for number in [] if refs else stage.missing(1):
                stage.write(number, pl.DataFrame(schema=stage.table.schema))
            for number, path in enumerate(path for ref in refs for path in parts(ref)):
                link(path, stage.part(number))
    return stage.ref


def carry(ref: TableRef, folder: Path, key: str, gone: pl.Series, group: int | None = FETCHED) -> int:
    """Carry the parts of a table over to another folder, without the rows of those that are gone.

    A part of a published table that is older than a column of it is written again, with null in that column.

    Args:
        ref: the table.
        folder: where its parts are needed.
        key: column that names what a row is about.
        gone: values of `key` whose rows stay behind; compared as the type of these.
        group: rows of a row group where a part is written again; None: as many as it has.

    Returns:
        The number of the next part.
    """

    def rewrite(path: Path, stays: pl.Series, target: Path) -> None:
        save(pl.read_parquet(path).filter(stays).with_columns(**_younger(ref.name, path)), target, group)

    return _carry(ref, folder, key, gone, lambda path: bool(_younger(ref.name, path)), rewrite)


def carry_columns(ref: TableRef, folder: Path, key: str, gone: pl.Series, schema: pa.Schema | None = None) -> int:
    """Carry the parts of a table with the user's columns over, in the types of Arrow.

    Args:
        ref: see `carry`.
        folder: see `carry`.
        key: see `carry`.
        gone: see `carry`.
        schema: columns that every part is to have, so that they can be read as one table; None: those that it has.

    Returns:
        The number of the next part.
    """

    def rewrite(path: Path, stays: pl.Series, target: Path) -> None:
        table = read_columns(path)
        with atomic_path(target) as temporary:
            write_columns(conform(table.take(stays.arg_true().to_numpy()), schema or table.schema), temporary)

    return _carry(
        ref, folder, key, gone, lambda path: bool(schema and not pq.read_schema(path).equals(schema)), rewrite
    )


def _carry(
    ref: TableRef,
    folder: Path,
    key: str,
    gone: pl.Series,
    outdated: Callable[[Path], bool],
    rewrite: Callable[[Path, pl.Series, Path], None],
) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for number, path in enumerate(parts(ref), start=1):
        target = folder / part_name(number - 1)
        old = outdated(path)
        if gone.is_empty() and has_rows(path) and not old:
            link(path, target)
            continue
        stays = ~pl.read_parquet(path, columns=[key])[key].cast(gone.dtype).is_in(gone.implode())
        if stays.any() and stays.all() and not old:
            link(path, target)
        elif stays.any():
            rewrite(path, stays, target)
    return number


def _younger(name: str, path: Path) -> dict[str, pl.Expr]:
    """Columns that a published table has and a part of it lacks, which may be null."""
    columns = SNAPSHOT[name].columns if name in SNAPSHOT else {}
    lacking = columns.keys() - pl.read_parquet_schema(path).keys()
    return {column: pl.lit(None, columns[column].kind) for column in sorted(lacking) if columns[column].null}


def save(frame: pl.DataFrame, path: Path, group: int | None = FETCHED) -> None:
    """Write a part of a published table, in row groups of `group` rows."""
    with atomic_path(path) as temporary:
        write_published(frame, temporary, group)
