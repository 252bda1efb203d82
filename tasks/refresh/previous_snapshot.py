"""Previous snapshot, on which a refresh builds, with the index that it carries."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from data_contracts.schema import SchemaError
from data_contracts.schemas import SNAPSHOT
from models.parameters import Parameters
from tasks.ingest.readers.schema import align
from tasks.ingest.user_columns import DOC
from tasks.runtime.errors import DamageError, InputError
from tasks.runtime.run import Run
from tasks.snapshots.layout import manifest, published
from tasks.storage.checksums import damaged
from tasks.storage.link_parts import unite
from tasks.storage.row_numbers import keys, rows_among
from tasks.storage.tables import TableRef, glob, parts

INDEX = ("documents", "extras", "embeddings", "signatures", "windows")
"""Tables of an index that hold a row per document; beside them stand the frequencies and `index.json`."""


class Live(NamedTuple):
    """Live documents that tonight's can meet: their rows in the index, and the roster of what tonight leaves alone."""

    signatures: TableRef
    roster: TableRef
    embeddings: TableRef

    def places(self) -> dict[str, str]:
        """Patterns of their part files, as statements name them."""
        return {"live": glob(self.signatures), "roster": glob(self.roster)}


class Earlier(NamedTuple):
    """What was decided before tonight, as far as tonight may change it.

    Attributes:
        roster: live documents that tonight leaves alone.
        heirs: one row per removed document whose survivor may give way: `doc`, its `survivor`, and `copy_of`, the
            document with the same text that answers for it (null where it is checked itself).
    """

    roster: TableRef
    heirs: TableRef


def nothing_earlier(run: Run) -> Earlier:
    """What `curate` finds: nothing was published before."""
    return Earlier(unite(run, "roster", []), unite(run, "heirs", []))


class Base(NamedTuple):
    """A published snapshot and its index, as references to tables.

    Attributes:
        id: of the snapshot.
        generation: refreshes since the corpus was curated.
        next_doc: first document number that is free.
        arrived: distinct documents since the frequencies were counted.
        mean_entropy: of attention, frozen with the index (`eq:adaptive_band`).
        documents: original texts of all live documents, kept and removed.
        extras: the user's columns of these.
        embeddings: of distinct texts.
        signatures: of distinct texts.
        windows: of kept documents, for the search of fragments.
        frequencies: frozen with the index.
        decisions: one row per id that ever arrived.
        fragments: known passages.
        fragment_spans: where they stand in kept documents.
    """

    id: str
    generation: int
    next_doc: int
    arrived: int
    mean_entropy: float
    documents: TableRef
    extras: TableRef
    embeddings: TableRef
    signatures: TableRef
    windows: TableRef
    frequencies: TableRef
    decisions: TableRef
    fragments: TableRef
    fragment_spans: TableRef


class Night(NamedTuple):
    """What the snapshot after `base` is made of, beside the tables of every run.

    Attributes:
        base: the snapshot before.
        arrivals: what tonight means for each id.
        looked_at: documents that tonight's decisions name.
        rewritten: numbers of those that must be published anew, or are gone: `doc`, `doc_id`.
        decisions: rows by which the decisions differ.
        pairs: every pair that was judged tonight.
        windows: minimizers of tonight's kept documents.
    """

    base: Base
    arrivals: TableRef
    looked_at: TableRef
    rewritten: TableRef
    decisions: TableRef
    pairs: TableRef
    windows: TableRef

    @property
    def made_of(self) -> list[str]:
        """Fingerprints of all that it is made of."""
        return [self.base.id, *(ref.fingerprint for ref in self[1:])]


def open_base(out: Path, settings: list[str]) -> tuple[Base, Parameters]:
    """Open the snapshot that readers see now, with the parameters that it was made with.

    Args:
        out: output folder.
        settings: `section.key=value` where they are to differ.

    Raises:
        InputError: nothing is published, or by a version that wrote no index, or a setting cannot be used.
    """
    snapshot = published(out)
    if found := damaged(snapshot):
        raise InputError(
            f"{len(found)} files of snapshot {snapshot.name} are gone or damaged, for example {found[0]}: go back with "
            f"`semhash-llm rollback SNAPSHOT --out {out}`, or curate again"
        )
    try:
        known = describe_index(snapshot)
        parameters = Parameters.of_manifest(manifest(snapshot)["parameters"])
    except (DamageError, FileNotFoundError, ValueError) as error:
        raise InputError(
            f"snapshot {snapshot.name} holds no index that this version reads; publish it again: `semhash-llm curate`"
        ) from error
    index = snapshot / "index"
    inside = {name: _ref(snapshot, index / name) for name in INDEX}
    shown = {name: _ref(snapshot, snapshot / name) for name in ("decisions", "fragments", "fragment_spans")}
    _hold_columns(snapshot.name, shown.values())
    counted = TableRef("frequencies", str(index / "frequencies"), known["counted"], known["frequencies"])
    base = Base(
        id=snapshot.name,
        generation=known["generation"],
        next_doc=known["next_doc"],
        arrived=known["arrived"],
        mean_entropy=known["mean_entropy"],
        frequencies=counted,
        **inside,
        **shown,
    )
    try:
        return base, parameters.with_settings(settings)
    except ValueError as error:
        raise InputError(str(error)) from error


def _hold_columns(name: str, tables: Iterable[TableRef]) -> None:
    try:
        for ref in tables:
            for path in parts(ref):
                SNAPSHOT[ref.name].hold(pl.read_parquet_schema(path))
    except SchemaError as error:
        raise InputError(
            f"snapshot {name} was published by another version ({error}); publish it again: `semhash-llm curate`"
        ) from error


def describe_index(snapshot: Path) -> dict[str, Any]:
    """Content of `index.json` of a snapshot."""
    found: dict[str, Any] = json.loads((snapshot / "index" / "index.json").read_text())
    return found


def _ref(snapshot: Path, folder: Path) -> TableRef:
    rows = sum(pq.read_metadata(part).num_rows for part in folder.glob("part-*.parquet"))
    return TableRef(folder.name, str(folder), rows, f"{snapshot.name}/{folder.name}")


def fetch(ref: TableRef, docs: pl.Series, columns: list[str] | None = None) -> pl.DataFrame:
    """Read single rows of a table; of each part only the row groups that hold one of them.

    Args:
        ref: a table.
        docs: int64, the wanted values of `doc`; those that the table does not hold are left out.
        columns: names to read; default all.

    Returns:
        The rows in ascending order of `doc`.
    """
    names = None if columns is None else list(dict.fromkeys(["doc", *columns]))
    found = (pl.DataFrame(pl.from_arrow(rows)) for rows in _fetched(ref, docs, "doc", names))
    return pl.concat(found, how="diagonal_relaxed").sort("doc")


def fetch_columns(ref: TableRef, docs: pl.Series) -> pa.Table:
    """Read the user's columns of single documents, in ascending order of their numbers, in the types of Arrow."""
    return pa.concat_tables(align([*_fetched(ref, docs, DOC, None)])).sort_by(DOC)


def _fetched(ref: TableRef, docs: pl.Series, key: str, names: list[str] | None) -> Iterator[pa.Table]:
    """The rows part by part; at least one table, if only for its columns."""
    wanted = np.unique(docs.to_numpy()) if len(docs) else np.empty(0, np.int64)
    none_yet = True
    for path in parts(ref):
        here = rows_among(keys(path, key), wanted)
        if here.size or none_yet:
            none_yet = False
            with pq.ParquetFile(path, pre_buffer=True) as file:
                sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
                groups = np.unique(np.searchsorted(np.cumsum(sizes), here, side="right"))
                read = file.read_row_groups(groups.tolist(), names)
            # At once: the next part can have the memory.
            yield read.take(rows_among(read[key].to_numpy(), wanted))
