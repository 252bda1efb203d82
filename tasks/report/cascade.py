"""How many documents and pairs each stage let through, against the paper's rates, and what each stage cost."""

from typing import Any

import polars as pl

from tasks.report.charts import funnel_svg
from tasks.report.html import Markup, badge, bar, count, percent, section, table, tag
from tasks.report.material import Material
from tasks.tables import TableRef, about, scan

PAPER = {"prescreen": ("r1", 0.6), "block": ("r2", 0.05), "route": ("r3", 0.3), "verify": ("r4", 0.8)}
"""Share of pairs that each stage of the cascade lets through in the paper."""
PAPER_COMPOUND = 0.0072

DOES = {
    "extract": "read, normalise, number",
    "collapse": "exact copies of the normalised text",
    "prescreen": "shares wording with another (Bloom)",
    "embed": "vectors and attention",
    "sign": "codes, sketches, bands, samples",
    "block": "codes within the Hamming radius",
    "band": "attention-weighted LSH, all pairs of a band",
    "nest": "sampled shingles mostly in the other",
    "route": "routes merged, sketches alike enough",
    "verify": "checked on the text",
    "contain": "containment confirmed by meaning",
    "settle": "who stays",
    "fragment": "viral passages",
    "decide": "one decision per document",
}


def cascade(material: Material) -> Markup:
    """Funnel and pass rates."""
    stages = material.archive.table("stage_metrics").sort("position").collect()
    rows = _rows(material, stages)
    compound = _compound(rows)
    routing = material.run.parameters.cascade.routing
    note = (
        "Counts include the planted canaries. Bars of documents are to scale, those of pairs logarithmic. "
        + (
            "Routing is “union”: semantic block, banded LSH and containment samples propose pairs side by side, each "
            "out of all pairs of the signed documents, and “route” merges them; "
            if routing == "union"
            else "Routing is “cascade”: a pair must be found by the semantic block and by banded LSH, or by containment; "
        )
        + "the rate beside r3 is the share of the proposed pairs that the sketches let through."
    )
    head = ["stage", "what it does", "documents in", "out", "rate", "pairs in", "out", "rate", "paper"]
    return section(
        "Funnel",
        tag("figure", Markup(funnel_svg(stages)), class_="funnel"),
        table(head, [_cells(row) for row in rows], numbers=(2, 3, 4, 5, 6, 7, 8)),
        tag(
            "p",
            f"Compound: {percent(compound)} of all pairs of distinct texts end as removable, "
            f"{percent(PAPER_COMPOUND)} in the paper (0.6 × 0.05 × 0.3 × 0.8).",
        ),
        note=note,
    )


def _rows(material: Material, stages: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows of `stage_metrics` with documents filled in for pair stages, and pairs for the document stages."""
    rows = []
    touched = material.tables.signatures["rows"]
    for row in stages.iter_rows(named=True):
        if row["stage"] in ("collapse", "prescreen"):
            row |= {"pairs_in": _pairs(row["documents_in"]), "pairs_out": _pairs(row["documents_out"])}
        elif row["stage"] in ("block", "band", "nest", "route", "verify", "contain"):
            row |= {"documents_in": touched, "documents_out": _documents(material, row["stage"])}
            touched = row["documents_out"] if row["stage"] in ("route", "verify") else touched
        rows.append(row)
    return rows


def _documents(material: Material, stage: str) -> int:
    """Documents that stand in at least one pair that the stage let through."""
    tables = material.tables
    if stage == "contain":
        return _distinct(scan(tables.containment).filter("confirmed"), "child", "parent")
    if stage == "verify":
        return _distinct(
            scan(tables.verified).filter(pl.col("verdict").is_in(["either", "a_in_b", "b_in_a"])), "a", "b"
        )
    refs: dict[str, TableRef] = {
        "block": tables.blocked,
        "band": tables.banded,
        "nest": tables.nested,
        "route": tables.candidates,
    }
    return _distinct(scan(refs[stage]), "a", "b")


def _distinct(pairs: pl.LazyFrame, one: str, other: str) -> int:
    both = pl.concat([pairs.select(doc=one), pairs.select(doc=other)])
    return int(both.select(pl.col("doc").n_unique()).collect().item())


def _pairs(documents: int | None) -> int | None:
    return None if documents is None else documents * (documents - 1) // 2


def _rate(entered: int | None, left: int | None) -> float | None:
    return left / entered if entered and left is not None else None


def _cells(row: dict[str, Any]) -> list[str | Markup]:
    symbol, share = PAPER.get(row["stage"], ("", None))
    documents = row["documents_in"], row["documents_out"]
    pairs = row["pairs_in"], row["pairs_out"]
    return [
        tag("b", row["stage"]),
        tag("span", DOES.get(row["stage"], ""), class_="dim"),
        *(count(value) for value in documents),
        percent(_rate(*documents)),
        *(count(value) for value in pairs),
        percent(_rate(*pairs)),
        "" if share is None else f"{symbol} = {percent(share)}",
    ]


def _compound(rows: list[dict[str, Any]]) -> float | None:
    by_stage = {row["stage"]: row for row in rows}
    start, end = by_stage.get("collapse"), by_stage.get("verify")
    return _rate(start["documents_out"] and _pairs(start["documents_out"]), end["pairs_out"]) if start and end else None


def costs(material: Material) -> Markup:
    """Time and memory per stage, and the caps that cost recall."""
    stages = material.archive.table("stage_metrics").sort("position").collect()
    longest = stages["seconds"].max()
    total = stages.filter(~pl.col("reused"))["seconds"].sum()
    rows: list[list[str | Markup]] = [
        [
            tag("b", row["stage"]),
            f"{row['seconds']:,.1f} s",
            _share(row["seconds"], longest),
            f"{row['peak_memory_mb']:,.0f} MB",
            badge("reused") if row["reused"] else "",
        ]
        for row in stages.iter_rows(named=True)
    ]
    return section(
        "Time and memory",
        table(["stage", "time", "", "peak memory", ""], rows, numbers=(1, 3)),
        note=f"This run spent {total:,.1f} s in its stages. A reused stage was found finished; its figures are those of "
        "the run that made it. Memory is the peak of the whole process while the stage ran.",
    )


def _share(value: float, longest: Any) -> Markup:
    fill = tag("i", style=f"width:{100 * value / longest if longest else 0:.1f}%")
    return tag("span", fill, class_="bar")


def caps(material: Material) -> Markup:
    """Limits that keep a run linear and bounded, and what they left out."""
    tables = material.tables
    blocked, banded = about(tables.blocked)["facts"], about(tables.banded)["facts"]
    embedded, documents = about(tables.embeddings)["facts"], about(tables.documents)["facts"]
    unknown = documents.get("protected_unknown_count", len(documents.get("protected_unknown", [])))
    words, skipped = embedded.get("words"), embedded.get("skipped_words")
    limits = material.run.parameters
    names = ", ".join(str(name) for name in documents.get("protected_unknown", [])[:5])
    rows: list[list[str | Markup]] = [
        ["pairs not proposed by the semantic block", count(blocked.get("pairs_skipped")), "identical codes in more than "
         f"{limits.cascade.hot_bucket} documents link to {limits.cascade.representatives} of them"],
        ["pairs not proposed by banded LSH", count(banded.get("pairs_skipped")),
         f"{count(banded.get('hot_buckets'))} hot buckets, the largest of {count(banded.get('largest_bucket'))} documents"],
        ["words outside every encoder window", count(skipped), f"{percent(_rate(words, skipped))} of the words; at most "
         f"{limits.encoder.max_windows} windows of {limits.encoder.window_words} words per document, "
         f"{count(embedded.get('windows'))} in all. Wording is compared in full, only vectors leave them out"],
        ["documents outside the pre-screen", count(_outside(material)), "they share no wording with any other, so no "
         f"paraphrase is sought for them; false positives of the filter {percent(_false_positives(material))}"],
        ["protected ids that are not in the input", count(unknown), names],
    ]  # fmt: skip
    return section(
        "Limits",
        table(["what was left out", "how much", "why"], rows, numbers=(1,)),
        note="Every cap that can cost recall is counted here; raise it with --set section.key=value.",
    )


def _outside(material: Material) -> int:
    screened = scan(material.tables.prescreen).filter(~pl.col("in_play"))
    return int(screened.select(pl.len()).collect().item())


def _false_positives(material: Material) -> float | None:
    rate: float | None = about(material.tables.prescreen)["facts"].get("false_positive_rate")
    return rate
