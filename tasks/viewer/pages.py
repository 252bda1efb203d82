"""Pages of the viewer: search over all pairs, and the review."""

from pathlib import Path

from markupsafe import Markup

from tasks.explain import explain
from tasks.explain.archive import Archive
from tasks.explain.wording import TYPES
from tasks.report import html
from tasks.report.explorer.chapter import SOURCES, script, search, vocabulary
from tasks.report.html import count, tag
from tasks.report.style import CSS
from tasks.viewer.desk import ANSWERS
from tasks.viewer.pairs import sources

_SAID = {"y": "duplicate", "n": "both stay", "c": "one contains the other"}


def pairs_page(archive: Archive, out: Path) -> str:
    """Search over all pairs of the snapshot."""
    made = archive.manifest
    removed, documents = (count(made["counts"][name]) for name in ("removed", "documents"))
    told = (
        f"All pairs of snapshot {made['snapshot']}: {removed} of {documents} documents were removed. Beside these "
        "stand pairs that were compared and kept apart, and such of which one may go, but not for the other."
    )
    return html.page(
        f"Pairs of snapshot {made['snapshot']}",
        CSS,
        _links("pairs"),
        tag("h1", "Pairs"),
        tag("p", told, class_="note"),
        search(
            {*TYPES} - {"E"},
            sources(archive, SOURCES),
            out,
            {"api": "api/pairs", "page": "explain", "first": {"outcome": "removed"}},
        ),
        script=script("card", "explorer"),
    )


def review_page(out: Path, token: str) -> str:
    """Review of borderline pairs by key."""
    buttons = (tag("button", f"{key} · {_SAID[key]}", type="button", data_key=key) for key in ANSWERS)
    return html.page(
        "Review",
        CSS,
        _links("review"),
        tag("h1", "Is one of these two redundant?"),
        tag("p", "", id="told", class_="told", role="status"),
        tag("progress", "", id="progress", aria_label="answered or skipped"),
        tag("div", "", id="shown"),
        tag(
            "p",
            *buttons,
            tag("button", "s · skip", type="button", data_key="s"),
            tag("button", "u · undo", type="button", data_key="u"),
            class_="pager answers",
        ),
        tag("p", f"Kept at once, for the next curate or refresh of {out}.", class_="note"),
        html.held(vocabulary(out) | {"page": "explain", "token": token}),
        script=script("card", "review"),
    )


def document_page(out: Path, doc_id: str) -> str:
    """What `explain` says of a document.

    Raises:
        InputError: no document has this id.
    """
    return html.page(
        f"Document {doc_id}", CSS, _links(""), tag("h1", doc_id), tag("pre", explain(out, doc_id), class_="told")
    )


def _links(here: str) -> Markup:
    named = {"pairs": "./", "review": "review", "report": "report"}
    return tag(
        "nav",
        *(tag("a", name, href=place, aria_current="page" if name == here else None) for name, place in named.items()),
    )
