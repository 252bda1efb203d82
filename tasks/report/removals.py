"""What was removed: by type and source, in clusters of which size, how alike, with samples; and what was kept apart."""

from typing import Any

import polars as pl

from tasks.report.charts import histogram_svg
from tasks.report.html import Markup, badge, bar, count, join, percent, score, section, table, tag
from tasks.report.material import Material
from tasks.report.pairs import kind_badge, pair_card, scores
from tasks.wording import TYPES, typed, why_apart

PER_TYPE = 3
SOURCES = 15
APART = 4
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
        note="Each document is removed in favour of one that is kept and with which it was compared directly. A cluster is "
        "a kept document and all that were removed in its favour.",
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
    bounds = material.run.parameters.gate
    gone = pl.col("action") == "remove"
    sources = (
        decisions.group_by("source")
        .agg(pl.len(), removed=gone.sum(), edited=(pl.col("action") == "edit").sum())
        .sort(["removed", "len", "source"], descending=[True, True, False])
        .collect()
    )
    rows: list[list[str | Markup]] = []
    for source, documents, removed, edited in sources.head(SOURCES).iter_rows():
        loss = removed / documents
        high = documents >= bounds.min_source_documents and loss > bounds.max_source_loss
        name = source or tag("span", "no source given", class_="dim")
        mark = badge(f"over {percent(bounds.max_source_loss)}", "bad") if high else ""
        rows.append([name, count(documents), count(removed), join([bar(loss), " ", mark]), count(edited)])
    made = table(["source", "documents", "removed", "share", "shortened"], rows, numbers=(1, 2, 4))
    more = sources.height - len(rows)
    return join(
        [made, tag("p", f"{count(more)} more sources lost no more than these.", class_="note") if more else None]
    )


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
    top = clusters.sort(["len", "survivor_id"], descending=[True, False]).head(5)
    rows: list[list[str | Markup]] = [
        [name, count(size), join([join([kind_badge(kind), " "]) for kind in types])]
        for name, size, types in top.iter_rows()
    ]
    return join([tag("h3", "Largest clusters"), table(["kept document", "stands for", "types"], rows, numbers=(1,))])


def samples(material: Material) -> Markup:
    """Removed documents beside those kept in their place: per type the least alike, one in the middle, the most alike."""
    removed = material.archive.table("decisions").filter(pl.col("action") == "remove")
    likeness = pl.coalesce(pl.when(pl.col("type") == "D").then("containment").otherwise("similarity"), pl.lit(1.0))
    chosen: list[dict[str, Any]] = []
    for kind in TYPES:
        ids = (
            removed.filter(pl.col("type") == kind)
            .select("doc_id", likeness=likeness)
            .sort("likeness", "doc_id")
            .collect()
        )
        places = (
            sorted({0, ids.height // 2, ids.height - 1})[: PER_TYPE if kind != "exact" else 1] if ids.height else []
        )
        wanted = ids["doc_id"].gather(places).to_list()
        rows = {
            row["doc_id"]: row for row in removed.filter(pl.col("doc_id").is_in(wanted)).collect().iter_rows(named=True)
        }
        chosen += [rows[name] for name in wanted]
    if not chosen:
        return Markup("")
    texts = material.archive.originals({name for row in chosen for name in (row["doc_id"], row["survivor_id"])})
    parts: list[Markup] = []
    for number, row in enumerate(chosen):
        if not number or chosen[number - 1]["type"] != row["type"]:
            parts.append(tag("h3", _capital(typed(row["type"]))))
        parts.append(_removal(row, texts))
    return section(
        "Sample removals",
        *parts,
        note="Per type the removal with the lowest score, one in the middle and the one with the highest. Words that "
        "the other text does not have at that place are marked.",
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _removal(row: dict[str, Any], texts: dict[str, str]) -> Markup:
    head = join([kind_badge(row["type"]), f"at {row['stage']}", scores(row)])
    one, other = row["doc_id"], row["survivor_id"]
    return pair_card(head, (f"removed: {one}", texts.get(one)), (f"kept: {other}", texts.get(other)))


def kept_apart(material: Material) -> Markup:
    """Paraphrases, which are listed only, and the look-alikes nearest to being removed."""
    verified = material.archive.table("verified")
    variants = verified.filter(pl.col("verdict") == "variant").sort(["cosine", "a_id"], descending=[True, False])
    facts = (pl.col("verdict") == "distinct") & ((pl.col("type") == "F") | (pl.col("changed_facts") > 0))
    alike = verified.filter(facts).sort(["weighted_jaccard", "a_id", "b_id"], descending=[True, False, False])
    number = {name: pairs.select(pl.len()).collect().item() for name, pairs in (("variant", variants), ("fact", alike))}
    shown = {"variant": variants.head(APART).collect(), "fact": alike.head(APART).collect()}
    wanted = {name for pairs in shown.values() for name in (*pairs["a_id"], *pairs["b_id"])}
    texts = material.archive.originals(wanted) if wanted else {}
    removes = material.run.parameters.verify.remove_semantic_variants
    told = f"{count(number['variant'])} pairs are as close in meaning as duplicates, but not in their wording. " + (
        "They may be removed, as remove_semantic_variants asks."
        if removes
        else "All of them are kept; verify.remove_semantic_variants=true would remove them."
    )
    return section(
        "Kept apart",
        tag("h3", "Semantic variants"),
        tag("p", told if number["variant"] else "No pair says the same in other words."),
        *(_apart(row, texts) for row in shown["variant"].iter_rows(named=True)),
        tag("h3", "Look-alikes with other facts"),
        tag(
            "p",
            f"{count(number['fact'])} pairs share much of their text but state other facts; the most alike are shown.",
        ),
        *(_apart(row, texts) for row in shown["fact"].iter_rows(named=True)),
        note="Pairs that came as far as the check on the text and were not removed.",
    )


def _apart(row: dict[str, Any], texts: dict[str, str]) -> Markup:
    head = join([badge("kept apart", "good"), scores(row), tag("span", why_apart(row))])
    one, other = row["a_id"], row["b_id"]
    return pair_card(head, (one, texts.get(one)), (other, texts.get(other)), few=4)
