"""Charts of a run: the funnel of its stages, and histograms."""

import math
from typing import NamedTuple

import polars as pl
from markupsafe import Markup

from tasks.report.html import count, join, tag
from tasks.report.svg import CHART_WIDTH, PLOT, svg

WIDTH, ROW = 440, 38


class _Step(NamedTuple):
    stage: str
    column: str
    label: str
    kind: str


_STEPS = (
    _Step("collapse", "documents_in", "documents", "docs"),
    _Step("collapse", "documents_out", "distinct texts", "docs"),
    _Step("prescreen", "documents_out", "share wording with another", "docs"),
    _Step("block", "pairs_in", "all pairs of these", "pairs"),
    _Step("block", "pairs_out", "close in meaning (Hamming radius)", "route"),
    _Step("band", "pairs_out", "share a band of their sketches", "route"),
    _Step("nest", "pairs_out", "one seems to hold the other", "route"),
    _Step("route", "pairs_out", "candidates: sketches alike enough", "pairs"),
    _Step("verify", "pairs_out", "verified on the text: one may go", "pairs"),
    _Step("decide", "documents_out", "documents kept", "docs"),
)


def funnel_svg(stages: pl.DataFrame) -> str:
    """Documents and pairs that each stage let through; bars of documents are to scale, those of pairs logarithmic.

    Args:
        stages: rows of `stage_metrics`; stages that are missing or have no figures are left out.
    """
    by_stage = {row["stage"]: row for row in stages.iter_rows(named=True)}
    found = [(step, (by_stage.get(step.stage) or {}).get(step.column)) for step in _STEPS]
    steps = [(step, value) for step, value in found if value is not None]
    longest = {
        pairs: max((value for step, value in steps if (step.kind != "docs") == pairs), default=0)
        for pairs in (False, True)
    }
    rows = [_step(number, step, value, longest[step.kind != "docs"]) for number, (step, value) in enumerate(steps)]
    return svg(WIDTH, ROW * len(rows) + 4, "Funnel of documents and pairs, stage by stage", *rows)


def _step(number: int, step: _Step, value: int, longest: int) -> Markup:
    top = ROW * number + 14
    share = (value / longest if step.kind == "docs" else math.log1p(value) / math.log1p(longest)) if longest else 0
    unit = "documents" if step.kind == "docs" else "pairs"
    return join(
        [
            tag("text", step.label, x=0, y=top),
            tag("text", f"{count(value)} {unit}", x=WIDTH, y=top, text_anchor="end", class_="dim"),
            tag("rect", x=0, y=top + 6, width=WIDTH, height=11, rx=3, fill="var(--line)", opacity=0.5),
            tag("rect", x=0, y=top + 6, width=round(max(WIDTH * share, 2), 1), height=11, rx=3, class_=step.kind),
        ]
    )


def histogram_svg(title: str, counts: list[int], labels: list[str], kind: str = "good") -> str:
    """Bars side by side with their counts above and labels below.

    Args:
        title: what is counted, read by screen readers.
        counts: height of each bar.
        labels: text below each bar; "" for none.
        kind: colour of the bars, `good` or `off`.
    """
    width, highest = CHART_WIDTH / max(len(counts), 1), max(counts, default=0)
    numbered = len(counts) <= 12
    marks = [tag("line", x1=0, x2=CHART_WIDTH, y1=PLOT + 24, y2=PLOT + 24, class_="rule")]
    if not numbered:
        marks.append(tag("text", f"highest bar {count(highest)}", x=0, y=12, class_="dim"))
    for number, (value, label) in enumerate(zip(counts, labels, strict=True)):
        height = max(PLOT * value / highest, 1.5) if value else 0
        left, middle = number * width, (number + 0.5) * width
        top = PLOT + 24 - height
        size = {"x": round(left + 1.5, 1), "y": round(top, 1), "width": round(width - 3, 1), "height": round(height, 1)}
        told = tag("title", f"{label or title}: {count(value)}")
        marks.append(tag("rect", told, **size, rx=2, class_=kind))
        if numbered and value:
            marks.append(tag("text", count(value), x=round(middle, 1), y=round(top - 5, 1), text_anchor="middle"))
        if label:
            anchor = "middle" if numbered or 0 < number < len(counts) - 1 else ("end" if number else "start")
            at = {"middle": middle, "start": left, "end": left + width}[anchor]
            marks.append(tag("text", label, x=round(at, 1), y=PLOT + 40, text_anchor=anchor, class_="dim"))
    return svg(CHART_WIDTH, PLOT + 48, title, *marks)
