"""Consent to lose what is published: a list that deletes most of it, or a corpus that is curated over its nights."""

from pathlib import Path

import polars as pl

from tasks.ingest.readers import listed_ids
from tasks.refresh.previous_snapshot import Base
from tasks.runtime.errors import InputError
from tasks.snapshots.layout import current, manifest
from tasks.storage.tables import scan

MOST = 0.5
"""Share of the published documents that a list may delete without another word."""


def consent(base: Base, deleted: str | None, meant: bool) -> None:
    """Stop before any work is done if a list would delete most of what is published and nobody said that it is meant.

    Args:
        base: the published snapshot.
        deleted: file with the ids of documents that must go.
        meant: whether the user said so.

    Raises:
        InputError: more than `MOST` of the published documents stand in the list.
    """
    if not deleted or meant:
        return
    unwanted = pl.Series("doc_id", sorted(listed_ids(Path(deleted), "list of deletions")), dtype=pl.String)
    published = scan(base.decisions).filter(pl.col("action").is_in(["keep", "edit"])).select("doc_id")
    listed = pl.col("doc_id").is_in(unwanted.implode()).sum()
    gone, whole = published.select(listed, whole=pl.len()).collect(engine="streaming").row(0)
    if gone > MOST * whole:
        raise InputError(
            f"{deleted} lists {gone:,} of {whole:,} published documents, so nothing was done; if all are to go, "
            "say so: --delete-most"
        )


def consent_to_forget(out: Path, meant: bool) -> None:
    """Stop if a corpus is curated where nights were published and nobody said that these are to be forgotten.

    What they added would go, and what they deleted would be published again if it still stands in the input.

    Args:
        out: folder of the snapshots.
        meant: whether the user said so.

    Raises:
        InputError: the published snapshot is one of a refresh.
    """
    shown = current(out)
    night = None if shown is None or meant else manifest(shown).get("refresh")
    if night:
        raise InputError(
            f"{out} was refreshed {night['generation']} times: to curate there forgets what was added and deleted. "
            "Refresh it with what is new, name another folder, or say that it is meant: --start-over"
        )
