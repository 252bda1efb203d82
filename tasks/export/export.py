"""Export of what is published: rows of documents, decisions on them, or Dolma's attributes, here or to a store."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import orjson
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from tasks.explain.archive import Archive
from tasks.export.input_places import places
from tasks.export.row_order import in_order
from tasks.export.writers import file_name, writer
from tasks.ingest.remote import upload
from tasks.ingest.user_columns import FILE
from tasks.runtime.errors import InputError
from tasks.storage.tables import TableRef, parts

Written = Literal["documents", "decisions", "attributes"]
ROWS = 1 << 16
"""Of a file where the layout of the input is not kept."""
ROOM = 1 << 29
"""Bytes of documents that are put in order in memory."""
REMOVED, CUT = "semhash_llm__removed", "semhash_llm__cut"
"""Attributes: the whole text of what goes, and passages that are cut."""
COLUMNS = ("action", "type", "survivor_id", "reason", "cuts")
"""Of a decision, behind the id."""


class Export(NamedTuple):
    """What to write, and how.

    Attributes:
        written: rows of documents, decisions on all documents, or attributes of them.
        keep_layout: files, order and formats of the input; else files of our own. None: if the input is several files.
        ending: extension of files where that is free, `parquet` or `jsonl.zst`.
    """

    written: Written = "documents"
    keep_layout: bool | None = None
    ending: str = "parquet"


def export(out: Path, target: str, wanted: Export) -> list[str]:
    """Write what is published under `out` to a folder or URL, which must not hold anything; returns the file names.

    Raises:
        InputError: nothing is published, or the target cannot take it.
    """
    with ExitStack() as stack:
        archive = stack.enter_context(Archive.current(out))
        if "://" not in target:
            folder = Path(target).expanduser()
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise InputError(f"'{target}' is not empty: name a new folder, nothing is written over")
            return _written(archive, folder, wanted)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="semhash-export-")))
        names = _written(archive, folder, wanted)
        upload(folder, target)
        return names


def _written(archive: Archive, folder: Path, wanted: Export) -> list[str]:
    known = places(archive)
    if wanted.written == "documents":
        kept = known.filter(pl.col("action") != "remove")
        names = _names(kept, wanted, wanted.ending)
        return _write(
            folder,
            names,
            _documents(archive, kept["doc_id"], folder),
            frozenset(archive.manifest.get("json_columns", [])),
        )
    if wanted.written == "decisions":
        names = _names(known, wanted, wanted.ending)
        rows = known.select(pl.col("doc_id").alias(archive.id_column), *COLUMNS)
        return _write(folder, names, iter([rows.to_arrow()]))
    names = [f"{name}.jsonl.zst" if _is_columnar(name) else name for name in _names(known, wanted, "jsonl.zst")]
    return _write(folder, names, iter([_attributes(known)]), frozenset({"attributes"}))


def _names(rows: pl.DataFrame, wanted: Export, ending: str) -> list[str]:
    """File of each row, rows of a file one after the other."""
    files = rows[FILE].unique().to_list()
    if len(files) > 1 if wanted.keep_layout is None else wanted.keep_layout:
        named = {name: file_name(name) for name in files}
        return [named[name] for name in rows[FILE].to_list()]
    return [f"part-{index // ROWS:05d}.{ending}" for index in range(rows.height)]


def _is_columnar(name: str) -> bool:
    return not any(sign in name for sign in (".json", ".ndjson"))


def _write(folder: Path, names: list[str], tables: Iterator[pa.Table], json: frozenset[str] = frozenset()) -> list[str]:
    """Rows of tables into their files; `names` is the file of each row."""
    folder.mkdir(parents=True, exist_ok=True)
    first, open_name = 0, None
    with ExitStack() as stack:
        for table in tables:
            here = np.array(names[first : first + table.num_rows], dtype=object)
            first += table.num_rows
            bounds = np.flatnonzero(here[1:] != here[:-1]) + 1
            for low, high in zip([0, *bounds.tolist()], [*bounds.tolist(), len(here)], strict=True):
                if low == high:
                    continue
                if here[low] != open_name:
                    stack.close()
                    open_name = here[low]
                    sink = stack.enter_context(writer(folder / open_name, table.schema, json))
                sink.write(table.slice(low, high - low))
    return list(dict.fromkeys(names))


def _documents(archive: Archive, ids: pl.Series, folder: Path) -> Iterator[pa.Table]:
    """Published rows in the order of `ids`; a text that was made of other columns is none of the user's."""
    paths = parts(TableRef("documents", str(archive.path / "documents"), 0, ""))
    rank = pl.DataFrame({"id": ids}).with_row_index("rank")
    shown = pl.concat([pl.read_parquet(path, columns=[archive.id_column]) for path in paths])
    named = shown.select(id=pl.col(archive.id_column).cast(pl.String))
    order = named.join(rank, on="id", how="left", maintain_order="left")["rank"].cast(pl.Int64)
    schema = pq.read_schema(paths[0])
    if archive.parameters.extract.text_from:
        schema = schema.remove(schema.get_field_index(archive.text_column))
    with tempfile.TemporaryDirectory(dir=folder.parent if folder.parent.exists() else None) as scratch:
        for table in in_order(paths, order.to_numpy(), ROOM, Path(scratch)):
            yield table.select(schema.names).cast(schema)


def _attributes(known: pl.DataFrame) -> pa.Table:
    rows = known.select("doc_id", "action", "n_chars", "cuts").iter_rows()
    made = []
    for doc_id, action, size, cuts in rows:
        told = {REMOVED: [[0, size, 1.0]]} if action == "remove" else {}
        if cuts and action != "remove":
            told[CUT] = [[one["start"], one["end"], 1.0] for one in cuts]
        made.append((doc_id, orjson.dumps(told).decode()))
    return pa.table({"id": [doc_id for doc_id, _ in made], "attributes": [told for _, told in made]})
