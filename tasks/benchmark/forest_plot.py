"""Forest plots of the comparison: a dot and its interval per row and score."""

import math
from typing import NamedTuple

from markupsafe import Markup

from models.evaluation.bootstrap import FIGURES
from tasks.benchmark.comparison import Compared, Estimate
from tasks.benchmark.markdown import HEADS, OF_HUNDRED
from tasks.report.html import join, tag
from tasks.report.svg import svg

NAMES, PANEL, GAP, ROW, TOP = 300, 112, 18, 22, 46
COLOURS = {"baseline": "dim", "ours": "good", "ablation": "pairs"}


class _Panel(NamedTuple):
    """One figure of all rows.

    Attributes:
        title: above it.
        marks: one per row: value with interval.
        rings: one per row: the paper's value.
        low: left end of the axis.
        high: right end.
        rule: where a line stands over all rows; None for none.
    """

    title: str
    marks: list[Estimate]
    rings: list[float | None]
    low: float
    high: float
    rule: float


def scores_svg(compared: list[Compared]) -> str:
    """S_A … S_E, F kept and Final of all rows on axes from 0; a line at ours, a ring at the paper's figure."""
    ours = next(one for one in compared if one.row.kind == "ours")
    panels = []
    for position, name in enumerate(one for one in FIGURES if one not in ("weighted", "background_removed")):
        printed = [None if one.printed is None else [*one.printed.scores, None, one.printed.final] for one in compared]
        panels.append(
            _Panel(
                HEADS.get(name, name),
                [one.figures[name] for one in compared],
                [None if row is None else row[position] for row in printed],
                0.0,
                100.0 if name in OF_HUNDRED else 1.0,
                ours.figures[name].value,
            )
        )
    return _forest("Scores with 95 % intervals; rings: the paper's figures", compared, panels)


def differences_svg(compared: list[Compared]) -> str:
    """Difference of each ablation to ours in points, all panels on one axis."""
    rows = [one for one in compared if one.difference is not None]
    found = [{name: _in_points(name, one) for name, one in (row.difference or {}).items()} for row in rows]
    names = [name for name in FIGURES if name not in ("final", "background_removed")]
    known = [number for row in found for name in names for number in row[name] if number == number]
    reach = float(math.ceil(max([1.0, *map(abs, known)])))
    panels = [
        _Panel(HEADS.get(name, name), [row[name] for row in found], [None] * len(rows), -reach, reach, 0.0)
        for name in names
    ]
    return _forest("Points lost or won without a part, with 95 % intervals", rows, panels)


def _in_points(name: str, one: Estimate) -> Estimate:
    return one if name in OF_HUNDRED else Estimate(*(100 * number for number in one))


def _forest(title: str, rows: list[Compared], panels: list[_Panel]) -> str:
    width, bottom = NAMES + len(panels) * (PANEL + GAP), TOP + ROW * len(rows)
    labels = [
        tag("text", one.row.name, x=8, y=TOP + ROW * number + 15, font_weight=600 if one.row.kind == "ours" else None)
        for number, one in enumerate(rows)
    ]
    kinds = [COLOURS[one.row.kind] for one in rows]
    drawn = [_panel(panel, kinds, NAMES + number * (PANEL + GAP), bottom) for number, panel in enumerate(panels)]
    ground = tag("rect", x=0, y=0, width=width, height=bottom + 28, class_="ground")
    style = tag(
        "style", ".chart .ground{fill:#fff}@media screen and (prefers-color-scheme:dark){.chart .ground{fill:#12181e}}"
    )
    return svg(width, bottom + 28, title, style, ground, tag("text", title, x=8, y=16, class_="dim"), *labels, *drawn)


def _panel(panel: _Panel, kinds: list[str], left: float, bottom: float) -> Markup:
    def at(value: float) -> float:
        inside = min(max((value - panel.low) / (panel.high - panel.low), 0.0), 1.0)
        return round(left + PANEL * inside, 1)

    content = [
        tag("text", panel.title, x=left + PANEL / 2, y=TOP - 10, text_anchor="middle"),
        tag("line", x1=left, x2=left + PANEL, y1=bottom, y2=bottom, class_="rule"),
        tag("text", f"{panel.low:g}", x=left, y=bottom + 15, class_="dim"),
        tag("text", f"{panel.high:g}", x=left + PANEL, y=bottom + 15, class_="dim", text_anchor="end"),
    ]
    if panel.rule == panel.rule:
        line = {"x1": at(panel.rule), "x2": at(panel.rule), "y1": TOP, "y2": bottom}
        content.append(tag("line", **line, class_="rule", stroke_dasharray="3 3"))
    for number, (found, ring, kind) in enumerate(zip(panel.marks, panel.rings, kinds, strict=True)):
        middle = TOP + ROW * number + ROW / 2
        if ring is not None:
            content.append(tag("circle", cx=at(ring), cy=middle, r=5, fill="none", stroke="var(--dim)"))
        if found.value == found.value:
            reach = {"x": at(found.low), "width": round(max(at(found.high) - at(found.low), 1), 1)}
            told = tag("title", f"{found.value:.3g} [{found.low:.3g}, {found.high:.3g}]")
            content.append(tag("rect", told, **reach, y=middle - 1.5, height=3, class_=kind, opacity=0.55))
            content.append(tag("circle", told, cx=at(found.value), cy=middle, r=3.5, class_=kind))
    return join(content)
