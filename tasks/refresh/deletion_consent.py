"""A word of consent before a night takes back most of what is published."""

from pathlib import Path

import polars as pl

from tasks.ingest.readers import listed_ids
from tasks.refresh.previous_snapshot import Base
from tasks.runtime.errors import InputError
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
