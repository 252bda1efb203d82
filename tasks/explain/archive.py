"""A snapshot opened for questions about single documents, with the workspace behind it while that stands."""

import difflib
from collections.abc import Collection
from pathlib import Path
from typing import Any, Self

import polars as pl

from models.lexical import spans
from tasks.errors import InputError
from tasks.snapshot import manifest, published

SUGGESTIONS = 5
COMPARED_IDS = 20_000
"""Ids of about the right length that are compared with an unknown one."""


class Archive:
    """Tables of a snapshot and texts of its documents."""

    def __init__(self, snapshot: Path) -> None:
        self.path = snapshot
        self.manifest = manifest(snapshot)
        wanted = self.manifest["parameters"]["extract"]
        self.id_column: str = wanted["id_column"] or "doc_id"
        self.text_column: str = wanted["text_column"]

    @classmethod
    def current(cls, out: Path) -> Self:
        """The published snapshot under `out`; raises InputError when there is none."""
        return cls(published(out))

    def table(self, name: str) -> pl.LazyFrame:
        """Table of the snapshot."""
        return pl.scan_parquet(sorted((self.path / name).glob("*.parquet")))

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
        """Original texts by id, as far as the workspace or the snapshot still has them."""
        documents = self.working("documents")
        if documents is not None:
            wanted = pl.LazyFrame({"doc_id": list(doc_ids)}, schema={"doc_id": pl.String})
            return dict(documents.select("doc_id", "text").join(wanted, on="doc_id", how="semi").collect().iter_rows())
        kept = self.table("decisions").filter(pl.col("doc_id").is_in(list(doc_ids)) & (pl.col("action") != "remove"))
        return {doc_id: self.restored(doc_id) for doc_id in kept.select("doc_id").collect().to_series()}

    def numbers(self, *doc_ids: str) -> dict[str, int]:
        """Working numbers of documents by id; empty when the workspace is gone."""
        documents = self.working("documents")
        if documents is None:
            return {}
        return dict(documents.filter(pl.col("doc_id").is_in(doc_ids)).select("doc_id", "doc").collect().iter_rows())

    def _hints(self, doc_id: str) -> str:
        rejected = self._rejected(doc_id)
        near = self._near(doc_id)
        return f"{rejected}; did you mean {', '.join(near)}?" if near else f"{rejected}; no id comes near"

    def _rejected(self, doc_id: str) -> str:
        file, _, row = doc_id.rpartition(":")
        mentioned = pl.any_horizontal(pl.col("reason", "excerpt").str.contains(doc_id, literal=True))
        at_row = pl.col("file").str.ends_with(file) & (pl.col("row").cast(pl.String) == row) & bool(file)
        found = self.table("rejects").filter(mentioned | at_row).head(1).collect()
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
