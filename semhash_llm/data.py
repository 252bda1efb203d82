"""Data of the caller: frames, tables, data sets and lists as input files, and kept rows in the same kind again."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from tasks.runtime.errors import InputError


class Given(NamedTuple):
    """Data as input of a run.

    Attributes:
        inputs: files, folders, globs or URLs.
        again: makes the same kind of data of rows by their numbers and of their texts; None for paths.
    """

    inputs: list[str]
    again: Callable[[list[int], list[str]], Any] | None


def given(data: Any, text: str, folder: Path) -> Given:
    """Take data as input, what is in memory as a file in `folder`.

    Args:
        data: frame of Polars or Pandas, table of Arrow, `datasets.Dataset`, list of texts or of dictionaries; a path,
            glob or URL as str or Path, or a list of Path.
        text: column with the text.
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
    table, again = _table(data, kind, text)
    path = folder / "given.parquet"
    pq.write_table(table, path)
    return Given([str(path)], again)


def _listed(data: list[Any], text: str, folder: Path) -> Given:
    bare = all(isinstance(one, str) for one in data)
    if not bare and not all(isinstance(one, dict) for one in data):
        raise InputError("a list must hold texts, dictionaries or paths, one kind of them")
    path = folder / "given.jsonl"
    path.write_bytes(b"".join(orjson.dumps({text: one} if bare else one, default=str) + b"\n" for one in data))

    def again(rows: list[int], texts: list[str]) -> list[Any]:
        if bare:
            return texts
        return [data[row] | {text: new} for row, new in zip(rows, texts, strict=True)]

    return Given([str(path)], again)


def _table(data: Any, kind: str, text: str) -> tuple[pa.Table, Callable[[list[int], list[str]], Any]]:
    if isinstance(data, pl.LazyFrame):
        data = data.collect()
    if isinstance(data, pl.DataFrame):
        return data.to_arrow(), lambda rows, texts: data[rows].with_columns(pl.Series(text, texts, pl.String))
    if isinstance(data, pa.Table):
        place = data.column_names.index(text) if text in data.column_names else 0
        return data, lambda rows, texts: data.take(rows).set_column(place, text, pa.array(texts, data[text].type))
    if kind == "pandas":
        return pa.Table.from_pandas(data, preserve_index=False), lambda rows, texts: data.iloc[rows].assign(
            **{text: texts}
        )
    if kind == "datasets":
        table = data.with_format("arrow")[:]
        return table, lambda rows, texts: data.select(rows).map(
            lambda _, row: {text: texts[row]}, with_indices=True, load_from_cache_file=False
        )
    raise InputError(f"{type(data).__name__} is no data that is read: give a frame, a table, a list or a path")
