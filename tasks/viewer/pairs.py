"""Search over all pairs of a snapshot, straight from its Parquet through DuckDB."""

from collections.abc import Mapping
from typing import Any

import duckdb
import polars as pl

import sql
from tasks.explain.archive import Archive
from tasks.report.explorer.cards import Room, cards
from tasks.report.explorer.chapter import AT_ONCE
from tasks.runtime.errors import InputError

ROOM = Room(few=12, side=6000, compared=100_000)
"""More than the report has."""
_ORDERS = {
    "given": "outcome desc, similarity, doc_id, other_id",
    "least": "similarity nulls last, doc_id, other_id",
    "most": "similarity desc nulls first, doc_id, other_id",
}
_WORDS, _NUMBERS = ("outcome", "type", "source", "survivor", "words"), ("least", "most")


def asked(con: duckdb.DuckDBPyConnection, archive: Archive, wanted: Mapping[str, str]) -> dict[str, Any]:
    """A page of the pairs that are asked for, as cards, and how many there are in all.

    Args:
        con: open connection.
        archive: the snapshot.
        wanted: fields of the form; "" or nothing asks for nothing.

    Raises:
        InputError: a number is none.
    """
    given: dict[str, Any] = {name: wanted.get(name) or None for name in _WORDS}
    given |= {name: _number(wanted.get(name)) for name in _NUMBERS}
    page = int(_number(wanted.get("page")) or 0)
    places = {"decisions": "decisions", "verified": "verified", "documents": "index/documents"}
    found = sql.run(
        con,
        "published/pairs_asked",
        **{name: f"{archive.path}/{folder}/*.parquet" for name, folder in places.items()},
        **given,
    )
    [(total,)] = found.aggregate("count(*)").fetchall()
    order = _ORDERS.get(wanted.get("order", ""), _ORDERS["given"])
    rows = found.order(order).limit(AT_ONCE, offset=max(page, 0) * AT_ONCE).pl()
    shown = cards(archive, rows.select("doc_id", "other_id"), ROOM) if rows.height else []
    return {"total": total, "pairs": shown}


def sources(archive: Archive, most: int) -> list[str]:
    """The sources with most documents, by name."""
    counted = archive.table("decisions").drop_nulls("source").group_by("source").len()
    named = counted.filter(pl.col("source") != "").sort("len", "source", descending=[True, False]).head(most)
    return sorted(named.collect()["source"])


def _number(given: str | None) -> float | None:
    try:
        return float(given) if given else None
    except ValueError as error:
        raise InputError(f"{given} is no number") from error
