"""Removals chapter: by type and by source, sizes of clusters, and similarity."""

import polars as pl
from markupsafe import Markup

from tasks.explain.wording import TYPES
from tasks.report.chapters.content.pairs import kind_badge
from tasks.report.charts import histogram_svg
from tasks.report.html import bar, count, join, section, table, tag
from tasks.report.material import Material

SOURCES = 15
LARGEST = 12
"""Clusters that are named."""
DEEPEST = 50
"""Per cent of colour behind a number, with which it can still be read."""
BINS = 20
CLUSTER_SIZES = (2, 3, 4, 5, 8, 16, 32, 64, 128, 1024)


def removals(material: Material) -> Markup:
    """Counts and histograms."""
    decisions = material.archive.table("decisions")
    removed = decisions.filter(pl.col("action") == "remove")
    if removed.select(pl.len()).collect().item() == 0:
        return section("Removals", tag("p", "Nothing was removed."))
    apart = material.archive.table("verified").filter(pl.col("verdict").is_in(["variant", "distinct"]))
    charts = (
        _figure("Documents per cluster", *_cluster_sizes(removed)),
        _figure("Weighted Jaccard of removals", *_similarities(removed.select("similarity"))),
        _figure("Weighted Jaccard of pairs kept apart", *_similarities(apart.select("weighted_jaccard")), "off"),
    )
    return section(
        "Removals",
        tag("h3", "By type"),
        _by_type(material, decisions),
        tag("h3", "By source"),
        _by_source(material, decisions),
        tag("div", *charts, class_="charts"),
        _largest(removed),
        note="Each document is removed in favour of one that is kept and with which it was compared directly. A "
        "cluster is a kept document and all that were removed in its favour.",
    )


def _by_type(material: Material, decisions: pl.LazyFrame) -> Markup:
    documents = material.archive.manifest["counts"]["documents"]
    counted = dict(decisions.drop_nulls("type").group_by("type").len().collect().iter_rows())
    rows: list[list[str | Markup]] = [
        [
            kind_badge(kind),
            "shortened" if kind == "E" else "removed",
            count(counted[kind]),
            bar(counted[kind] / documents),
        ]
        for kind in TYPES
        if kind in counted
    ]
    return table(["type", "what was done", "documents", "of all"], rows, numbers=(2,))


def _by_source(material: Material, decisions: pl.LazyFrame) -> Markup:
    gone = pl.col("action") == "remove"
    sources = (
        decisions.group_by("source")
        .agg(
            pl.len(),
            removed=gone.sum(),
            edited=(pl.col("action") == "edit").sum(),
            **{kind: (gone & (pl.col("type") == kind)).sum() for kind in TYPES},
        )
        .sort(["removed", "len", "source"], descending=[True, True, False])
        .collect()
    )
    kinds = [kind for kind in TYPES if sources[kind].sum()]
    rows: list[list[str | Markup]] = []
    for row in sources.head(SOURCES).iter_rows(named=True):
        name = row["source"] or tag("span", "no source given", class_="dim")
        typed = [_heat(row[kind], row["len"]) for kind in kinds]
        share = bar(row["removed"] / row["len"])
        rows.append([name, count(row["len"]), count(row["removed"]), share, *typed, count(row["edited"])])
    head = ["source", "documents", "removed", "share", *kinds, "shortened"]
    made = table(head, rows, numbers=(1, 2, *range(4, len(head))))
    more = sources.height - len(rows)
    return join(
        [made, tag("p", f"{count(more)} more sources lost no more than these.", class_="note") if more else None]
    )


def _heat(number: int, documents: int) -> Markup:
    """Number on a ground that is the deeper the larger its share."""
    depth = min(100 * number / documents, DEEPEST)
    return tag("span", count(number) if number else "", class_="heat", style=f"--share:{depth:.0f}")


def _cluster_sizes(removed: pl.LazyFrame) -> tuple[list[int], list[str]]:
    sizes = removed.group_by("survivor_id").agg(size=pl.len() + 1).select("size").collect().to_series()
    largest = int(sizes.max() or 2)  # type: ignore[arg-type]
    lows = [low for low in CLUSTER_SIZES if low <= largest]
    highs = [*(low - 1 for low in CLUSTER_SIZES[1 : len(lows)]), None]
    counts = [int(((sizes >= low) & (sizes <= (high or largest))).sum()) for low, high in zip(lows, highs, strict=True)]
    labels = [_range(low, high, largest) for low, high in zip(lows, highs, strict=True)]
    return counts, labels


def _range(low: int, high: int | None, largest: int) -> str:
    top = largest if high is None else high
    return str(low) if top == low else f"{low}–{top}"


def _similarities(values: pl.LazyFrame) -> tuple[list[int], list[str]]:
    """Histogram over [0, 1]; rows without a value (exact copies) are left out."""
    column = values.collect().to_series().drop_nulls().drop_nans()
    bins = (column.clip(0, 1) * BINS).floor().clip(0, BINS - 1).cast(pl.Int32)
    counted = dict(bins.value_counts().iter_rows())
    ends = {0: "0", BINS // 2: "0.5", BINS - 1: "1"}
    return [counted.get(number, 0) for number in range(BINS)], [ends.get(number, "") for number in range(BINS)]


def _figure(title: str, counts: list[int], labels: list[str], kind: str = "good") -> Markup:
    drawn = Markup(histogram_svg(title, counts, labels, kind)) if any(counts) else tag("p", "None.", class_="note")
    return tag("figure", tag("figcaption", title), drawn)


def _largest(removed: pl.LazyFrame) -> Markup:
    clusters = removed.group_by("survivor_id").agg(pl.len(), types=pl.col("type").unique().sort()).collect()
    top = clusters.sort(["len", "survivor_id"], descending=[True, False]).head(LARGEST)
    rows: list[list[str | Markup]] = [
        [
            name,
            count(size),
            join([join([kind_badge(kind), " "]) for kind in types]),
            tag("button", "show members", type="button", data_survivor=name, hidden=""),
        ]
        for name, size, types in top.iter_rows()
    ]
    return join(
        [tag("h3", "Largest clusters"), table(["kept document", "stands for", "types", ""], rows, numbers=(1,))]
    )
