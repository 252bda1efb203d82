"""Planted documents among the counts of stages: columns of their own, apart from the user's documents."""

from collections.abc import Callable
from functools import cached_property

import polars as pl

from models.decision.types import REMOVES
from tasks.pipeline.registry import EXTRACT, Row
from tasks.pipeline.run_tables import Tables
from tasks.runtime.run import Run
from tasks.storage.tables import TableRef, scan

Counted = tuple[int | None, int | None]
"""How many documents or pairs a stage took in, and how many it let through."""


class Planted:
    """The planted documents of a run: those with the highest numbers, which meet only each other."""

    def __init__(self, run: Run, tables: Tables, counted_apart: tuple[str, ...] = ()) -> None:
        """Look at the tables of a run; `counted_apart` names stages that leave planted documents out by themselves."""
        self._apart = counted_apart
        self._routing = run.parameters.cascade.routing
        self._tables = tables

    @cached_property
    def docs(self) -> pl.Series:
        """Their document numbers."""
        return scan(self._tables["documents"]).filter(pl.col("canary").is_not_null()).select("doc").collect()["doc"]

    @cached_property
    def first(self) -> int:
        """The least of their numbers; where none were planted, one that no document has."""
        return int(self.docs.min() if len(self.docs) else 1 << 62)  # type: ignore[arg-type]

    def own(self, pairs: pl.LazyFrame, one: str = "a", other: str = "b") -> pl.LazyFrame:
        """Pairs of the user's documents."""
        return pairs.filter((pl.col(one) < self.first) & (pl.col(other) < self.first))

    def among(self, table: TableRef, column: str = "doc", chosen: pl.Expr | None = None) -> int:
        """Rows of a table that are about planted documents."""
        wanted = pl.col(column) >= self.first
        found = scan(table).filter(wanted if chosen is None else wanted & chosen)
        return int(found.select(pl.len()).collect().item())

    def apart(self, stage: Row, counted: Counted) -> tuple[Counted, Counted]:
        """Part what a stage counted: the user's documents or pairs, and the planted ones.

        Args:
            stage: of the registry.
            counted: what it took in and let through, planted ones among them.
        """
        entered, left = counted
        if not len(self.docs) or EXTRACT.name in (stage.name, stage.instead_of):
            return counted, (entered and 0, left and 0)
        planted = self._counted(stage)
        if stage.name in self._apart:
            return counted, planted
        own = tuple(None if all_ is None else all_ - (few or 0) for all_, few in zip(counted, planted, strict=True))
        if stage.all_pairs:  # planted ones form theirs apart
            own = entered and self._met(entered), own[1]
        return (own[0], own[1]), (entered and planted[0], left and planted[1])

    def _counted(self, stage: Row) -> Counted:
        """Planted ones that a stage took in and let through.

        A stage that is not named here is taken to look at all that is signed, or at the candidates.
        """
        known: dict[str, Callable[[], Counted]] = {
            "collapse": lambda: (len(self.docs), self._distinct),
            "count": lambda: (len(self.docs), self._distinct),
            "tally": lambda: (len(self.docs), 0),
            "prescreen": lambda: (self._distinct, self.among(self._tables["prescreen"], chosen=pl.col("in_play"))),
            "embed": lambda: (self._distinct, self._embedded),
            "sign": lambda: (self._embedded, self._signed),
            "route": lambda: (self._proposed, self._pairs("candidates")),
            "describe": lambda: (self._embedded, self.among(self._tables["features"])),
            "verify": lambda: (self._pairs("verified"), self._pairs("verified", pl.col("verdict").is_in(REMOVES))),
            "judge": lambda: (self._pairs("verified"), self._pairs("judged", _ASKED)),
            "contain": lambda: (
                self.among(self._tables["containment"], "child"),
                self.among(self._tables["containment"], "child", pl.col("confirmed")),
            ),
            "settle": lambda: (self._signed, self._signed - self.among(self._tables["settled"])),
            "rescue": lambda: (self._signed, self._signed - self.among(self._tables["survivors"])),
            "embed aside": lambda: (self._distinct, self.among(self._tables["aside"])),
            "associate": lambda: (0, self._pairs("neighbours")),
            "rewrite": lambda: (self._pairs("neighbours"), self._pairs("rewrites")),
            "fragment": lambda: (len(self.docs) - self.among(self._tables["removals"]), None),
            "decide": lambda: (
                len(self.docs),
                self.among(self._tables["decisions"], chosen=pl.col("action") != "remove"),
            ),
        }
        known["present"] = known["prescreen"]
        if stage.all_pairs:
            return _all_pairs(self._signed), self._pairs(stage.names[0])
        if stage.name in known:
            return known[stage.name]()
        if stage.unit == "pairs":
            return self._pairs("candidates"), self._pairs(stage.names[0])
        return self._signed, self.among(self._tables[stage.names[0]])

    @cached_property
    def _distinct(self) -> int:
        return len(self.docs) - self.among(self._tables["copies"])

    @cached_property
    def _embedded(self) -> int:
        return self.among(self._tables["embeddings"])

    @cached_property
    def _signed(self) -> int:
        return self.among(self._tables["signatures"])

    def _pairs(self, table: str, chosen: pl.Expr | None = None) -> int:
        return self.among(self._tables[table], "b", chosen)

    @property
    def _proposed(self) -> int:
        """Pairs that the routes propose together."""
        ways = {name: self._proposals(name) for name in ("blocked", "banded", "nested")}
        if self._routing == "cascade":
            crossed = ways["blocked"].join(ways["banded"], on=["a", "b"], how="semi")
        else:
            crossed = pl.concat([ways[name] for name in _ROUTES[self._routing]])
        return pl.concat([crossed, ways["nested"]]).unique().height

    def _proposals(self, table: str) -> pl.DataFrame:
        return scan(self._tables[table]).filter(pl.col("b") >= self.first).select("a", "b").collect()

    def _met(self, entered: int) -> int:
        """Of all pairs that signed documents form with each other and with live ones, those without planted ones."""
        signed = self._tables["signatures"].rows
        own = signed - self._signed
        live = (entered - _all_pairs(signed)) // signed
        return _all_pairs(own) + own * live


def _all_pairs(documents: int) -> int:
    return documents * (documents - 1) // 2


_ASKED = pl.col("judge_source").is_in(["model", "suspicious"])
_ROUTES = {"union": ("blocked", "banded"), "semantic": ("blocked",), "lexical": ("banded",)}
