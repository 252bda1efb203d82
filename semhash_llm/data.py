"""Data of the caller: frames, tables, data sets and lists as input files, and kept rows in the same kind again."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from tasks.runtime.errors import InputError


class Rows(NamedTuple):
    """Rows of data of some kind.

    Attributes:
        take: makes the same kind of data of rows by their numbers.
        put: puts texts into the column of a name of what was taken.
    """

    take: Callable[[list[int]], Any]
    put: Callable[[Any, str, list[str]], Any]


class Given(NamedTuple):
    """Data as input of a run: files, folders, globs or URLs; and its rows, unless it is paths."""

    inputs: list[str]
    rows: Rows | None


def given(data: Any, text: str, folder: Path) -> Given:
    """Take data as input, what is in memory as a file in `folder`.

    Args:
        data: frame of Polars or Pandas, table of Arrow, `datasets.Dataset`, list of texts or of dictionaries; a path,
            glob or URL as str or Path, or a list of Path.
        text: column for the texts of a list of such.
        folder: for what is in memory.

    Raises:
        InputError: it is none of these.
    """
    if isinstance(data, str | Path):
        return Given([str(data)], None)
    if isinstance(data, Sequence) and data and all(isinstance(one, Path) for one in data):
        return Given([str(one) for one in data], None)
    kind = type(data).__module__.partition(".")[0]
    if isinstance(data, list):
        return _listed(data, text, folder)
    table, rows = _table(data, kind)
    path = folder / "given.parquet"
    pq.write_table(table, path)
    return Given([str(path)], rows)


def _listed(data: list[Any], text: str, folder: Path) -> Given:
    bare = all(isinstance(one, str) for one in data)
    if not bare and not all(isinstance(one, dict) for one in data):
        raise InputError("a list must hold texts, dictionaries or paths, one kind of them")
    path = folder / "given.jsonl"
    path.write_bytes(b"".join(orjson.dumps({text: one} if bare else one, default=str) + b"\n" for one in data))

    def put(some: list[Any], name: str, texts: list[str]) -> list[Any]:
        return texts if bare else [one | {name: new} for one, new in zip(some, texts, strict=True)]

    return Given([str(path)], Rows(lambda rows: [data[row] for row in rows], put))


def _table(data: Any, kind: str) -> tuple[pa.Table, Rows]:
    if isinstance(data, pl.LazyFrame):
        data = data.collect()
    if isinstance(data, pl.DataFrame):
        return data.to_arrow(), Rows(
            lambda rows: data[rows],
            lambda some, name, texts: some.with_columns(pl.Series(name, texts, pl.String)),
        )
    if isinstance(data, pa.Table):
        data = _without_views(data)
        return data, Rows(
            data.take,
            lambda some, name, texts: some.set_column(
                some.column_names.index(name), name, pa.array(texts, some[name].type)
            ),
        )
    if kind == "pandas" and hasattr(data, "columns"):
        return pa.Table.from_pandas(data, preserve_index=False), Rows(
            lambda rows: data.iloc[rows],
            lambda some, name, texts: some.assign(**{name: texts}),
        )
    if kind == "datasets" and hasattr(data, "select"):
        return data.with_format("arrow")[:], Rows(data.select, _put_into_dataset)
    splits = (
        f", one of its splits ({', '.join(map(str, data))})" if kind == "datasets" and isinstance(data, dict) else ""
    )
    raise InputError(f"{type(data).__name__} is no data that is read: give a frame, a table, a list or a path{splits}")


def _without_views(table: pa.Table) -> pa.Table:
    """The table with views of texts and bytes as such: Arrow takes no rows of views."""
    plain = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    fields = [field.with_type(plain.get(field.type, field.type)) for field in table.schema]
    return table.cast(pa.schema(fields, table.schema.metadata))


def _put_into_dataset(some: Any, name: str, texts: list[str]) -> Any:
    """Rows of a data set with texts in one column, put there without a progress bar."""
    datasets = import_module("datasets")
    hidden = datasets.are_progress_bars_disabled()
    datasets.disable_progress_bars()
    try:
        return some.map(lambda _, row: {name: texts[row]}, with_indices=True, load_from_cache_file=False)
    finally:
        if not hidden:
            datasets.enable_progress_bars()
