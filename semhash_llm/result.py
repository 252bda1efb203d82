"""Result of a run: what is published in a folder, asked in Python."""

import shutil
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from semhash_llm.data import Given
from tasks.explain import explain
from tasks.explain.archive import Archive
from tasks.explain.wording import typed
from tasks.export.export import Export, Written, export
from tasks.export.input_places import places
from tasks.ingest.user_columns import ROW
from tasks.quality.estimates import doubts
from tasks.snapshots.layout import manifest, published
from tasks.snapshots.output_mirror import folder_of
from tasks.snapshots.store import pull


class Result:
    """Published documents, what became of the others, and why.

    A result of `deduplicate` without `out` lives in a temporary folder, as long as the result itself does.
    """

    def __init__(self, out: Path, given: Given | None = None, temporary: TemporaryDirectory[str] | None = None) -> None:
        """Open what is published under `out`; use `open`."""
        self.out = out
        self._snapshot = published(out)
        self._given, self._temporary = given, temporary
        self._manifest = manifest(self._snapshot)

    @property
    def snapshot(self) -> Path:
        """Folder of the snapshot, with all of its tables as Parquet."""
        return self._snapshot

    @property
    def kept(self) -> Any:
        """Documents that stay, without what is cut from them: as the kind of data that was given, in its order.

        For paths, and after `open`, a frame of Polars in the order of the snapshot.
        """
        data = self._given and self._given.rows
        if not data:
            return self.documents
        with Archive.current(self.out) as archive:
            rows = places(archive).filter(pl.col("action") != "remove").sort(ROW)
            kept = data.take([row - 1 for row in rows[ROW]])
            if archive.parameters.extract.text_from:
                return kept
            shown = archive.published(rows["doc_id"].to_list())
            return data.put(kept, archive.text_column, [shown[name] for name in rows["doc_id"]])

    @property
    def documents(self) -> pl.DataFrame:
        """Published documents with all of the user's columns."""
        return pl.read_parquet(sorted((self._snapshot / "documents").glob("*.parquet")))

    @property
    def decisions(self) -> pl.DataFrame:
        """What became of every document, in whose favour, why, and on what evidence."""
        return pl.read_parquet(sorted((self._snapshot / "decisions").glob("*.parquet")))

    @property
    def rejects(self) -> pl.DataFrame:
        """Rows of the input that are no documents, and why."""
        return pl.read_parquet(sorted((self._snapshot / "rejects").glob("*.parquet")))

    @property
    def counts(self) -> dict[str, int]:
        """Documents in, kept, edited, removed, and rows rejected."""
        counts: dict[str, int] = self._manifest["counts"]
        return counts

    @property
    def estimate(self) -> pl.DataFrame:
        """Shares of planted redundancy that was found, and of planted look-alikes that stayed, with intervals."""
        return pl.DataFrame(self._manifest.get("estimates", []), infer_schema_length=None)

    @property
    def warnings(self) -> list[str]:
        """What the run doubts, and columns that had to become text."""
        as_text = [f"column '{name}' became text: {had}" for name, had in self._manifest.get("became_text", {}).items()]
        return [*doubts(self._manifest.get("estimates", [])), *as_text]

    def duplicates_of(self, id: object) -> pl.DataFrame:
        """Documents that went in favour of one."""
        return self.decisions.filter(pl.col("survivor_id") == str(id))

    def explain(self, id: object) -> str:
        """Say what happened to a document, as `semhash-llm explain` does."""
        return explain(self.out, str(id))

    def report(self, path: str | Path | None = None) -> Path:
        """The report as a web page; copied to `path` if there is one. A result without a folder makes it when asked."""
        from tasks.report import REPORT, write_later

        page = self._snapshot / REPORT
        if self._temporary and not page.exists():
            write_later(self._snapshot)
        return Path(shutil.copyfile(page, path)) if path else page

    def export(self, target: str | Path, write: Written = "documents", *, keep_layout: bool | None = None) -> list[str]:
        """Write what is published to a folder or URL, as `semhash-llm export` does.

        Args:
            target: where nothing may stand yet.
            write: documents, decisions, or Dolma's attributes.
            keep_layout: the files of the input, in their formats and their order; else Parquet of our own. None: as the
                input is, if it is several files.

        Returns:
            Names of the files.
        """
        return export(self.out, str(target), Export(write, keep_layout))

    def __repr__(self) -> str:
        counts = self.counts
        return f"<Result: {counts['documents']:,} documents, {counts['kept']:,} kept, {counts['removed']:,} removed>"

    def _repr_html_(self) -> str:
        warned = [one["check"] for one in self._manifest["gate"] if not one["passed"]]
        verdict = f"The gate passed{', with a warning: ' + ', '.join(warned) if warned else ''}."
        removed = self.decisions.filter(action="remove").group_by("type").len().sort("type", nulls_last=True)
        tiles = [(name, self.counts[name]) for name in ("documents", "kept", "edited", "removed", "rejects")]
        cells = "".join(f"<td><b>{number:,}</b><br>{name}</td>" for name, number in tiles)
        rows = ((escape(typed(kind)), number) for kind, number in removed.rows())
        types = "".join(f"<tr><td>{kind}</td><td>{number:,}</td></tr>" for kind, number in rows)
        said = "".join(f"<p>{escape(line)}</p>" for line in [verdict, *self.warnings])
        table = f"<table><tr><th>removed as</th><th>documents</th></tr>{types}</table>" if types else ""
        return f"<div><table><tr>{cells}</tr></table>{table}{said}</div>"


def open(out: str | Path) -> Result:
    """Open what is published in a folder, or under the URL of a store.

    Raises:
        InputError: nothing is.
    """
    folder = folder_of(out).expanduser().absolute()
    pull(folder)
    return Result(folder)
