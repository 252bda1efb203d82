"""Extraction of input files → `documents`, `extras`, `rejects`: every row is in exactly one of documents or rejects."""

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import xxhash
from numpy.typing import NDArray
from prefect import task

import sql
from data_contracts.schemas import DOCUMENTS, REJECTS
from models.lexical.text import normalise, text_hash
from models.parameters import Extract
from tasks.ingest.canaries import Drawing
from tasks.ingest.discover import left_out
from tasks.ingest.document_order import place_rows
from tasks.ingest.readers import Columns, InputFile, Reject, discover, harmonise, listed_ids, read_all
from tasks.ingest.readers.batch import IS_JSON, LARGE, TEXT_PLACE
from tasks.ingest.user_columns import DOC, FILE, ROW
from tasks.parallel.map_parts import map_numbers
from tasks.parallel.runners import current
from tasks.pipeline.registry import EXTRACT
from tasks.quality.enforce_contracts import hold
from tasks.remote.object_mirror import discard, fetch, lend, of
from tasks.runtime.errors import InputError
from tasks.runtime.paths import readable
from tasks.runtime.progress import say, stage_progress
from tasks.runtime.run import Run
from tasks.runtime.visible import safe
from tasks.storage.parquet import write_columns, write_passing, write_texts
from tasks.storage.part_bounds import part_bounds
from tasks.storage.ragged_arrays import batches
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about

PART_BYTES = 64 << 20
"""Of text in a part: it is read as a whole."""
READ_BYTES = 64 << 20
"""Of files that are read together; a larger one is read by itself."""

NUMBERED = 1 << 17
"""Rows that are held while all are numbered."""
PUBLISHED = "published"
OF_DOCUMENTS = pa.schema(
    [
        (field.name, pa.string() if pa.types.is_string_view(field.type) else field.type)
        for field in DOCUMENTS.schema.to_arrow()
    ]
)
"""Columns of a part in the types of Arrow; a part holds far less text than a plain string column may.

From the schema alone: a frame would start the threads of Polars on import, and a process forked later waits for them.
"""


class Input(NamedTuple):
    """Input file and the hash of its bytes: the name under which its content is known."""

    file: InputFile
    sha256: str

    def told(self) -> dict[str, str | int]:
        """Entry of the manifest on it."""
        return {"path": self.file.told, "bytes": self.file.bytes, "sha256": self.sha256}


def survey(inputs: list[str]) -> list[Input]:
    """List the input files with the hash of each, and say which files of named folders are not read.

    Raises:
        InputError: what is named holds nothing to read.
    """
    if others := left_out(inputs):
        more = f" and {len(others) - 1:,} more" if others[1:] else ""
        say(f"left out, as of another kind: {safe(readable(others[0]))}{more}")
    found = []
    for file in discover(inputs) if inputs else []:
        found.append(Input(file, _sha256(file.path)))
    return found


def _sha256(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


class Extracted(NamedTuple):
    """Tables of this stage."""

    documents: TableRef
    extras: TableRef
    rejects: TableRef


@task(task_run_name="extract documents")
def extract(run: Run, inputs: list[str], protected: str | None) -> Extracted:
    """Read, validate, hash and number the input; plant the canaries.

    Without inputs, as on a night that only deletes, the canaries are all there is.
    """
    surveyed = survey(inputs)
    ids = sorted(listed_ids(Path(protected), "protected list")) if protected else []
    planted = run.parameters.gate.canaries and run.parameters.fragment.min_hosts
    recipe = [sorted((one.sha256, one.file.form.name, one.file.name, one.file.table) for one in surveyed), ids, planted]
    sections = (run.parameters.extract, run.parameters.gate)
    stages = (Stage(run, EXTRACT, [], *sections, extra=recipe, table=name) for name in Extracted._fields)
    documents, extras, rejects = stages
    with rejects, extras, documents:
        if not (documents.finished and extras.finished and rejects.finished):
            _extract(run, surveyed, ids, documents, extras, rejects)
    made = Extracted(documents.ref, extras.ref, rejects.ref)
    read = about(made.documents)["facts"]["input_rows"]
    facts = {"input_rows": read, "least_documents": 1 if inputs else 0}
    hold(run, EXTRACT, facts, documents=made.documents, rejects=made.rejects)
    return made


def _extract(run: Run, surveyed: list[Input], ids: list[str], documents: Stage, extras: Stage, rejects: Stage) -> None:
    scratch = run.workspace / "scratch" / documents.fingerprint
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    raw = str(scratch / "raw-*.parquet")
    rejected, rows, planted, own_columns = _read_all(documents, surveyed, scratch)
    with run.connect() as con:
        numbered = scratch / "numbered.parquet"
        priority = list(run.parameters.extract.source_priority)
        rows_numbered = sql.run(con, "stages/numbered_rows", raw=raw, source_priority=priority)
        write_passing(rows_numbered.to_arrow_reader(NUMBERED), numbered)
        protected = scratch / "protected.parquet"
        write_passing(pl.DataFrame({"doc_id": ids}, schema={"doc_id": pl.String}), protected)
        taken = sql.run(con, "stages/taken_ids", raw=raw, numbered=str(numbered)).pl()
        told = pl.DataFrame(rejected, schema=REJECTS.schema, orient="row")
        rejects.write(0, pl.concat([told, taken.cast(REJECTS.schema)]))
        places = {"numbered": str(numbered), "protected": str(protected)}
        described = sql.run(con, "stages/numbered_documents", **places).pl()
        order = sql.run(con, "stages/reading_order", numbered=str(numbered)).fetchnumpy()["doc"]
    _write_documents(documents, scratch, order, described)
    own = np.ones(described.height - planted, np.int64)
    bounds = part_bounds(own, run.parameters.extract.part_rows, len(own))
    place_rows(extras, sorted(scratch.glob("extras-*.parquet")), order[: rows - len(rejected)], bounds, write_columns)
    kept = pl.scan_parquet(numbered).filter(pl.col("doc").is_not_null())
    listed = pl.LazyFrame({"doc_id": ids}, schema={"doc_id": pl.String})
    unknown = listed.join(kept, on="doc_id", how="anti", maintain_order="left").collect()["doc_id"].to_list()
    if ids and len(unknown) == len(ids):
        raise InputError(f"none of the {len(ids)} protected ids occurs in the input, for example '{ids[0]}'")
    extras.facts = {"inputs": [one.told() for one in surveyed], **own_columns}
    documents.facts = {"input_rows": rows, "protected_unknown": unknown[:100]}
    documents.facts |= {"protected_unknown_count": len(unknown), "planted": planted}
    documents.counts = {"documents_in": rows, "documents_out": rows - len(rejected) - taken.height}
    shutil.rmtree(scratch)


class FilesRead(NamedTuple):
    """Files that were read and whose accepted rows are written: what is known of them.

    Attributes:
        bytes: of the files.
        rejects: rows that are no documents.
        rows: number of the others.
        drawing: texts drawn for canaries.
        json: names of columns that hold JSON.
    """

    bytes: int
    rejects: list[Reject]
    rows: int
    drawing: Drawing
    json: set[str]


def _read_all(stage: Stage, surveyed: list[Input], scratch: Path) -> tuple[list[Reject], int, int, dict[str, Any]]:
    """Write accepted rows and canaries as raw parts, and the user's columns in the same order.

    Workers read what they see as this process does: files here, with the same bytes, and the workspace.

    Returns:
        Rejected rows, the number of input rows, of canaries, and facts about the user's columns: those of no common
        type, with the types, and those that hold JSON.
    """
    run, files = stage.run, [one.file for one in surveyed]
    drawing, rejected, rows, json = Drawing(), list[Reject](), 0, set[str]()
    groups, store = _together(surveyed), of(run.workspace)
    numbers = range(len(groups))
    read = partial(_read_files, run.parameters.extract, scratch, layout_names(files), groups)
    here = not current() or len(groups) < 2 or any(file.url for file in files) or (store and store.apart)
    told = (None for _ in numbers) if here else map_numbers(stage, partial(_read_there, read, groups), numbers)
    with stage_progress(EXTRACT.name, sum(file.bytes for file in files), unit="bytes") as bar:
        for number, there in enumerate(told):
            found = there or read(number)
            rejected += found.rejects
            rows += found.rows
            drawing.join(found.drawing)
            json |= found.json
            bar.advance(found.bytes)
    if not surveyed:
        _write_none(scratch)
    as_text = harmonise(sorted(scratch.glob("extras-*.parquet")))
    if not rows and surveyed:
        said = "; ".join(f"{one.file} row {one.row}: {one.reason}" for one in rejected[:3])
        raise InputError(f"no usable document in the input ({said or 'it is empty'})")
    planted = _plant(run, drawing, scratch) if run.parameters.gate.canaries else 0
    return rejected, rows + len(rejected), planted, {"became_text": as_text, "json_columns": sorted(json)}


def _together(surveyed: list[Input]) -> list[list[Input]]:
    """Files in their order, as many together as hold `READ_BYTES`."""
    groups: list[list[Input]] = []
    size = 0
    for one in surveyed:
        if not groups or size + one.file.bytes > READ_BYTES:
            groups.append([])
            size = 0
        groups[-1].append(one)
        size += one.file.bytes
    return groups


def _read_there(read: Callable[[int], FilesRead], groups: list[list[Input]], number: int) -> FilesRead | None:
    """What a worker does: None where it does not have these files, or others of these names."""
    same = all(one.file.path.exists() and _sha256(one.file.path) == one.sha256 for one in groups[number])
    return read(number) if same else None


def _read_files(
    wanted: Extract, scratch: Path, names: dict[str, str], groups: list[list[Input]], number: int
) -> FilesRead:
    """Write the rows of a group of files."""
    files, drawing = [one.file for one in groups[number]], Drawing()
    rejects, rows, json = list[Reject](), 0, set[str]()
    for index, batch in enumerate(read_all(files, Columns.of(wanted), wanted.part_rows)):
        rejects += batch.rejects
        if batch.rows.num_rows:
            first, part = (number << 40) + rows, f"{number:06d}-{index:06d}"
            rows += batch.rows.num_rows
            position = pa.array(np.arange(first, first + batch.rows.num_rows))
            _write_raw(scratch, part, batch.rows, batch.files, position, drawing)
            places = [names[file] for file in batch.files.to_pylist()]
            own = batch.extras.append_column(FILE, pa.array(places, LARGE)).append_column(ROW, batch.rows["row"])
            write_passing(own, scratch / f"extras-{part}.parquet")
            json |= {field.name for field in batch.extras.schema if field.metadata == IS_JSON}
    return FilesRead(sum(file.bytes for file in files), rejects, rows, drawing, json)


def layout_names(files: list[InputFile]) -> dict[str, str]:
    """What each file is called where the layout of the input is kept: its name, or all of its path if it has a like."""
    counts = Counter(file.name for file in files)
    return {
        file.told: file.name + (f".{file.table}" if file.table else "")
        if counts[file.name] == 1
        else file.told.replace("://", "/").lstrip("/")
        for file in files
    }


def _write_none(scratch: Path) -> None:
    names = pa.array([], pa.large_string())
    columns = {"doc_id": names, "source": names, "text": names, "row": pa.array([], pa.int64())}
    _write_raw(scratch, "none", pa.table(columns), names, columns["row"])
    own = {TEXT_PLACE: names, FILE: names, ROW: columns["row"]}
    write_passing(pa.table(own), scratch / "extras-none.parquet")


def _plant(run: Run, drawing: Drawing, scratch: Path) -> int:
    """Add the canaries to the raw rows; they travel through every stage and are never published."""
    planted = drawing.planted(run.parameters)
    names = planted["canary_id"].to_list()
    columns = {
        "doc_id": pa.array(names, pa.large_string()),
        "source": pa.array(["__canary__"] * len(names), pa.large_string()),
        "text": pa.array(planted["text"].to_list(), pa.large_string()),
        "row": pa.array(range(1, len(names) + 1), pa.int64()),
    }
    files = pa.array(["__canary__"] * len(names), pa.large_string())
    nowhere = pa.nulls(len(names), pa.int64())
    _write_raw(scratch, "planted", pa.table(columns), files, nowhere, canary=planted["canary"])
    return len(names)


def _write_raw(
    scratch: Path,
    part: str,
    rows: pa.Table,
    files: pa.Array,
    position: pa.Array,
    drawing: Drawing | None = None,
    canary: pl.Series | None = None,
) -> None:
    texts = pl.Series(rows["text"])
    tags = [None] * rows.num_rows if canary is None else canary.to_list()
    text_ids, hashed = _hashes(rows["text"]), text_hashes(texts)
    if drawing:
        drawing.add(texts, text_ids, hashed)
    own = {
        "file": files,
        "row": rows["row"],
        "position": position,
        "given_id": rows["doc_id"],
        "text_id": pa.array(text_ids, pa.large_string()),
        "source": rows["source"],
        "text": rows["text"],
        "n_bytes": pc.binary_length(rows["text"]),
        "n_chars": texts.str.len_chars().cast(pl.Int32).to_arrow(),
        "text_hash": pa.array(hashed, pa.large_string()),
        "canary": pa.array(tags, pa.large_string()),
    }
    write_passing(pa.table(own), scratch / f"raw-{part}.parquet")


def _hashes(texts: pa.ChunkedArray) -> list[str]:
    """xxh3-128 of the UTF-8 of each text."""
    _, offsets, data = texts.combine_chunks().buffers()
    bounds = np.frombuffer(offsets, np.int64)[: len(texts) + 1].tolist()
    return [xxhash.xxh3_128_hexdigest(data[low:high]) for low, high in pairwise(bounds)]


def text_hashes(texts: pl.Series) -> list[str]:
    """Hash of each text once it is normalised."""
    return [one for batch in batches([texts.to_frame("text")]) for one in text_hash(normalise(batch["text"]))]


def _write_documents(stage: Stage, scratch: Path, order: NDArray[np.int64], described: pl.DataFrame) -> None:
    place = scratch / "described.parquet"
    write_passing(described.drop("n_bytes"), place)
    lend(place)
    bounds = part_bounds(described["n_bytes"].to_numpy(), stage.run.parameters.extract.part_rows, PART_BYTES)
    place_rows(
        stage, sorted(scratch.glob("raw-*.parquet")), order, bounds, partial(_write_part, place), OF_DOCUMENTS.names
    )
    discard(place)


def _write_part(described: Path, rows: pa.Table, path: Path) -> None:
    """Write rows with what numbering says of them. None was published before: a refresh adds those that were."""
    first = rows[DOC][0].as_py() if rows.num_rows else 0
    known = pl.scan_parquet(fetch(described)).slice(first, rows.num_rows).collect().to_arrow()
    for name in known.column_names:
        rows = rows.append_column(name, known[name])
    rows = rows.append_column(PUBLISHED, pa.repeat(False, rows.num_rows))
    write_texts(rows.select(OF_DOCUMENTS.names).cast(OF_DOCUMENTS), path)
