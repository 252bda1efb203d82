"""Checks chapter: gate, contracts, planted canaries, and the input rows that could not be used."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl
from markupsafe import Markup

from tasks.explain.wording import several, shortened
from tasks.quality.estimates import MEASURES
from tasks.report.html import badge, bar, count, folded, join, percent, quote, section, table, tag
from tasks.report.material import Material

_FORMS = pl.col("reason").str.replace_all(r"'[^']*'", "'…'").str.replace_all(r"\d+", "N").str.slice(0, 90)
"""Reasons that differ in a name or a number only count as one."""


def checks(material: Material) -> Markup:
    """Gate, contracts and canaries."""
    made = material.archive.manifest
    contracts: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for result in made["contracts"]:
        contracts[result["contract"]].append(result)
    return section(
        "Checks",
        tag("h3", "Publish gate"),
        _results(made["gate"]),
        tag("h3", "Contracts between stages"),
        tag("p", "Beside this page, data_docs.html shows them as Great Expectations does.", class_="note"),
        *(_contract(name, results) for name, results in contracts.items()),
        tag("h3", "Canaries"),
        *_canaries(made.get("estimates", []), material.run.parameters.gate.min_preservation),
    )


def _results(results: Iterable[dict[str, Any]]) -> Markup:
    ordered = sorted(results, key=lambda one: bool(one["passed"]))
    rows: list[list[str | Markup]] = [
        [
            _outcome(one),
            one["check"].replace("_", " "),
            "missing" if one["value"] is None else f"{one['value']:,.6g}",
            one["bound"],
            one["severity"],
        ]
        for one in ordered
    ]
    return table(["", "check", "value", "must be", "severity"], rows, numbers=(2,))


def _outcome(result: dict[str, Any]) -> Markup:
    if result["passed"]:
        return badge("passed", "good")
    return badge("failed", "bad" if result["severity"] == "critical" else "warn")


def _contract(name: str, results: list[dict[str, Any]]) -> Markup:
    failed = sum(not one["passed"] for one in results)
    made = several(len(results), "check")
    told = f"{failed} of {made} failed" if failed else f"{made}, all passed"
    return folded(f"{name.replace('_', ' ')}: {told}", _results(results), opened=bool(failed))


def _canaries(fates: list[dict[str, Any]], least: float) -> list[Markup]:
    if not fates:
        return [tag("p", "No canaries were planted.")]
    rows: list[list[str | Markup]] = []
    for fate in fates:
        name, share = fate["score"], fate["share"]
        marks = [badge("far below", "warn")] if fate["far_below"] else []
        if name == "preservation" and share is not None and share < least:
            marks.append(badge(f"below {least:g}", "bad"))
        between = "–" if share is None else f"{percent(fate['low'])} to {percent(fate['high'])}"
        rows.append(
            [
                tag("b", name.replace("_", " ")),
                MEASURES.get(name, ""),
                count(fate["documents"]),
                f"{count(fate['right'])} of {count(fate['cases'])}",
                join([bar(share), " ", *marks]),
                between,
                percent(fate["shipped"]),
            ]
        )
    told = (
        "How good this run was on this corpus, estimated from documents whose fate is known beforehand: made from the "
        "corpus itself by changes of every kind, and look-alikes. They ride along in the working tables, meet only "
        "each other, are never published and count in no other figure. The last column is what this version reached "
        "where it was measured before it was shipped."
    )
    head = ["score", "what", "planted", "right", "share", "95 % interval", "shipped"]
    return [tag("p", told, class_="note"), table(head, rows, numbers=(2, 3))]


def rejects(material: Material) -> Markup:
    """Input rows that became no document, by reason, with an example each."""
    found = material.archive.table("rejects")
    grouped = (
        found.group_by(_FORMS.alias("form"))
        .agg(pl.len(), pl.col("file", "row", "reason", "excerpt").sort_by("file", "row").first())
        .sort(["len", "form"], descending=[True, False])
        .collect()
    )
    if grouped.is_empty():
        return section("Rejected rows", tag("p", "Every input row became a document."))
    rows: list[list[str | Markup]] = [
        [
            count(row["len"]),
            row["reason"],
            f"{Path(row['file']).name}, row {count(row['row'])}",
            quote(shortened(row["excerpt"] or "", 120)),
        ]
        for row in grouped.head(20).iter_rows(named=True)
    ]
    note = "Input rows are documents and rejects, always. The table rejects has them all."
    return section("Rejected rows", table(["rows", "reason", "first one", "excerpt"], rows, numbers=(0,)), note=note)
