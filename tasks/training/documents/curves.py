"""SVG curves of losses, in light and in dark."""

from markupsafe import Markup

from tasks.report.html import join, tag
from tasks.report.svg import CHART_WIDTH, PLOT, svg

COLOURS = ("var(--docs)", "var(--pairs)", "var(--dim)")
LEFT, TOP, LINE = 44, 10, 18
"""Room for the numbers at the left and above; height of a line of the legend."""


def curves_svg(title: str, curves: dict[str, list[float]], across: str) -> Markup:
    """Lines over equal steps, on one scale that begins at zero.

    Args:
        title: what is drawn, read by screen readers.
        curves: values of each line, by its name; three at most.
        across: what runs from left to right.
    """
    highest = max((value for line in curves.values() for value in line), default=0.0) or 1.0
    bottom = TOP + PLOT
    marks = [_level(highest * share, bottom - PLOT * share) for share in (0.0, 0.5, 1.0)]
    lines = [
        _line(name, values, highest, colour, bottom + LINE * (2 + number))
        for number, ((name, values), colour) in enumerate(zip(curves.items(), COLOURS, strict=False))
    ]
    below = tag("text", across, x=CHART_WIDTH, y=bottom + 16, text_anchor="end", class_="dim")
    return svg(CHART_WIDTH, bottom + LINE * (2 + len(curves)), title, *marks, below, *lines)


def _level(value: float, y: float) -> Markup:
    return join(
        [
            tag("line", x1=LEFT, x2=CHART_WIDTH, y1=round(y, 1), y2=round(y, 1), class_="rule"),
            tag("text", f"{value:.2g}", x=LEFT - 6, y=round(y + 4, 1), text_anchor="end", class_="dim"),
        ]
    )


def _line(name: str, values: list[float], highest: float, colour: str, y: int) -> Markup:
    """A line and its entry in the legend with its first and last value."""
    step = (CHART_WIDTH - LEFT) / max(1, len(values) - 1)
    at = [(LEFT + step * place, TOP + PLOT * (1 - value / highest)) for place, value in enumerate(values)]
    points = " ".join(f"{x:.1f},{height:.1f}" for x, height in at)
    told = f"{name}: {values[0]:.3g} → {values[-1]:.3g}" if values else name
    return join(
        [
            tag("polyline", points=points, fill="none", stroke=colour, stroke_width=2, stroke_linejoin="round"),
            tag("rect", x=LEFT, y=y - 5, width=14, height=4, rx=2, fill=colour),
            tag("text", told, x=LEFT + 20, y=y),
        ]
    )
