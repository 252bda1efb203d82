"""Verdict chapter: whether the snapshot passed, why not if not, and how much went where."""

from typing import Any

import polars as pl
from markupsafe import Markup

from tasks.quality.estimates import doubts
from tasks.report.chapters.content.pairs import kind_badge, pair_card, scores
from tasks.report.html import badge, count, join, percent, tag
from tasks.report.material import Material

EVENTS = ("new", "changed", "returned", "unchanged", "deleted", "refused", "rechecked", "outlived", "recut")
ENDANGERED = 10
"""Protected documents shown that would have been removed."""


def refused(checks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Checks that stand against publishing."""
    return [one for one in checks if not one["passed"] and one["severity"] == "critical"]


def verdict(material: Material) -> Markup:
    """Head of the report."""
    made = material.archive.manifest
    failed, doubts = refused(made["gate"]), [one for one in made["gate"] if not one["passed"]]
    word, kind = ("Refused", "bad") if failed else ("Passed with warnings", "warn") if doubts else ("Passed", "good")
    return join(
        [
            tag("p", badge(word, f"{kind} big")),
            tag("h1", f"Curation report {made['snapshot']}"),
            tag("p", f"{made['created']} · SemHash-LLM {made['version']}", class_="dim"),
            tag("p", _sentence(made["counts"], bool(failed)), class_="lead"),
            _night(made),
            _alarm(failed or doubts, bool(failed)),
            _drifting(made),
            _doubtful(made),
            _tiles(material),
            endangered(material),
        ]
    )


def _sentence(counts: dict[str, int], failed: bool) -> str:
    share = counts["removed"] / counts["documents"] if counts["documents"] else 0
    outcome = (
        "The gate refused this snapshot: nothing was published, and readers still see the one before. "
        if failed
        else "Nothing stands against publishing this snapshot. "
    )
    return (
        f"{outcome}Of {count(counts['documents'])} documents {count(counts['removed'])} ({percent(share)}) are removed "
        f"in favour of another that is kept, and {count(counts['edited'])} are kept without passages that many others "
        "have too."
    )


def _night(made: dict[str, Any]) -> Markup | None:
    """Summary of a refresh, beside the counts of the whole corpus."""
    told = made.get("refresh")
    if not told:
        return None
    events = ", ".join(f"{count(told[name])} {name}" for name in EVENTS if told[name])
    return tag(
        "p",
        f"Refresh {told['generation']}, following snapshot {told['base']}: {count(told['arrivals'])} arrivals; "
        f"{events or 'nothing that changes anything'}. The chapters below are about tonight's documents "
        "and what they met; counts and removals are those of the whole corpus.",
    )


def _drifting(made: dict[str, Any]) -> Markup | None:
    said = made.get("drift", {}).get("warnings", [])
    if not said:
        return None
    return tag("div", tag("b", "Drift"), tag("ul", *(tag("li", one) for one in said)), class_="tile")


def _doubtful(made: dict[str, Any]) -> Markup | None:
    said = doubts(made.get("estimates", []))
    if not said:
        return None
    title = tag("b", "Worse on this corpus than where this version was measured")
    return tag("div", title, tag("ul", *(tag("li", one) for one in said)), class_="tile")


def _alarm(checks: list[dict[str, Any]], failed: bool) -> Markup | None:
    if not checks:
        return None
    listed = (
        tag("li", tag("b", one["check"].replace("_", " ")), f" is {_value(one['value'])}, must be {one['bound']}")
        for one in checks
    )
    title = "Why it was refused" if failed else "Warnings"
    return tag("div", tag("b", title), tag("ul", *listed), class_="alarm" if failed else "tile")


def _value(value: float | None) -> str:
    return "missing" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def _tiles(material: Material) -> Markup:
    counts = material.archive.manifest["counts"]
    cut = material.archive.table("decisions").select(pl.col("chars_cut").cast(pl.Int64).sum()).collect().item()
    shown = {
        "documents": counts["documents"],
        "kept": counts["kept"],
        "removed": counts["removed"],
        "kept, but shortened": counts["edited"],
        "characters cut": cut,
        f"of {count(counts['input_rows'])} rows rejected": counts["rejects"],
    }
    tiles = (tag("div", tag("b", count(value)), tag("span", name), class_="tile") for name, value in shown.items())
    return tag("div", *tiles, class_="tiles")


def endangered(material: Material) -> Markup | None:
    """Protected documents that would be removed, each with the pair that does it."""
    gone = pl.col("protected") & (pl.col("action") == "remove")
    rows = material.archive.table("decisions").filter(gone).sort("doc_id").collect()
    if rows.is_empty():
        return None
    shown = rows.head(ENDANGERED)
    texts = material.archive.originals({*shown["doc_id"], *shown["survivor_id"]})
    cards = []
    for row in shown.iter_rows(named=True):
        one, other = row["doc_id"], row["survivor_id"]
        head = join(
            [badge("protected", "bad"), tag("b", one), kind_badge(row["type"]), f"at {row['stage']}", scores(row)]
        )
        cards.append(
            pair_card(
                head, (f"{one} — protected, would go", texts.get(one)), (f"{other} — would stay", texts.get(other))
            )
        )
    more = rows.height - shown.height
    return join(
        [
            tag("h3", f"Protected documents that would be removed: {count(rows.height)}"),
            *cards,
            tag("p", f"{count(more)} more stand in the table decisions.", class_="note") if more else None,
        ]
    )
