"""Frame of every chart: SVG that stands on its own, in the report and as an image in the Prefect UI, light and dark."""

from markupsafe import Markup

from tasks.report.html import tag

CHART_WIDTH, PLOT = 360, 130
"""User units of a chart that stands beside others: its width, and the height of what is plotted."""
_STYLE = Markup(
    "<style>"
    ".chart{--ink:#1c2733;--dim:#66727f;--line:#d9dfe5;--docs:#2f6f9f;--pairs:#b9772a;--route:#dcb27c;--good:#2f6f9f;"
    "--off:#c3ccd4;font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}"
    "@media screen and (prefers-color-scheme:dark){.chart{--ink:#e4e9ee;--dim:#98a4b0;--line:#35404b;--docs:#6aa9d8;"
    "--pairs:#d9a05b;--route:#80623b;--good:#6aa9d8;--off:#4a5662}}"
    ".chart text{fill:var(--ink)}.chart .dim{fill:var(--dim)}.chart .rule{stroke:var(--line)}"
    ".chart .docs{fill:var(--docs)}.chart .pairs{fill:var(--pairs)}.chart .route{fill:var(--route)}"
    ".chart .good{fill:var(--good)}.chart .off{fill:var(--off)}"
    "</style>"
)


def svg(width: int, height: int, title: str, *content: Markup) -> Markup:
    """An image of `width` x `height` user units that reads the colours of this file.

    Args:
        width: of the image.
        height: of the image.
        title: what is shown, read by screen readers.
        *content: elements, of the classes that the style above knows.
    """
    return tag(
        "svg",
        _STYLE,
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        role="img",
        aria_label=title,
        class_="chart",
    )
