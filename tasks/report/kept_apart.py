"""Pairs that were compared and kept apart: of all that a report shows of them, found in one reading."""

from functools import lru_cache
from typing import NamedTuple

import polars as pl

from models.decision.types import RedundancyType, Verdict
from tasks.explain.archive import Archive

THINNED = 20_000
"""Pairs of each type among which the lot is drawn."""
SEED = 1
LOT = "lot"
APART = pl.col("verdict").is_in([Verdict.VARIANT, Verdict.DISTINCT])
_IDS = ("a_id", "b_id")
_READ = (*_IDS, "type", "verdict", "changed_facts", "p_dup", "weighted_jaccard", "cosine")


class Highest(NamedTuple):
    """Which pairs are looked at, by which column they are ordered, and how many are kept."""

    these: pl.Expr
    by: str
    most: int


_VARIANT = pl.col("verdict") == Verdict.VARIANT
_FACT = (pl.col("verdict") == Verdict.DISTINCT) & ((pl.col("type") == RedundancyType.F) | (pl.col("changed_facts") > 0))
HIGHEST = {
    "likely": Highest(APART, "p_dup", 30),
    "alike": Highest(APART, "weighted_jaccard", 30),
    "variant": Highest(_VARIANT, "cosine", 4),
    "fact": Highest(_FACT, "weighted_jaccard", 4),
}
"""Pairs nearest to being removed: by the network, by wording, and of those that mean the same or state other facts."""


class KeptApart(NamedTuple):
    """Pairs kept apart.

    Attributes:
        pairs: how many there are.
        variants: how many are as close in meaning as duplicates.
        facts: how many state other facts.
        found: `a_id`, `b_id`, `type`, and `picked`: `lot`, or the name of one of `HIGHEST`, these in their order.
    """

    pairs: int
    variants: int
    facts: int
    found: pl.DataFrame

    def picked(self, name: str) -> pl.DataFrame:
        """Those that were picked for one reason."""
        return self.found.filter(pl.col("picked") == name)


@lru_cache(maxsize=1)
def kept_apart(archive: Archive) -> KeptApart:
    """Read the pairs of a snapshot that were kept apart; of a type with very many of them a part by lot."""
    marks = archive.table("verified").filter(APART).select("type", variant=_VARIANT, fact=_FACT)
    counted = marks.group_by(pl.all()).len().collect()
    one_in = {kind: -(-number // THINNED) for kind, number in counted.group_by("type").agg(pl.sum("len")).iter_rows()}
    lot = pl.struct(_IDS).hash(SEED) % pl.col("type").replace_strict(one_in, return_dtype=pl.UInt64)

    def asked(pairs: pl.LazyFrame) -> pl.LazyFrame:
        read = pairs.filter(APART).select(_READ).cache()
        several = [read.filter(lot == 0).with_columns(picked=pl.lit(LOT))] if one_in else []
        return pl.concat([*several, *(_highest(read, name) for name in HIGHEST)])

    found = archive.by_part("verified", asked)
    drawn = found.filter(pl.col("picked") == LOT).sort(_IDS)
    highest = [_highest(found.filter(pl.col("picked") == name).lazy(), name).collect() for name in HIGHEST]
    return KeptApart(
        pairs=int(counted["len"].sum()),
        variants=int(counted.filter("variant")["len"].sum()),
        facts=int(counted.filter("fact")["len"].sum()),
        found=pl.concat([drawn, *highest]).select(*_IDS, "type", "picked"),
    )


def _highest(pairs: pl.LazyFrame, name: str) -> pl.LazyFrame:
    """Of equal ones the first by id."""
    these, by, most = HIGHEST[name]
    told = pairs.filter(these, pl.col(by).is_not_null(), pl.col(by).is_not_nan())
    near = told.filter(pl.col(by) >= pl.col(by).top_k(most).min())
    return near.sort([by, *_IDS], descending=[True, False, False]).head(most).with_columns(picked=pl.lit(name))
