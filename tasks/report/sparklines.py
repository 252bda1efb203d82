"""Sparklines of figures over runs: one line each, on a scale of its own, with the last value beside it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from markupsafe import Markup

from tasks.pipeline.registry import STAGES
from tasks.report.html import count, join, percent, tag
from tasks.report.svg import svg

WIDTH, ROW, LEFT, RIGHT, HEIGHT = 660, 34, 200, 230, 18


class _Line(NamedTuple):
    label: str
    values: list[float | None]
    told: Callable[[float | None], str]


def trend_svg(trend: list[dict[str, Any]]) -> Markup:
    """Documents, cost, pass rates and the fate of planted documents over the last runs.

    Args:
        trend: entries of `tasks.publish.trend.trend`, the oldest first; a figure that no run has is left out.
    """
    rates = [(row.name, row.paper.label) for row in STAGES if row.paper]
    lines = [
        _Line("documents", [one["documents"] for one in trend], count),
        _Line("removed", [one["removed"] / one["documents"] if one["documents"] else None for one in trend], percent),
        _Line("seconds", [one["seconds"] for one in trend], count),
        *(_Line(label, [one["pass_rates"].get(name) for one in trend], percent) for name, label in rates),
        _Line("planted duplicates found", [_found(one["canaries"]) for one in trend], percent),
        _Line("planted look-alikes kept", [one["canaries"].get("preservation") for one in trend], percent),
    ]
    shown = [line for line in lines if any(value is not None for value in line.values)]
    rows = (_row(ROW * number + 8, line) for number, line in enumerate(shown))
    return svg(WIDTH, ROW * len(shown) + 4, f"The last {len(trend)} runs, the newest on the right", *rows)


def _found(scores: dict[str, float | None]) -> float | None:
    known = [value for name, value in scores.items() if name.startswith("S_") and value is not None]
    return sum(known) / len(known) if known else None


def _row(top: int, line: _Line) -> Markup:
    known = [value for value in line.values if value is not None]
    low, high = min(known), max(known)
    points = _points(line.values, low, high, top)
    between = f"{line.told(low)} to {line.told(high)}" if high > low else "unchanged"
    return join(
        [
            tag("text", line.label, x=0, y=top + 14),
            tag("polyline", points=" ".join(f"{x},{y}" for x, y in points), fill="none", stroke="var(--docs)"),
            *(tag("circle", cx=x, cy=y, r=2, class_="docs") for x, y in points),
            tag("text", line.told(line.values[-1]), x=WIDTH - RIGHT + 14, y=top + 14),
            tag("text", between, x=WIDTH, y=top + 14, text_anchor="end", class_="dim"),
        ]
    )


def _points(values: list[float | None], low: float, high: float, top: int) -> list[tuple[float, float]]:
    step = (WIDTH - LEFT - RIGHT) / max(len(values) - 1, 1)
    scale = HEIGHT / (high - low) if high > low else 0
    middle = 0 if scale else HEIGHT / 2
    return [
        (round(LEFT + step * at, 1), round(top + HEIGHT - middle - scale * (value - low), 1))
        for at, value in enumerate(values)
        if value is not None
    ]
