"""Row of the table: outcome of a method on a labelled corpus, its scores and costs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from models.evaluation.bootstrap import Tally, tally
from models.evaluation.breakdown import breakdown
from models.evaluation.metrics import Evaluation, evaluate
from tasks.benchmark.split import frame
from tasks.storage.tables import TableRef, about


class Cost(NamedTuple):
    """Cost of a method; None where it is not known.

    Attributes:
        all_pairs: pairs that the documents form.
        candidates: pairs that were looked at one by one.
        neural: of these, pairs that a network scored.
        seconds: wall clock of all its stages, each as measured when it was made.
        cpu_seconds: CPU time of the same, all threads together.
        peak_memory_mb: peak of the whole process, MB (10^6 bytes), in the stage where it was highest.
    """

    all_pairs: int
    candidates: int | None
    neural: int | None
    seconds: float
    cpu_seconds: float | None
    peak_memory_mb: float


class Scored(NamedTuple):
    """Row of the table.

    Attributes:
        name: of the method.
        kind: `baseline`, `ours` or `ablation`.
        says: what it is or what it switches.
        evaluation: scores and harm.
        tally: what each group earned, for the intervals.
        cost: see `Cost`.
        details: further JSON values for the record.
        parts: by, which, type, earned, possible, where the labels say what made a document.
    """

    name: str
    kind: str
    says: str
    evaluation: Evaluation
    tally: Tally
    cost: Cost
    details: dict[str, Any]
    parts: list[dict[str, Any]] = []  # noqa: RUF012 a tuple's default, never written to


def scored(
    split: Path,
    outcome: tuple[pl.DataFrame, pl.DataFrame],
    spent: Cost,
    name: str,
    kind: str,
    says: str,
    details: dict[str, Any],
) -> Scored:
    """Score an outcome (decisions and spans) on a split; for the others see `Scored`."""
    labels = frame(split, "truth"), frame(split, "fragments")
    parts = breakdown(*labels, *outcome).to_dicts()
    return Scored(name, kind, says, evaluate(*labels, *outcome), tally(*labels, *outcome), spent, details, parts)


def cost(tables: Sequence[TableRef], all_pairs: int, candidates: int | None, neural: int | None) -> Cost:
    """Add up what the tables say they took, whichever run made them."""
    records = [about(table) for table in tables]
    cpu = [record.get("cpu_seconds") for record in records]
    return Cost(
        all_pairs=all_pairs,
        candidates=candidates,
        neural=neural,
        seconds=round(sum(record["seconds"] for record in records), 3),
        cpu_seconds=None if None in cpu else round(sum(value for value in cpu if value is not None), 3),
        peak_memory_mb=max(record["peak_memory_mb"] for record in records),
    )
