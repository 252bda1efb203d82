"""Links of parts into another table: hard links where no row changes, new files where some go."""

import os
import shutil
import uuid
from pathlib import Path

import polars as pl

from data_contracts.schemas import SNAPSHOT
from tasks.pipeline.registry import UNITE
from tasks.runtime.run import Run
from tasks.storage.atomic import atomic_path
from tasks.storage.parquet import FETCHED, write_published
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
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for number, path in enumerate(parts(ref), start=1):
        target = folder / part_name(number - 1)
        younger = _younger(ref.name, path)
        if gone.is_empty() and has_rows(path) and not younger:
            link(path, target)
            continue
        stays = ~pl.read_parquet(path, columns=[key])[key].cast(gone.dtype).is_in(gone.implode())
        if stays.any() and stays.all() and not younger:
            link(path, target)
        elif stays.any():
            save(pl.read_parquet(path).filter(stays).with_columns(**younger), target, group)
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
