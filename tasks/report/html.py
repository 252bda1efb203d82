"""HTML by Jinja2 with autoescape: what is not `Markup` is escaped, so no text of a document becomes part of a page."""

import base64
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from tasks.runtime.visible import OVERRIDES, visible


def _shown(value: Any) -> Any:
    """What a template writes: texts with their control characters made visible, HTML as it stands."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


_PARTS: Any = (
    Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    .get_template("parts.j2")
    .module
)
_IN_SCRIPT = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
_IN_SCRIPT |= {code: f"\\u{code:04x}" for code in OVERRIDES}
"""Signs that could end a script or reorder what an editor shows of it, as JSON can write them, too."""


def page(title: str, style: str, *content: str | Markup | None, script: str = "") -> str:
    """Page in one file.

    Args:
        title: of the page.
        style: its style sheet.
        *content: header, chapters and whatever else stands on it, in order.
        script: the only one that the browser may run.
    """
    seal = f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"
    parts = [one for one in content if one is not None]
    return f"{_PARTS.page(title, Markup(style), parts, Markup(script), Markup(seal))}\n"


def tag(name: str, *children: str | Markup | None, **attributes: str | float | None) -> Markup:
    """Element with escaped children and attributes.

    Args:
        name: name of the element.
        *children: content in order; plain strings are escaped, None is left out.
        **attributes: a trailing underscore is dropped and others become hyphens (`class_`, `text_anchor`); None is
            left out.
    """
    named = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_shown(_plain(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{named}>{join(children)}</{name}>")


def join(children: Iterable[str | Markup | None]) -> Markup:
    """Children one after the other, plain strings escaped."""
    return Markup("".join(escape(_shown(child)) for child in children if child is not None))


def table(head: list[str], rows: Iterable[list[str | Markup]], *, numbers: Iterable[int] = ()) -> Markup:
    """Table that scrolls sideways on its own where the page is narrow.

    Args:
        head: names of the columns.
        rows: cells.
        numbers: indices of columns that hold numbers.
    """
    return Markup(_PARTS.table(head, rows, set(numbers)))


def section(title: str, *content: str | Markup | None, note: str | None = None) -> Markup:
    """Chapter of the report; its anchor is made of the title."""
    return Markup(_PARTS.section(title.lower().replace(" ", "-"), title, note, join(content)))


def folded(title: str, *content: str | Markup | None, opened: bool = False) -> Markup:
    """Content that stays folded until it is asked for."""
    return Markup(_PARTS.folded(title, join(content), opened))


def explorer(
    types: Iterable[tuple[str, str]], sources: Iterable[str], picked: Iterable[tuple[str, str]], data: Any
) -> Markup:
    """Search over pairs.

    Args:
        types: that can be asked for, with their names.
        sources: likewise.
        picked: reasons to be shown that can be asked for, with their names.
        data: plain values for the script.
    """
    return Markup(_PARTS.explorer([*types], [(name, name) for name in sources], [*picked], held(data)))


def held(data: Any) -> Markup:
    """Plain values for a script of the page; no text in them can end the element that holds them."""
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_IN_SCRIPT)
    return Markup(_PARTS.held(Markup(told)))


def quote(text: str, class_: str | None = None) -> Markup:
    """Text of a document, in its own writing direction."""
    return tag("bdi", text, class_=class_, dir="auto")


def bar(share: float | None, kind: str = "") -> Markup:
    """Share of a whole as a small bar beside its number."""
    if share is None:
        return Markup("")
    return Markup(_PARTS.bar(f"{100 * min(max(share, 0.0), 1.0):.1f}", kind, percent(share)))


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
