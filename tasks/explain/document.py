"""Explanation of one document, for a terminal."""

from pathlib import Path
from typing import Any

import polars as pl

from tasks.explain.archive import Archive
from tasks.explain.kept import kept_apart, passages, stands_for
from tasks.explain.removed import removal
from tasks.explain.rewrites import rewrites
from tasks.explain.terminal import paragraph
from tasks.explain.wording import several, typed
from tasks.runtime.visible import visible


def explain(out: Path, doc_id: str) -> str:
    """Say what a run did to a document and on what grounds.

    Args:
        out: folder of the snapshots.
        doc_id: id of a document of the published snapshot.

    Raises:
        InputError: nothing is published, or no document has this id.
    """
    with Archive.current(out) as archive:
        fate = archive.decision(doc_id)
        lines = [_title(fate), "", _outcome(fate), *paragraph(fate["reason"]), ""]
        if fate["action"] == "remove":
            lines += removal(archive, fate)
        elif fate["action"] != "delete":
            lines += [*passages(archive, fate), *stands_for(archive, fate), *rewrites(archive, fate)]
            lines += kept_apart(archive, fate)
        lines += _taken(archive, doc_id)
        made = archive.manifest
        lines += [f"Snapshot {made['snapshot']} of {made['created']}; all of it: {archive.path / 'report.html'}"]
        return visible("\n".join(lines))


def _taken(archive: Archive, doc_id: str) -> list[str]:
    """Further input rows that came with the same id."""
    rows = archive.table("rejects").filter(pl.col("reason") == f"duplicate id '{doc_id}'").collect()
    return [
        f"Row {row} of {file} came with the same id and was rejected." for file, row, *_ in rows.head(3).iter_rows()
    ]


def _title(fate: dict[str, Any]) -> str:
    known = [several(fate["n_chars"], "character")]
    known += [f"source {fate['source']}"] if fate["source"] else []
    known += ["protected"] if fate.get("protected") else []
    return f"{fate['doc_id']} ({', '.join(known)})"


def _outcome(fate: dict[str, Any]) -> str:
    if fate["action"] == "remove":
        kind, stage = typed(fate["type"]), fate["stage"]
        return f"REMOVED in favour of {fate['survivor_id']}: {kind}, at stage {stage}"
    if fate["action"] == "delete":
        return "DELETED on request"
    if fate["action"] == "edit":
        return f"KEPT, SHORTENED by {fate['chars_cut']:,} of {fate['n_chars']:,} characters: {typed('E')}"
    return "KEPT as it is"
