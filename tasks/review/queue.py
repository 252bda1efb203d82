"""Review queue: pairs of a snapshot for a person to decide, those that automation and judge are least sure of first."""

from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from data_contracts.schemas import JUDGE_COLUMNS
from models.decision.llm_judge.ensemble import borderline
from tasks.explain.archive import Archive
from tasks.review import store as reviews

AT_ONCE = 64
"""Pairs whose texts are fetched together."""


class Borderline(NamedTuple):
    """Borderline pair to be decided, with what is known of it."""

    doc_id_a: str
    doc_id_b: str
    text_a: str
    text_b: str
    type: str
    verdict: str
    p_dup: float
    sigma: float
    judge_label: str | None
    judge_p: float | None
    p_final: float | None


COLUMNS = [name for name in Borderline._fields if not name.startswith(("doc_id", "text"))]


def pairs_to_review(archive: Archive, reviewed: pl.DataFrame, limit: int | None) -> Iterator[Borderline]:
    """Borderline pairs and those that were put to a judge, the most uncertain first, without reviewed ones.

    Args:
        archive: the published snapshot; of pairs that met in several nights the last meeting counts.
        reviewed: what `tasks.review.store.load` gives.
        limit: how many at most; None: all.
    """
    pairs = listed(archive, reviewed)
    for rows in (pairs if limit is None else pairs.head(limit)).iter_slices(AT_ONCE):
        texts = archive.originals({*rows["a_id"], *rows["b_id"]})
        for one, other, *known in rows.select("a_id", "b_id", *COLUMNS).iter_rows():
            if one in texts and other in texts:
                yield Borderline(one, other, texts[one], texts[other], *known)


def listed(archive: Archive, reviewed: pl.DataFrame) -> pl.DataFrame:
    """Rows of `verified` that are to be reviewed, in the order of `pairs_to_review`."""
    found = archive.table("verified")
    absent = {
        name: pl.lit(None, column.kind) for name, column in JUDGE_COLUMNS.items() if name not in found.collect_schema()
    }
    unsure = borderline(archive.parameters)
    asked = found.with_columns(**absent).filter(unsure | pl.col("judge_source").is_in(["model", "suspicious"]))
    pairs = asked.collect(engine="streaming").unique(["a_id", "b_id"], keep="last", maintain_order=True)
    live = archive.table("decisions").filter(pl.col("action") != "delete").select("doc_id").collect()["doc_id"]
    here = pairs.filter(pl.col("a_id").is_in(live.implode()), pl.col("b_id").is_in(live.implode()))
    certainty = (pl.coalesce("p_final", "p_dup") - 0.5).abs()
    return _undecided(archive, here, reviewed).sort(certainty, -pl.col("sigma"), "a_id", "b_id")


def _undecided(archive: Archive, pairs: pl.DataFrame, reviewed: pl.DataFrame) -> pl.DataFrame:
    """Pairs of texts that no review is about, under whatever ids."""
    known = archive.text_hashes(pl.concat([pairs["a_id"], pairs["b_id"]]).unique())
    one, other = (known.rename({"doc_id": side, "text_hash": f"hash_{side}"}) for side in ("a_id", "b_id"))
    both = pairs.join(one, on="a_id").join(other, on="b_id")
    hashes = [least("hash_a_id", "hash_b_id") for least in (pl.min_horizontal, pl.max_horizontal)]
    return both.join(reviewed, left_on=hashes, right_on=reviews.PAIR, how="anti")
