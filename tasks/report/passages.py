"""Viral passages: which were cut from their hosts and which were left because they belong there."""

from typing import Any

import polars as pl

from tasks.explain.wording import several, shortened
from tasks.report.html import Markup, count, join, quote, score, section, table, tag
from tasks.report.material import Material

SHOWN = 15
SHOWN_KEPT = 8
HOSTS_NAMED = 3


def fragments(material: Material) -> Markup:
    """Cut fragments by the characters they took, and kept ones by their hosts."""
    bounds = material.run.parameters.fragment
    spans = material.archive.table("fragment_spans")
    placed = spans.group_by("fragment").agg(
        places=pl.len(),
        cut=pl.col("cut").sum(),
        chars_cut=(pl.col("end") - pl.col("start")).filter("cut").sum(),
        quoted=pl.col("text").first(),
        named=pl.col("doc_id").unique(maintain_order=True).head(HOSTS_NAMED),
    )
    found = material.archive.table("fragments").join(placed, on="fragment", how="left").collect()
    cut = found.filter(pl.col("cut") > 0).sort(["chars_cut", "fragment"], descending=[True, False])
    kept = found.filter(pl.col("action") == "keep").sort(["hosts", "fragment"], descending=[True, False])
    condemned = found.filter(pl.col("action") == "cut")
    spared = int(condemned["places"].sum()) - int(condemned["cut"].sum())
    places, characters = several(int(cut["cut"].sum()), "place"), several(int(cut["chars_cut"].sum()), "character")
    told = f"{several(cut.height, 'passage')} cut, in {places}, {characters} in all."
    left = (
        f" Left in {several(spared, 'place')}, where the document is protected or too little of it would remain."
        if spared
        else ""
    )
    return section(
        "Fragments",
        tag("h3", "Cut"),
        tag("p", told + left if cut.height else "Nothing was cut."),
        _listed(cut.head(SHOWN), "cut in") if cut.height else None,
        _more(cut.height - SHOWN),
        tag("h3", "Left where they are"),
        tag("p", f"{several(kept.height, 'passage')} with enough to do with their hosts to stay.")
        if kept.height
        else tag("p", "None."),
        _listed(kept.head(SHOWN_KEPT), "found in") if kept.height else None,
        _more(kept.height - SHOWN_KEPT),
        note=f"Passages of {bounds.min_chars} characters and more in {bounds.min_hosts} documents and more. Relevance "
        f"is the mean cosine between a passage and the rest of its hosts; below {bounds.max_relevance:g} it is cut. "
        "Every cut can be undone: semhash-llm restore DOC_ID.",
    )


def _listed(rows: pl.DataFrame, where: str) -> Markup:
    return table(
        ["passage", "hosts", where, "relevance", "for example in"],
        [_cells(row, "cut" if where == "cut in" else "places") for row in rows.iter_rows(named=True)],
        numbers=(1, 2, 3),
    )


def _cells(row: dict[str, Any], column: str) -> list[str | Markup]:
    hosts = [tag("div", shortened(name, 40)) for name in row["named"] or []]
    text = join(
        [
            quote(shortened(row["quoted"] or row["text"], 280, keep="both")),
            tag("div", f"{count(row['chars'])} characters", class_="dim"),
        ]
    )
    return [text, count(row["hosts"]), count(row[column]), score(row["relevance"]), tag("div", *hosts, class_="dim")]


def _more(number: int) -> Markup | None:
    return tag("p", f"{count(number)} more stand in the table fragments.", class_="note") if number > 0 else None
