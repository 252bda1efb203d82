"""Pair tables: their columns, number of all pairs, and writing a relation of pairs as a part."""

import duckdb
import polars as pl

from tasks.refresh.previous_snapshot import Live
from tasks.remote.object_mirror import mirror
from tasks.storage.atomic import atomic_path
from tasks.storage.parquet import write_relation
from tasks.storage.stage import Stage


def all_pairs(documents: int) -> int:
    """Number of pairs that n documents form: what the pass rates of the cascade are measured against."""
    return documents * (documents - 1) // 2


def pairs_met(documents: int, live: Live | None) -> int:
    """Number of pairs that documents form with each other and with live ones."""
    return all_pairs(documents) + (documents * live.roster.rows if live else 0)


def write_pairs(stage: Stage, pairs: duckdb.DuckDBPyRelation, index: int = 0) -> int:
    """Write a relation of pairs as one part without passing it through Python; return its rows."""
    with atomic_path(stage.part(index)) as temporary:
        write_relation(pairs, temporary)
    mirror(stage.part(index))
    return int(pl.scan_parquet(stage.part(index)).select(pl.len()).collect().item())
