"""Cascade chapter: documents and pairs that each stage let through, against the paper's rates."""

from typing import Any

import polars as pl
from markupsafe import Markup

from models.decision.types import REMOVES
from tasks.pipeline.registry import CONTAIN, JUDGE, REFRESH_STAGES, STAGES, VERIFY, Row
from tasks.quality.planted_counts import Planted
from tasks.report.charts import funnel_svg
from tasks.report.html import count, percent, section, table, tag
from tasks.report.material import Material
from tasks.storage.tables import scan

PAPER_COMPOUND = 0.0072

_KNOWN = {row.name: row for row in (*STAGES, *REFRESH_STAGES)}
_NOTE = (
    "Bars of documents are to scale, those of pairs logarithmic. The rate beside r3 is the share of the proposed pairs "
    "that the sketches let through. Planted documents, and pairs of them, are counted in the last columns only."
)
_ROUTING = {
    "union": "Routing is “union”: semantic block, banded LSH and containment samples propose pairs side by side, each "
    "out of all pairs of the signed documents, and “route” merges them.",
    "cascade": "Routing is “cascade”: a pair must be found by the semantic block and by banded LSH, or by containment.",
    "semantic": "Routing is “semantic”: only the semantic block and containment samples propose pairs.",
    "lexical": "Routing is “lexical”: only banded LSH and containment samples propose pairs.",
}


def cascade(material: Material) -> Markup:
    """Funnel and pass rates."""
    stages = material.archive.table("stage_metrics").sort("position").collect()
    rows = _rows(material, stages)
    compound = _compound(rows)
    routing = material.run.parameters.cascade.routing
    head = [
        "stage",
        "what it does",
        "documents in",
        "out",
        "rate",
        "pairs in",
        "out",
        "rate",
        "paper",
        "planted in",
        "out",
    ]
    return section(
        "Funnel",
        tag("figure", Markup(funnel_svg(stages)), class_="funnel"),
        table(head, [_cells(row) for row in rows], numbers=(2, 3, 4, 5, 6, 7, 8, 9, 10)),
        tag(
            "p",
            f"Compound: {percent(compound)} of all pairs of distinct texts end as removable, "
            f"{percent(PAPER_COMPOUND)} in the paper (0.6 × 0.05 × 0.3 × 0.8).",
        ),
        note=f"{_NOTE} {_ROUTING[routing]}",
    )


def _rows(material: Material, stages: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows of `stage_metrics` with documents filled in for pair stages, and pairs for the document stages."""
    rows = []
    planted = Planted(material.run, material.tables)
    touched = material.tables["signatures"].rows - planted.among(material.tables["signatures"])
    for row in stages.iter_rows(named=True):
        if row["stage"] in ("collapse", "prescreen"):
            row |= {"pairs_in": _pairs(row["documents_in"]), "pairs_out": _pairs(row["documents_out"])}
        elif (stage := _KNOWN[row["stage"]]).unit == "pairs":
            row |= {"documents_in": touched, "documents_out": _documents(material, planted, stage)}
            touched = row["documents_out"] if row["stage"] in ("route", "verify") else touched
        rows.append(row)
    return rows


def _documents(material: Material, planted: Planted, stage: Row) -> int:
    """Documents of the user that stand in at least one pair that the stage let through."""
    tables = material.tables
    rows = scan(tables[stage.names[0]])
    if stage == CONTAIN:
        found = planted.own(rows.filter("confirmed"), "child", "parent")
        return _distinct(found, "child", "parent")
    if stage == VERIFY:
        rows = rows.filter(pl.col("verdict").is_in(REMOVES))
    elif stage == JUDGE:
        rows = rows.filter(pl.col("judge_source") == "model")
    return _distinct(planted.own(rows), "a", "b")


def _distinct(pairs: pl.LazyFrame, one: str, other: str) -> int:
    both = pl.concat([pairs.select(doc=one), pairs.select(doc=other)])
    return int(both.select(pl.col("doc").n_unique()).collect().item())


def _pairs(documents: int | None) -> int | None:
    return None if documents is None else documents * (documents - 1) // 2


def _rate(entered: int | None, left: int | None) -> float | None:
    return left / entered if entered and left is not None else None


def _cells(row: dict[str, Any]) -> list[str | Markup]:
    known = _KNOWN[row["stage"]]
    documents = row["documents_in"], row["documents_out"]
    pairs = row["pairs_in"], row["pairs_out"]
    return [
        tag("b", row["stage"]),
        tag("span", known.title, class_="dim what"),
        *(count(value) for value in documents),
        percent(_rate(*documents)),
        *(count(value) for value in pairs),
        percent(_rate(*pairs)),
        f"{known.paper.symbol} = {percent(known.paper.share)}" if known.paper else "",
        count(row["planted_in"]),
        count(row["planted_out"]),
    ]


def _compound(rows: list[dict[str, Any]]) -> float | None:
    by_stage = {row["stage"]: row for row in rows}
    start, end = by_stage.get("collapse"), by_stage.get("verify")
    return _rate(start["documents_out"] and _pairs(start["documents_out"]), end["pairs_out"]) if start and end else None
