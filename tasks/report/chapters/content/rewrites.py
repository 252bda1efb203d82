"""Rewrites chapter: documents that say the same in other words, side by side."""

from typing import Any

from markupsafe import Markup

from tasks.explain.rewrites import about, listed
from tasks.explain.wording import several, shortened
from tasks.report.chapters.content.pairs import side
from tasks.report.html import badge, join, quote, section, tag
from tasks.report.material import Material

SHOWN = 6
"""Pairs that are shown, from those that stand out most from what is around them to those that do least."""
SCOPE = "Only English prose is compared in meaning."
LENGTH = 600
"""Code points of each text."""


def rewrites(material: Material) -> Markup:
    """How many pairs may say the same in other words, and some of them; or that nobody looked."""
    action = material.run.parameters.meaning.action
    if not material.run.parameters.looks_for_rewrites:
        return section("In other words", tag("p", "Nobody looked for texts that say the same in other words."))
    pairs = listed(material.archive).collect()
    if pairs.is_empty():
        return section("In other words", tag("p", f"No pair of kept documents was found to say the same. {SCOPE}"))
    done = (
        "One of the two stays, the fuller or the one that was published; see the removals of type P."
        if action == "remove"
        else "All are kept. Read some before you ask for meaning.action=remove, which keeps the fullest of them: where "
        "texts are near in meaning for other reasons, as in documentation, most of such a list is wrong."
    )
    places = sorted({round(at * (pairs.height - 1) / max(1, SHOWN - 1)) for at in range(SHOWN)})
    rows = [pairs.row(place, named=True) for place in places]
    texts = material.archive.originals({name for row in rows for name in (row["a_id"], row["b_id"])})
    return section(
        "In other words",
        tag("p", f"{several(pairs.height, 'pair')} of documents that may say the same in other words. {SCOPE} {done}"),
        *(_card(row, texts) for row in rows),
        note="Found among each other's nearest neighbours in meaning, whatever wording they share; from the pair that "
        "stands out most from what is around it to the one that does least.",
    )


def _card(row: dict[str, Any], texts: dict[str, str]) -> Markup:
    head = join([badge("P · in other words"), tag("span", about(row), class_="dim")])
    sides = (
        side(name, quote(shortened(texts.get(name, ""), LENGTH), class_="text")) for name in (row["a_id"], row["b_id"])
    )
    return tag("div", tag("header", head), tag("div", *sides, class_="sides"), class_="pair")
