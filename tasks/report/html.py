"""HTML by construction: whatever is not `Markup` is escaped, so no text of a document can become part of the page."""

from collections.abc import Iterable
from html import escape

from tasks.explain.wording import visible


class Markup(str):
    """HTML that is safe to put into a page as it stands."""

    __slots__ = ()


def tag(name: str, *children: str | Markup | None, **attributes: str | float | None) -> Markup:
    """Element with escaped children and attributes.

    Args:
        name: name of the element.
        *children: content in order; plain strings are escaped, None is left out.
        **attributes: a trailing underscore is dropped and others become hyphens (`class_`, `text_anchor`); None is
            left out.
    """
    named = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(visible(_plain(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{named}>{join(children)}</{name}>")


def join(children: Iterable[str | Markup | None]) -> Markup:
    """Children one after the other, plain strings escaped."""
    found = (child for child in children if child is not None)
    return Markup("".join(child if isinstance(child, Markup) else escape(visible(child)) for child in found))


def table(head: list[str], rows: Iterable[list[str | Markup]], *, numbers: Iterable[int] = ()) -> Markup:
    """Table that scrolls sideways on its own where the page is narrow.

    Args:
        head: names of the columns.
        rows: cells.
        numbers: indices of columns that hold numbers.
    """
    right = set(numbers)
    kinds = ["n" if column in right else None for column in range(len(head))]
    named = tag("tr", *(tag("th", name, class_=kind, scope="col") for name, kind in zip(head, kinds, strict=True)))
    body = (tag("tr", *(tag("td", cell, class_=kind) for cell, kind in zip(row, kinds, strict=True))) for row in rows)
    return tag("div", tag("table", tag("thead", named), tag("tbody", *body)), class_="scroll")


def section(title: str, *content: str | Markup | None, note: str | None = None) -> Markup:
    """Chapter of the report; its anchor is made of the title."""
    anchor = title.lower().replace(" ", "-")
    return tag("section", tag("h2", title), tag("p", note, class_="note") if note else None, *content, id=anchor)


def folded(title: str, *content: str | Markup | None, opened: bool = False) -> Markup:
    """Content that stays folded until it is asked for."""
    inside = join([tag("summary", title), *content])
    return Markup(f"<details{' open' if opened else ''}>{inside}</details>")


def quote(text: str, class_: str | None = None) -> Markup:
    """Text of a document, in its own writing direction."""
    return tag("bdi", text, class_=class_, dir="auto")


def bar(share: float | None, kind: str = "") -> Markup:
    """Share of a whole as a small bar beside its number."""
    if share is None:
        return Markup("")
    fill = tag("i", style=f"width:{100 * min(max(share, 0.0), 1.0):.1f}%")
    return tag("span", tag("span", fill, class_=f"bar {kind}".strip()), percent(share), class_="share")


def badge(text: str, kind: str = "") -> Markup:
    """Word in a coloured box: `good`, `bad`, `warn` or neutral."""
    return tag("span", text, class_=f"badge {kind}".strip())


def count(value: float | None) -> str:
    """Number with thousands separated; a dash where there is none."""
    return "–" if value is None else f"{value:,.0f}"


def score(value: float | None) -> str:
    """Similarity or cosine in two digits; a dash where there is none."""
    return "–" if value is None or value != value else f"{value:.2f}"


def percent(share: float | None) -> str:
    """Share in per cent with as many digits as it needs: 63 %, 5.2 %, 0.072 %."""
    if share is None:
        return "–"
    value = 100 * share
    if value == 0 or value >= 10:
        return f"{value:.0f} %" if value == round(value) or value >= 99.95 else f"{value:.1f} %"
    return f"{value:.2g} %"


def _plain(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"
