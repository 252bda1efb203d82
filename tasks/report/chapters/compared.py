"""Comparison chapter: what changed since the snapshot that is published now."""

from pathlib import Path

import polars as pl
from markupsafe import Markup

from tasks.explain.archive import Archive
from tasks.explain.wording import TYPES
from tasks.report.chapters.pairs import kind_badge
from tasks.report.html import count, section, table, tag
from tasks.report.material import Material
from tasks.runtime.errors import DamageError
from tasks.snapshots.layout import current

TITLE = "Since the snapshot before"
NAMED = 4
"""Documents named of each change."""
CHANGES = {
    ("", "kept"): "new, and kept",
    ("", "removed"): "new, and removed",
    ("kept", "removed"): "kept before, removed now",
    ("removed", "kept"): "removed before, kept now",
    ("removed", "removed"): "removed in favour of another document now",
    ("kept", ""): "kept before, not there any more",
    ("removed", ""): "removed before, not there any more",
}
_FATE = pl.when(pl.col("action") == "remove").then(pl.lit("removed")).otherwise(pl.lit("kept"))


def compared(material: Material) -> Markup:
    """Counts of both snapshots side by side, and documents whose fate changed."""
    before = _before(material.archive.path)
    if before is None:
        return section(TITLE, tag("p", "None was published before this one."))
    name = before.manifest["snapshot"]
    try:
        amounts, changes = _amounts(before, material.archive), _changes(before, material.archive)
    except (pl.exceptions.PolarsError, OSError):  # whoever publishes again may be mending just that
        return section(TITLE, tag("p", f"Snapshot {name} was published before this one; its decisions are damaged."))
    return section(
        TITLE,
        tag("h3", "Amounts"),
        amounts,
        tag("h3", "Fates that changed"),
        changes,
        note=f"Snapshot {name} of {before.manifest['created']} is what readers saw when this one was made.",
    )


def _before(snapshot: Path) -> Archive | None:
    shown = current(snapshot.parent.parent)
    if shown is None or shown == snapshot.resolve():
        return None
    try:
        return Archive(shown)
    except DamageError:  # whoever publishes again may be mending just that
        return None


def _amounts(before: Archive, now: Archive) -> Markup:
    both = [archive.manifest["counts"] for archive in (before, now)]
    rows: list[list[str | Markup]] = [
        _row(label, both[0].get(name, 0), both[1].get(name, 0))
        for name, label in {
            "documents": "documents",
            "kept": "kept",
            "removed": "removed",
            "edited": "shortened",
        }.items()
    ]
    typed = [_typed(archive) for archive in (before, now)]
    rows += [
        _row(kind_badge(kind), typed[0].get(kind, 0), typed[1].get(kind, 0))
        for kind in TYPES
        if kind in typed[0] or kind in typed[1]
    ]
    return table(["", "before", "now", "change"], rows, numbers=(1, 2, 3))


def _row(label: str | Markup, before: int, now: int) -> list[str | Markup]:
    return [label, count(before), count(now), f"{now - before:+,}" if now != before else "–"]


def _typed(archive: Archive) -> dict[str, int]:
    return dict(archive.table("decisions").drop_nulls("type").group_by("type").len().collect().iter_rows())


def _changes(before: Archive, now: Archive) -> Markup:
    then, here = (_fates(archive) for archive in (before, now))
    both = then.join(here, on="doc_id", how="full", coalesce=True, suffix="_now").with_columns(
        pl.col("fate", "fate_now").fill_null("")
    )
    moved = both.filter((pl.col("fate") != pl.col("fate_now")) | (pl.col("survivor_id") != pl.col("survivor_id_now")))
    counted = (
        moved.group_by("fate", "fate_now")
        .agg(pl.len(), named=pl.col("doc_id").bottom_k(NAMED))
        .collect(engine="streaming")
    )
    found = {(fate, fate_now): (number, named) for fate, fate_now, number, named in counted.iter_rows()}
    rows: list[list[str | Markup]] = [
        [words, count(found[change][0]), tag("span", ", ".join(sorted(found[change][1])), class_="dim")]
        for change, words in CHANGES.items()
        if change in found
    ]
    if not rows:
        return tag("p", "None: every document has the fate that it had.")
    return table(["change", "documents", "for example"], rows, numbers=(1,))


def _fates(archive: Archive) -> pl.LazyFrame:
    there = archive.table("decisions").filter(pl.col("action") != "delete")
    return there.select("doc_id", "survivor_id", fate=_FATE)
