"""Snapshot opened for questions about single documents, with its index and, while it stands, the workspace."""

import difflib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
import polars as pl
import pyarrow.parquet as pq

from models.lexical.text import spans
from models.parameters import Parameters
from tasks.runtime.errors import InputError
from tasks.snapshots.layout import manifest
from tasks.snapshots.locks import reading
from tasks.snapshots.store import pull
from tasks.storage.tables import TableRef, scan

SUGGESTIONS = 5
COMPARED_IDS = 20_000
"""Ids of about the right length that are compared with an unknown one."""
ROWS_AT_A_TIME = 1 << 18
"""Rows of a large table of which a question is asked at a time."""


class Archive:
    """Snapshot reader: its tables and the texts of its documents."""

    def __init__(self, snapshot: Path) -> None:
        self.path = snapshot
        self.manifest = manifest(snapshot)
        wanted = self.parameters.extract
        self.id_column, self.text_column = wanted.id_name, wanted.text_column

    @classmethod
    @contextmanager
    def current(cls, out: Path) -> Iterator[Self]:
        """The published snapshot under `out`, safe from `gc` in the block; raises InputError when there is none."""
        pull(out)
        with reading(out) as snapshot:
            yield cls(snapshot)

    @property
    def parameters(self) -> Parameters:
        """Parameters of the run that made it, as far as this version knows them."""
        return Parameters.of_manifest(self.manifest["parameters"])

    def table(self, name: str) -> pl.LazyFrame:
        """Table of the snapshot."""
        return _scan(self._parts(name))

    def by_part(self, name: str, question: Callable[[pl.LazyFrame], pl.LazyFrame]) -> pl.DataFrame:
        """Rows that a question finds in a table, which is read some parts at a time: it may have all pairs.

        The few strings that are found are copied: a view of them keeps the page that they stood on.
        """
        whole = self.table(name).collect_schema()
        parts = self._parts(name)
        ends = np.cumsum([pq.read_metadata(part).num_rows for part in parts]) // ROWS_AT_A_TIME
        several = [[part for part, end in zip(parts, ends, strict=True) if end == here] for here in np.unique(ends)]
        found = (question(_scan(few, whole)).collect() for few in several)
        copied = (pl.from_arrow(rows.to_arrow(compat_level=pl.CompatLevel.oldest())) for rows in found)
        return pl.concat([cast(pl.DataFrame, rows) for rows in copied])

    def working(self, name: str) -> pl.LazyFrame | None:
        """Table of the run in its workspace, or None when the workspace is gone."""
        found = sorted(Path(self.manifest["tables"][name]).glob("part-*.parquet"))
        return pl.scan_parquet(found) if found else None

    def decision(self, doc_id: str) -> dict[str, Any]:
        """Row of `decisions` of a document.

        Raises:
            InputError: no document has this id; the message says what comes near.
        """
        found = self.table("decisions").filter(pl.col("doc_id") == doc_id).collect()
        if found.is_empty():
            raise InputError(f"no document '{doc_id}' in snapshot {self.manifest['snapshot']}{self._hints(doc_id)}")
        return found.row(0, named=True)

    def cuts(self, doc_id: str) -> pl.DataFrame:
        """Rows of `fragment_spans` of a document that were cut, in the order of the text."""
        here = (pl.col("doc_id") == doc_id) & pl.col("cut")
        return self.table("fragment_spans").filter(here).sort("start").collect()

    def restored(self, doc_id: str) -> str:
        """Original text of a kept document, put together from the published text and what was cut from it.

        Raises:
            InputError: the document is not among the published ones.
        """
        wanted = self.table("documents").filter(pl.col(self.id_column).cast(pl.String) == doc_id)
        texts = wanted.select(self.text_column).collect().to_series()
        if texts.is_empty():
            raise InputError(f"document '{doc_id}' is missing from {self.path / 'documents'}")
        return spans.restore(texts[0], self.cuts(doc_id).select("start", "text").rows())

    def originals(self, doc_ids: Collection[str]) -> dict[str, str]:
        """Original texts by id of documents that were kept or removed; a deleted one has none any more.

        All ids are read and, of texts, only those that are asked for; of a document that changed the last.
        """
        named = scan(self._documents).filter(pl.col("doc_id").is_in([*doc_ids])).select("doc", "doc_id", "text")
        return dict(named.collect().sort("doc").select("doc_id", "text").iter_rows())

    def published(self, doc_ids: Collection[str]) -> dict[str, str]:
        """Texts by id of documents that are published, as readers see them."""
        named = self.table("documents").select(id=pl.col(self.id_column).cast(pl.String), text=self.text_column)
        return dict(named.filter(pl.col("id").is_in([*doc_ids])).collect().iter_rows())

    def numbers(self, *doc_ids: str) -> dict[str, int]:
        """Document numbers by id, as working tables have them; of a document that changed the last."""
        named = scan(self._documents).filter(pl.col("doc_id").is_in(doc_ids)).select("doc_id", "doc")
        return dict(named.sort("doc").collect().iter_rows())

    def text_hashes(self, doc_ids: pl.Series) -> pl.DataFrame:
        """Hashes of the normalised texts, `doc_id` and `text_hash`; of a document that changed the last."""
        named = scan(self._documents).filter(pl.col("doc_id").is_in(doc_ids.implode()))
        found = named.select("doc", "doc_id", "text_hash").sort("doc").collect()
        return found.unique("doc_id", keep="last", maintain_order=True).drop("doc")

    def _parts(self, name: str) -> list[Path]:
        return sorted((self.path / name).glob("*.parquet"))

    @property
    def _documents(self) -> TableRef:
        return TableRef("documents", str(self.path / "index" / "documents"), 0, "")

    def _hints(self, doc_id: str) -> str:
        rejected = self._rejected(doc_id)
        near = self._near(doc_id)
        return f"{rejected}; did you mean {', '.join(near)}?" if near else f"{rejected}; no id comes near"

    def _rejected(self, doc_id: str) -> str:
        file, _, row = doc_id.rpartition(":")
        mentioned = pl.any_horizontal(pl.col("reason", "excerpt").str.contains(doc_id, literal=True))
        at_row = pl.col("file").str.ends_with(file) & (pl.col("row").cast(pl.String) == row) & bool(file)
        rejects = self.table("rejects")
        its_own = pl.col("doc_id") == doc_id if "doc_id" in rejects.collect_schema() else pl.lit(False)  # made before
        found = rejects.filter(its_own | mentioned | at_row).sort(its_own, descending=True).head(1).collect()
        if found.is_empty() or not doc_id:
            return ""
        row_of_it = found.row(0, named=True)
        return f"; row {row_of_it['row']} of {row_of_it['file']} was rejected: {row_of_it['reason']}"

    def _near(self, doc_id: str) -> list[str]:
        ids = self.table("decisions").select("doc_id")
        lowered = doc_id.lower()
        holding = ids.filter(pl.col("doc_id").str.to_lowercase().str.contains(lowered, literal=True))
        found = (
            holding.sort(pl.col("doc_id").str.len_chars(), "doc_id").head(SUGGESTIONS).collect().to_series().to_list()
        )
        length = pl.col("doc_id").str.len_chars().cast(pl.Int64)
        alike = ids.filter((length - len(doc_id)).abs() <= 3).head(COMPARED_IDS).collect().to_series().to_list()
        close = difflib.get_close_matches(doc_id, alike, SUGGESTIONS)
        return list(dict.fromkeys([*close, *(found if doc_id else [])]))[:SUGGESTIONS]


def restore(out: Path, doc_id: str) -> str:
    """Exact original text: the published one with its passages put back, or from the index for a removed one.

    Args:
        out: folder of the snapshots.
        doc_id: id of a document of the published snapshot.

    Raises:
        InputError: nothing is published, no document has this id, or it was deleted.
    """
    with Archive.current(out) as archive:
        fate = archive.decision(doc_id)
        if fate["action"] == "delete":
            raise InputError(f"document '{doc_id}' was deleted, and its text with it")
        if fate["action"] != "remove":
            return archive.restored(doc_id)
        return archive.originals([doc_id])[doc_id]


def _scan(parts: list[Path], schema: pl.Schema | None = None) -> pl.LazyFrame:
    return pl.scan_parquet(parts, schema=schema, missing_columns="insert", extra_columns="ignore")
