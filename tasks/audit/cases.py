"""Sample of an audit: removals by type and source, cuts by source, and pairs that came nearest to a removal."""

from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from models.evaluation.sampling import drawing_order, quotas
from tasks.explain.archive import Archive
from tasks.explain.wording import TYPES

REMOVAL, CUT, NEAR = "removal", "cut", "near miss"
NEAREST = 1000
"""Pairs of kept documents, the most likely duplicates first, of which near misses are drawn."""


class Case(NamedTuple):
    """Something that a run did.

    Attributes:
        kind: a removal, a cut or a near miss.
        stratum: type of a removal; else the kind.
        source: of the document.
        doc_id: the removed document, the host of a cut, or the first of two that were kept.
        other_id: the survivor, or the second that was kept; "" for a cut.
        start: of a cut, in code points of the original; else -1.
        end: likewise.
    """

    kind: str
    stratum: str
    source: str
    doc_id: str
    other_id: str
    start: int
    end: int

    @property
    def key(self) -> tuple[str, str, str, int, int]:
        """Key of the case among all of a snapshot."""
        return self.kind, self.doc_id, self.other_id, self.start, self.end


class Sample(NamedTuple):
    """Cases in the order in which they are shown, and of how many of their stratum they were drawn."""

    cases: list[Case]
    populations: dict[str, int]


class Sizes(NamedTuple):
    """How many cases of each kind are wanted."""

    removals: int
    cuts: int
    near: int


def draw(archive: Archive, sizes: Sizes, seed: int) -> Sample:
    """Draw a sample by lot; with a larger size it holds the same cases and more."""
    fates = archive.table("decisions").select("doc_id", "source", "action", "type", "survivor_id").collect()
    found: list[Case] = []
    populations: dict[str, int] = {}
    for rows, number in (
        (_removals(fates), sizes.removals),
        (_cuts(archive, fates), sizes.cuts),
        (_near(archive, fates), sizes.near),
    ):
        here = {str(name): int(count) for name, count in rows.group_by("stratum").len().iter_rows()}
        here = {name: here[name] for name in sorted(here, key=_rank)}
        for stratum, wanted in quotas(here, number).items():
            drawn = rows.filter(pl.col("stratum") == stratum)
            chosen = drawn[drawing_order(drawn, "source", seed).head(wanted)]
            found += [Case(*row) for row in chosen.select(Case._fields).iter_rows()]
        populations |= here
    return Sample(found, populations)


def _rank(stratum: str) -> tuple[int, str]:
    return [*TYPES, stratum].index(stratum), stratum


def _removals(fates: pl.DataFrame) -> pl.DataFrame:
    removed = fates.filter(pl.col("action") == "remove").sort("doc_id")
    return removed.select(
        kind=pl.lit(REMOVAL),
        stratum="type",
        source=pl.col("source").fill_null(""),
        doc_id="doc_id",
        other_id="survivor_id",
        start=pl.lit(-1),
        end=pl.lit(-1),
    )


def _cuts(archive: Archive, fates: pl.DataFrame) -> pl.DataFrame:
    spans = archive.table("fragment_spans").filter("cut").select("doc_id", "start", "end").collect()
    return (
        spans.join(fates.select("doc_id", pl.col("source").fill_null("")), on="doc_id", how="inner")
        .sort("doc_id", "start")
        .select(
            kind=pl.lit(CUT),
            stratum=pl.lit(CUT),
            source="source",
            doc_id="doc_id",
            other_id=pl.lit(""),
            start="start",
            end="end",
        )
    )


def _near(archive: Archive, fates: pl.DataFrame) -> pl.DataFrame:
    """Verified pairs of which both are kept, those that came nearest to a removal."""
    kept = fates.filter(pl.col("action").is_in(["keep", "edit"])).select("doc_id", pl.col("source").fill_null(""))
    found = archive.table("verified")
    asked = [name for name in ("p_final", "p_dup") if name in found.collect_schema()]
    pairs = found.select("a_id", "b_id", likely=pl.coalesce(asked)).collect(engine="streaming")
    both = pairs.unique(["a_id", "b_id"], keep="last", maintain_order=True).join(
        kept, left_on="a_id", right_on="doc_id"
    )
    both = both.join(kept.select("doc_id"), left_on="b_id", right_on="doc_id", how="semi")
    nearest = both.sort(["likely", "a_id", "b_id"], descending=[True, False, False], nulls_last=True).head(NEAREST)
    return nearest.select(
        kind=pl.lit(NEAR),
        stratum=pl.lit(NEAR),
        source="source",
        doc_id="a_id",
        other_id="b_id",
        start=pl.lit(-1),
        end=pl.lit(-1),
    )


def numbered(cases: list[Case]) -> Iterator[tuple[int, Case]]:
    """Cases with their numbers, from 1."""
    return enumerate(cases, start=1)
