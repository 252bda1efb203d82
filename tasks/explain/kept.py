"""Explanation of a kept document: its cuts, what it stands for, and what it was kept apart from."""

from typing import Any

import polars as pl

from models.decision.types import REMOVES
from tasks.explain.archive import Archive
from tasks.explain.differences import compare
from tasks.explain.judged import judged
from tasks.explain.terminal import QUOTED, bracketed, paragraph, quote
from tasks.explain.wording import several, shortened, typed, why_apart

LISTED = 20
"""Removed documents listed of those that a kept one stands for."""
NEAREST = 5
"""Pairs listed that were kept apart."""


def passages(archive: Archive, fate: dict[str, Any]) -> list[str]:
    """Repeated passages in the document: those that were cut, then those that were left."""
    here = archive.table("fragment_spans").filter(pl.col("doc_id") == fate["doc_id"]).sort("start")
    known = archive.table("fragments").select("fragment", "hosts", "relevance", "action")
    rows = list(here.join(known, on="fragment", how="left", maintain_order="left").collect().iter_rows(named=True))
    lines: list[str] = []
    for title, chosen in (
        ("Passages cut", [row for row in rows if row["cut"]]),
        ("Repeated passages left in place", [row for row in rows if not row["cut"]]),
    ):
        if chosen:
            lines.append(f"{title} (positions in code points of the original)")
        for row in chosen:
            lines.append(f"  {row['start']:,} to {row['end']:,}: fragment {row['fragment']}, {_about(row)}")
            lines += quote(row["text"], "    ")
        lines += [""] if chosen else []
    return lines


def _about(row: dict[str, Any]) -> str:
    relevance = row["relevance"]
    related = "" if relevance is None or relevance != relevance else f", relevance to its hosts {relevance:.2f}"
    spared = "" if row["cut"] or row["action"] == "keep" else "; kept here as a copy, or the document may not be cut"
    return f"found in {several(row['hosts'], 'document')}{related}{spared}"


def stands_for(archive: Archive, fate: dict[str, Any]) -> list[str]:
    """Documents that were removed in its favour."""
    removed = archive.table("decisions").filter(pl.col("survivor_id") == fate["doc_id"])
    rows = removed.sort("type", "doc_id").collect()
    if rows.is_empty():
        return ["It stands for no other document.", ""]
    lines = [f"Stands for {several(rows.height, 'removed document')}"]
    for row in rows.head(LISTED).iter_rows(named=True):
        likeness = "" if row["similarity"] is None else f", weighted Jaccard {row['similarity']:.2f}"
        lines.append(f"  {row['doc_id']}: {typed(row['type'])}{likeness}")
    more = rows.height - LISTED
    return [*lines, *([f"  and {more:,} more"] if more > 0 else []), ""]


def kept_apart(archive: Archive, fate: dict[str, Any]) -> list[str]:
    """Nearest pairs with documents that are kept as well, and why."""
    name = fate["doc_id"]
    mine = archive.table("verified").filter((pl.col("a_id") == name) | (pl.col("b_id") == name))
    partner = pl.when(pl.col("a_id") == name).then("b_id").otherwise("a_id")
    kept = archive.table("decisions").select(partner="doc_id", kept=pl.col("action") != "remove")
    apart = (
        mine.with_columns(partner=partner)
        .join(kept, on="partner", how="left")
        .filter(pl.col("kept") | ~pl.col("verdict").is_in(REMOVES))
        .sort(["weighted_jaccard", "cosine", "partner"], descending=[True, True, False])
        .collect()
    )
    if apart.is_empty():
        return [_alone(archive, name), ""]
    shown = apart.head(NEAREST)
    texts = archive.originals([name, *shown["partner"]])
    more = f", the nearest {NEAREST} of {apart.height:,}" if apart.height > NEAREST else ""
    lines = [f"Compared on the text and kept apart{more}"]
    for row in shown.iter_rows(named=True):
        gone = "" if row["kept"] else " (removed in favour of another)"
        lines.append(
            f"  {row['partner']}{gone}: weighted Jaccard {row['weighted_jaccard']:.2f}, cosine {row['cosine']:.2f}"
        )
        lines += paragraph(f"{why_apart(row)}.", "    ")
        lines += [line for said in judged(archive, row) for line in paragraph(said, "    ")]
        if name in texts and row["partner"] in texts:
            found = compare(texts[name], texts[row["partner"]], few=3)
            lines += paragraph(shortened(bracketed(found.one), QUOTED), "    ", "here   ")
            lines += paragraph(shortened(bracketed(found.other), QUOTED), "    ", "there  ")
    return [*lines, ""]


def _alone(archive: Archive, name: str) -> str:
    screened, number = archive.working("prescreen"), archive.numbers(name).get(name)
    if screened is not None and number is not None:
        found = screened.filter((pl.col("doc") == number) & ~pl.col("in_play")).collect()
        if found.height:
            return "The pre-screen set it aside: it shares (almost) no wording with any other document."
    return "No other document came near enough to be compared with it and kept apart."
