"""Markdown page of the comparison."""

import dataclasses
from typing import Any

from models.evaluation.bootstrap import FIGURES, RESAMPLES
from tasks.benchmark.comparison import COVERAGE, Compared, Estimate
from tasks.benchmark.mean_gates import GATES
from tasks.report.markdown import table

HEADS = {
    "preservation": "F kept",
    "weighted": "before breaker",
    "final": "Final",
    "background_removed": "background removed",
}
OF_HUNDRED = ("weighted", "final")
"""Figures in 0 to 100; the others are shares."""
BROKEN_DOWN = {"family": "By family of operators", "source": "By source"}


def page(split: str, compared: list[Compared], left_out: list[str]) -> str:
    """The whole page; parts that need more than ours are left out where there is only that."""
    ours = next(one for one in compared if one.row.kind == "ours")
    differing = [one for one in compared if one.difference is not None]
    parts = [f"# SemHash-LLM on {split}", _scores(compared)]
    if differing:
        parts += ["## What each part is worth", _differences(differing)]
    if any(one.row.details.get("rewrites") for one in compared):
        parts += ["## The same in other words (S_P)", _rewrites(compared)]
    parts += ["## Harm", _harm(compared), "## Cost", _costs(compared)]
    for by, title in BROKEN_DOWN.items():
        if shown := [part for part in ours.row.parts if part["by"] == by]:
            parts += [f"## {title}", _parts(shown)]
    if gates := ours.row.details.get("gates"):
        parts += ["## Gates by type and length", _gates(gates)]
    parts += ["## Stages of SemHash-LLM", _stages(ours.row.details["stages"])]
    if left_out:
        parts.append(f"Not run, for want of `--train-on CORPUS`: {', '.join(left_out)}.")
    if len(compared) > 1:
        parts += ["## The rows", "\n".join(f"- **{one.row.name}**: {one.row.says}." for one in compared)]
    return "\n\n".join(parts) + "\n"


def _scores(compared: list[Compared]) -> str:
    names = [name for name in FIGURES if name != "background_removed"]
    rows = [[one.row.name, *(_figure(name, one.figures[name]) for name in names), _printed(one)] for one in compared]
    shown = table(["method", *(HEADS.get(name, name) for name in names), "paper"], rows)
    return (
        f"{shown}\n\nIn brackets {COVERAGE:.0%} intervals: percentiles of {RESAMPLES:,} bootstrap samples of groups "
        "(of fragments for S_E). Final is 0 where less than 90 % of type F is kept (`eq:circuit_breaker`). The last "
        "column is the Final that the paper prints, on its own data."
    )


def _differences(differing: list[Compared]) -> str:
    names = [name for name in FIGURES if name != "background_removed"]
    rows = [[one.row.name, *(_points(name, (one.difference or {})[name]) for name in names)] for one in differing]
    shown = table(["ablation", *(HEADS.get(name, name) for name in names)], rows)
    return (
        f"{shown}\n\nDifference to SemHash-LLM in points (hundredths), with the {COVERAGE:.0%} interval of the paired "
        "bootstrap; bold where it excludes 0. Below 0: the part that is missing helped."
    )


def _rewrites(compared: list[Compared]) -> str:
    rows = []
    for one in compared:
        if found := one.row.details.get("rewrites"):
            shares = (found[name] for name in ("recall", "precision", "lookalikes"))
            told = ["-" if share is None else f"{share:.4f}" for share in shares]
            rows.append([one.row.name, *told, _count(found["listed"]), _count(found["removed"])])
    heads = ["method", "S_P (recall)", "precision", "look-alikes removed", "pairs listed", "documents that go"]
    return (
        f"{table(heads, rows)}\n\nOf the listed pairs as if each document went in favour of the fullest that says the "
        "same, whatever meaning.action is. No part of Final: the paper has no such type."
    )


def _harm(compared: list[Compared]) -> str:
    fields = [field.name for field in dataclasses.fields(compared[0].row.evaluation.harm)]
    rows = []
    for one in compared:
        values = dataclasses.asdict(one.row.evaluation.harm)
        rows.append([one.row.name, *(_harmed(name, values[name]) for name in fields)])
    return table(["method", *(name.replace("_", " ") for name in fields)], rows)


def _costs(compared: list[Compared]) -> str:
    rows = []
    for one in compared:
        spent = one.row.cost
        share = None if spent.neural is None else spent.neural / spent.all_pairs if spent.all_pairs else 0.0
        rows.append(
            [
                one.row.name,
                _count(spent.candidates),
                _count(spent.neural),
                "-" if share is None else f"{share:.3%}",
                f"{spent.seconds:,.1f}",
                "-" if spent.cpu_seconds is None else f"{spent.cpu_seconds:,.1f}",
                f"{spent.peak_memory_mb:,.0f}",
            ]
        )
    shown = table(["method", "pairs examined", "by a network", "of all pairs", "wall s", "CPU s", "peak MB"], rows)
    return (
        f"{shown}\n\nSeconds are the sum over the stages that the row needs, as recorded when each was made: rows "
        "share stages, and whoever came first also paid for compiling. Fine-tuning and tuning of baselines are not in "
        "it; both thresholds of a baseline are in one run. Memory is the peak of the process with all its libraries."
    )


def _gates(gates: list[dict[str, Any]]) -> str:
    rows = [
        [f"{row['by']}: {row['which']}", _count(row["documents"]), *(f"{row[name]:.3f}" for name in GATES)]
        for row in gates
    ]
    return table(["documents", "number", *(name.removeprefix("gate_") for name in GATES)], rows)


def _parts(parts: list[dict[str, Any]]) -> str:
    """Types across, what made the documents down."""
    kinds = sorted({part["type"] for part in parts if part["possible"]})
    rows: dict[str, dict[str, tuple[int, int]]] = {}
    for part in parts:
        rows.setdefault(part["which"], {})[part["type"]] = part["earned"], part["possible"]
    lines = [[which, *(_earned(found.get(kind)) for kind in kinds)] for which, found in sorted(rows.items())]
    note = (
        "Share of the duplicates that merged, of the children removed, of the passages cut (E), of the look-alikes (F) "
        "and background documents kept, and how many there are."
    )
    return f"{table(['made by', *kinds], lines)}\n\n{note}"


def _earned(found: tuple[int, int] | None) -> str:
    return f"{found[0] / found[1]:.3f} ({found[1]:,})" if found and found[1] else ""


def _stages(stages: list[dict[str, Any]]) -> str:
    rows = []
    for row in stages:
        unit = "documents" if row["pairs_in"] is None else "pairs"
        rate = "" if row["pass_rate"] is None else f"{row['pass_rate']:.4g}"
        entered, left = (f"{row[f'{unit}_{way}'] or 0:,} {unit}" for way in ("in", "out"))
        rows.append([row["stage"], entered, left, rate, f"{row['seconds']:,.1f}", f"{row['peak_memory_mb']:,.0f}"])
    return table(["stage", "in", "out", "pass rate", "seconds", "peak MB"], rows)


def _figure(name: str, found: Estimate) -> str:
    digits = 1 if name in OF_HUNDRED else 3
    if found.value != found.value:
        return "-"
    return f"{found.value:.{digits}f} [{found.low:.{digits}f}, {found.high:.{digits}f}]"


def _points(name: str, found: Estimate) -> str:
    if found.value != found.value:
        return "-"
    value, low, high = (number if name in OF_HUNDRED else 100 * number for number in found)
    text = f"{value:+.1f} [{low:+.1f}, {high:+.1f}]".replace("+0.0", "0.0").replace("-0.0", "0.0")
    return f"**{text}**" if found.clear else text


def _printed(one: Compared) -> str:
    return f"{one.printed.final:.2f}" if one.printed else ""


def _harmed(name: str, value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3%}" if name.endswith("share") else f"{value:,}"


def _count(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
