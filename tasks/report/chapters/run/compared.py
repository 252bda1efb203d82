"""Comparison chapter: what changed since the snapshot that is published now."""

from functools import partial
from pathlib import Path

import polars as pl
from markupsafe import Markup

from tasks.explain.archive import Archive
from tasks.explain.wording import TYPES
from tasks.report.chapters.content.pairs import kind_badge
from tasks.report.html import count, section, table, tag
from tasks.report.material import Material
from tasks.runtime.errors import DamageError
from tasks.snapshots.layout import current

TITLE = "Since the snapshot before"
NAMED = 4
"""Documents named of each change."""
ABSENT, KEPT, REMOVED = None, False, True
CHANGES = {
    (ABSENT, KEPT): "new, and kept",
    (ABSENT, REMOVED): "new, and removed",
    (KEPT, REMOVED): "kept before, removed now",
    (REMOVED, KEPT): "removed before, kept now",
    (REMOVED, REMOVED): "removed in favour of another document now",
    (KEPT, ABSENT): "kept before, not there any more",
    (REMOVED, ABSENT): "removed before, not there any more",
}
_ID = pl.col("doc_id").hash()


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
    moved = _moved(before, now)
    number = {tuple(change): amount for *change, amount in moved.group_by("gone", "gone_now").len().iter_rows()}
    lost = pl.col("gone_now").is_null()
    named: dict[tuple[bool | None, ...], list[str]] = {}
    for archive, these in ((before, moved.filter(lost)), (now, moved.filter(~lost))):
        for *change, names in archive.by_part("decisions", partial(_named, moved=these)).iter_rows():
            named.setdefault(tuple(change), []).extend(names)
    rows: list[list[str | Markup]] = [
        [words, count(number[change]), tag("span", ", ".join(sorted(named[change])[:NAMED]), class_="dim")]
        for change, words in CHANGES.items()
        if change in number
    ]
    if not rows:
        return tag("p", "None: every document has the fate that it had.")
    return table(["change", "documents", "for example"], rows, numbers=(1,))


def _moved(before: Archive, now: Archive) -> pl.DataFrame:
    """Documents whose fate changed: `id`, a hash, and whether each snapshot removed them, null where it lacks them.

    Numbers of all documents are compared and no ids, which would be the most that a report holds at a time.
    """
    then, here = (archive.by_part("decisions", _fates) for archive in (before, now))
    both = then.lazy().join(here.lazy(), on="id", how="full", coalesce=True, suffix="_now")
    other = [pl.col(name).ne_missing(pl.col(f"{name}_now")) for name in ("gone", "survivor")]
    return both.filter(pl.any_horizontal(other)).select("id", "gone", "gone_now").collect()


def _fates(decisions: pl.LazyFrame) -> pl.LazyFrame:
    there = decisions.filter(pl.col("action") != "delete")
    return there.select(id=_ID, gone=pl.col("action") == "remove", survivor=pl.col("survivor_id").hash())


def _named(decisions: pl.LazyFrame, moved: pl.DataFrame) -> pl.LazyFrame:
    there = decisions.filter(pl.col("action") != "delete").select("doc_id", id=_ID)
    return there.join(moved.lazy(), on="id").group_by("gone", "gone_now").agg(pl.col("doc_id").bottom_k(NAMED))
