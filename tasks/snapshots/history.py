"""History of snapshots in an output folder: listing, and rollback of `current`."""

from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import polars as pl

from tasks.runtime.errors import DamageError, InputError
from tasks.runtime.terminal_table import table
from tasks.snapshots.layout import current, manifest, switch
from tasks.snapshots.locks import writing
from tasks.snapshots.store import bring, catalogued, shared

COUNTS = ("documents", "kept", "removed")


class Published(NamedTuple):
    """One snapshot that passed its gate.

    Attributes:
        name: its id, the name of its folder.
        created: UTC, ISO 8601.
        documents: input documents; of them `kept` (whole or shortened) and `removed`.
        kept: see documents.
        removed: see documents.
        bundle: id of the bundle that it was made with.
        is_current: is it what readers see?
    """

    name: str
    created: str
    documents: int
    kept: int
    removed: int
    bundle: str
    is_current: bool


def history(out: Path) -> list[Published]:
    """List the snapshots under `out`, the newest first.

    Raises:
        InputError: there is none.
    """
    found = []
    for page in (out / "snapshots").glob("[!.]*/manifest.json"):
        with suppress(DamageError):  # one that can be read may be what is looked for
            found.append(_published(page.parent, current(out)))
    if not found:
        raise InputError(f"no snapshot under {out}: run `semhash-llm curate INPUT... --out {out}` first")
    return sorted(found, key=lambda one: (one.created, one.name), reverse=True)


def after(out: Path) -> list[str]:
    """The second behind the newest snapshot, none where there is none: a clock that was set back makes none older."""
    with suppress(InputError, ValueError):
        newest = datetime.fromisoformat(history(out)[0].created)
        return [(newest + timedelta(seconds=1)).isoformat(timespec="seconds")]
    return []


def unreadable(out: Path) -> list[str]:
    """Ids of snapshots whose manifest is damaged, which `history` leaves out."""
    folders = [folder for folder in (out / "snapshots").glob("[!.]*") if folder.is_dir()]
    return sorted({folder.name for folder in folders} - {one.name for one in history(out)})


def _published(folder: Path, shown: Path | None) -> Published:
    made = manifest(folder)
    counts = made["counts"]
    if not all(isinstance(counts[name], int) for name in COUNTS):
        raise DamageError(f"{folder / 'manifest.json'} is damaged")
    documents, kept, removed = (counts[name] for name in COUNTS)
    return Published(folder.name, made["created"], documents, kept, removed, made["bundle"], folder.resolve() == shown)


def told(snapshots: list[Published]) -> str:
    """Write a list of snapshots as a table for the terminal; the current one is marked."""
    rows = [
        ("*" if one.is_current else "", one.name, one.created, *(f"{number:,}" for number in one[2:5]), one.bundle)
        for one in snapshots
    ]
    return table(("", "snapshot", "created", "documents", "kept", "removed", "bundle"), rows)


def taken_back(before: Path, after: Path) -> tuple[int, int]:
    """How many deletions, and how many documents that came since, `before` has and `after` lacks.

    None where one of the two snapshots has no decisions.
    """
    if not all(any((snapshot / "decisions").glob("*.parquet")) for snapshot in (before, after)):
        return 0, 0
    had, has = (
        pl.scan_parquet(snapshot / "decisions" / "*.parquet", missing_columns="insert", extra_columns="ignore").select(
            pl.col("doc_id").cast(pl.String), gone=pl.col("action") == "delete"
        )
        for snapshot in (before, after)
    )
    deleted = had.filter("gone").join(has.filter(~pl.col("gone")), on="doc_id", how="semi")
    came = had.filter(~pl.col("gone")).join(has, on="doc_id", how="anti")
    counts = [int(one.select(pl.len()).collect().item()) for one in (deleted, came)]
    return counts[0], counts[1]


def roll_back(out: Path, name: str) -> Published:
    """Switch readers to another snapshot, in one step; none is changed or removed.

    Args:
        out: output folder.
        name: the snapshot's id, or enough of its beginning.

    Raises:
        InputError: no snapshot or several begin like that (the message lists those that are there).
        BusyError: a run is publishing to the folder.
    """
    with writing(out, role="output"), shared(out), catalogued(out) as folder:
        snapshots = history(folder)
        matching = [one for one in snapshots if one.name.startswith(name)]
        if len(matching) != 1:
            known = ", ".join(one.name for one in snapshots)
            raise InputError(
                f"{'several snapshots begin' if matching else 'no snapshot begins'} with {name!r}: {known}"
            )
        switch(out, bring(out, matching[0].name))
        return matching[0]._replace(is_current=True)
