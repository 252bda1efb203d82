"""Fragments chapter: viral passages that were cut, and those that were left because they belong to their hosts."""

from typing import Any

import polars as pl
from markupsafe import Markup

from tasks.explain.archive import Archive
from tasks.explain.wording import several, shortened
from tasks.report.html import count, join, quote, score, section, table, tag
from tasks.report.material import Material

SHOWN = 15
SHOWN_KEPT = 8
HOSTS_NAMED = 3
_GUARDED = "the document is protected, stands for a removed one, or too little of it would remain"
REASONS = {
    "keep_one": f"the one copy that is kept, or {_GUARDED}",
    "cut": _GUARDED,
    "annotate": "they are only listed",
    "off": "",
}
"""Why an occurrence of a passage that is to go is not cut, by `fragment.action`."""


def fragments(material: Material) -> Markup:
    """Cut fragments by the characters they took, and kept ones by their hosts."""
    bounds = material.run.parameters.fragment
    spans = material.archive.table("fragment_spans")
    placed = spans.group_by("fragment").agg(
        places=pl.len(),
        cut=pl.col("cut").sum(),
        chars_cut=(pl.col("end") - pl.col("start")).filter("cut").sum(),
    )
    found = material.archive.table("fragments").drop("text").join(placed, on="fragment", how="left").collect()
    cut = found.filter(pl.col("cut") > 0).sort(["chars_cut", "fragment"], descending=[True, False])
    kept = found.filter(pl.col("action") == "keep").sort(["hosts", "fragment"], descending=[True, False])
    condemned = found.filter(pl.col("action") == "cut")
    spared = int(condemned["places"].sum()) - int(condemned["cut"].sum())
    places, characters = several(int(cut["cut"].sum()), "place"), several(int(cut["chars_cut"].sum()), "character")
    told = f"{several(cut.height, 'passage')} cut, in {places}, {characters} in all."
    left = f" Left in {several(spared, 'place')}: {REASONS[bounds.action]}." if spared else ""
    return section(
        "Fragments",
        tag("h3", "Cut"),
        tag("p", told + left if cut.height else "Nothing was cut."),
        _listed(material.archive, cut.head(SHOWN), "cut in") if cut.height else None,
        _more(cut.height - SHOWN),
        tag("h3", "Left where they are"),
        tag("p", f"{several(kept.height, 'passage')} that belong to their hosts, or hold no whole line or sentence.")
        if kept.height
        else tag("p", "None."),
        _listed(material.archive, kept.head(SHOWN_KEPT), "found in") if kept.height else None,
        _more(kept.height - SHOWN_KEPT),
        note=f"Passages of {bounds.min_chars} characters and more in {bounds.min_hosts} documents and more. Relevance "
        "is the mean cosine between a passage and the rest of its hosts, likeness that between these rests. Both and "
        "more are weighed by what was learned from labels; p says how surely a passage travels between documents that "
        f"are otherwise unlike each other; from {bounds.min_viral:g} on it is cut. "
        "Navigation bars, badges and colophons are cut whoever carries them; their p is 1. "
        "Every cut can be undone: semhash-llm restore DOC_ID.",
    )


def _listed(archive: Archive, shown: pl.DataFrame, where: str) -> Markup:
    """Passages with their text, as it stands in a document where it stands in one, and some of these documents."""
    here = pl.col("fragment").is_in(shown["fragment"].implode())
    told = archive.table("fragments").filter(here).select("fragment", "text")
    placed = archive.table("fragment_spans").filter(here).group_by("fragment")
    named = placed.agg(
        quoted=pl.col("text").first(), named=pl.col("doc_id").unique(maintain_order=True).head(HOSTS_NAMED)
    )
    known = shown.lazy().join(told, on="fragment", how="left", maintain_order="left")
    rows = known.join(named, on="fragment", how="left", maintain_order="left").collect()
    return table(
        ["passage", "hosts", where, "relevance", "likeness", "p", "for example in"],
        [_cells(row, "cut" if where == "cut in" else "places") for row in rows.iter_rows(named=True)],
        numbers=(1, 2, 3, 4, 5),
    )


def _cells(row: dict[str, Any], column: str) -> list[str | Markup]:
    hosts = [tag("div", shortened(name, 40)) for name in row["named"] or []]
    text = join(
        [
            quote(shortened(row["quoted"] or row["text"], 280, keep="both")),
            tag("div", f"{count(row['chars'])} characters", class_="dim"),
        ]
    )
    figures = [score(row[name]) for name in ("relevance", "likeness", "viral")]
    return [text, count(row["hosts"]), count(row[column]), *figures, tag("div", *hosts, class_="dim")]


def _more(number: int) -> Markup | None:
    return tag("p", f"{count(number)} more stand in the table fragments.", class_="note") if number > 0 else None
