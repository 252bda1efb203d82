"""Pair view: two documents side by side, shortened around what differs, with the differing words marked."""

from typing import Any

from markupsafe import Markup

from tasks.explain.differences import Piece, compare
from tasks.explain.wording import TYPES, several, shortened
from tasks.report.html import badge, count, join, quote, score, tag

LONGEST = 100_000
"""Code points of a text that are compared for the report; `explain` compares all of it."""


def scores(row: dict[str, Any]) -> Markup:
    """Scores of a decision or of a verified pair, those that it has."""
    named = {
        "weighted Jaccard": row.get("similarity", row.get("weighted_jaccard")),
        "contained": row.get("containment"),
        "cosine": row.get("cosine"),
    }
    shown = [f"{name} {score(value)}" for name, value in named.items() if value is not None and value == value]
    return tag("span", " · ".join(shown), class_="dim")


def kind_badge(kind: str | None) -> Markup:
    """Type of redundancy as a badge: its letter and what it means."""
    if kind is None:
        return badge("no type")
    return badge(TYPES.get(kind, kind) if len(kind) > 1 else f"{kind} · {TYPES[kind]}")


def pair_card(head: Markup, one: tuple[str, str | None], other: tuple[str, str | None], few: int = 6) -> Markup:
    """Card with two texts.

    Args:
        head: what the card is about.
        one: title and text of the left side; the text is None where it is not to be had.
        other: the same for the right side.
        few: differences to show.
    """
    if one[1] is None or other[1] is None:
        gone = "The texts are not there any more."
        return tag("div", tag("header", head), tag("footer", f"{one[0]}, {other[0]}. {gone}"), class_="pair")
    found = compare(one[1][:LONGEST], other[1][:LONGEST], few)
    sides = tag("div", _side(one[0], found.one), _side(other[0], found.other), class_="sides")
    longest = f"Longest passage in common: {several(len(found.shared), 'character')}"
    told = [f"{longest}, “{shortened(found.shared, 160)}”." if found.shared else "No passage in common."]
    if found.differences > found.shown:
        told.append(f" {count(found.differences)} places differ; the first {found.shown} are shown.")
    elif not found.differences:
        told.append(" No word differs: only spacing, case or other signs do.")
    return tag("div", tag("header", head), sides, tag("footer", *told), class_="pair")


def _side(title: str, pieces: list[Piece]) -> Markup:
    marked = (tag("mark", piece.text) if piece.marked else piece.text for piece in pieces)
    return side(title, quote(join(marked), class_="text"))


def side(title: str, text: Markup) -> Markup:
    """One of two texts under its title."""
    return tag("div", tag("p", title, class_="title"), text, class_="side")
