"""Costs chapter: time and memory of the run, and what its limits left out."""

import polars as pl
from markupsafe import Markup

from tasks.report.html import badge, count, percent, section, table, tag
from tasks.report.material import Material
from tasks.storage.tables import about, scan


def costs(material: Material) -> Markup:
    """Time and memory per stage."""
    stages = material.archive.table("stage_metrics").sort("position").collect()
    longest = max(stages["seconds"], default=0.0)
    total = stages.filter(~pl.col("reused"))["seconds"].sum()
    rows: list[list[str | Markup]] = [
        [
            tag("b", row["stage"]),
            f"{row['seconds']:,.1f} s",
            _length(row["seconds"], longest),
            f"{row['peak_memory_mb']:,.0f} MB",
            badge("reused") if row["reused"] else "",
        ]
        for row in stages.iter_rows(named=True)
    ]
    return section(
        "Time and memory",
        table(["stage", "time", "", "peak memory", ""], rows, numbers=(1, 3)),
        note=f"This run spent {total:,.1f} s in its stages. A reused stage was found finished; its figures are those "
        "of the run that made it. Memory is the peak of the whole process while the stage ran.",
    )


def _length(value: float, longest: float) -> Markup:
    fill = tag("i", style=f"width:{100 * value / longest if longest else 0:.1f}%")
    return tag("span", fill, class_="bar")


def limits(material: Material) -> Markup:
    """Caps that keep a run linear and bounded, and what each left out."""
    tables, chosen = material.tables, material.run.parameters
    blocked, banded = about(tables["blocked"])["facts"], about(tables["banded"])["facts"]
    embedded, read = about(tables["embeddings"])["facts"], about(tables["documents"])["facts"]
    unknown = read.get("protected_unknown", [])
    skipped = embedded["skipped_words"] / embedded["words"] if embedded.get("words") else None
    rows: list[list[str | Markup]] = [
        [
            "pairs not proposed by the semantic block",
            count(blocked.get("pairs_skipped")),
            f"equal codes in more than {chosen.cascade.hot_bucket} documents link to {chosen.cascade.representatives}",
        ],
        [
            "pairs not proposed by banded LSH",
            count(banded.get("pairs_skipped")),
            f"hot buckets: {count(banded.get('hot_buckets'))}, the largest of {count(banded.get('largest_bucket'))} "
            "documents",
        ],
        [
            "words outside every encoder window",
            count(embedded.get("skipped_words")),
            f"{percent(skipped)} of the words; at most {chosen.encoder.windows} windows of "
            f"{chosen.encoder.window_words} words per document, {count(embedded.get('windows'))} in all; wording is "
            "compared in full, only vectors leave them out",
        ],
        *_judge(material),
        [
            "documents outside the pre-screen",
            count(_outside(material)),
            "they share (almost) no wording with any other, so no paraphrase is sought for them; false positives of "
            f"the filter {percent(about(tables['prescreen'])['facts'].get('false_positive_rate'))}",
        ],
        [
            "protected ids that are not in the input",
            count(read.get("protected_unknown_count", len(unknown))),
            ", ".join(str(name) for name in unknown[:5]),
        ],
    ]
    return section(
        "Limits",
        table(["what was left out", "how much", "why"], rows, numbers=(1,)),
        note="Every cap that can cost recall is counted here; raise it with --set section.key=value.",
    )


def _judge(material: Material) -> list[list[str | Markup]]:
    told, chosen = about(material.tables["judged"])["facts"], material.run.parameters.judge
    if "left_out" not in told:
        return []
    why = f"judge.max_share is {percent(chosen.max_share)} of the candidates, judge.max_pairs {count(chosen.max_pairs)}"
    return [["borderline pairs that the judge was not asked about", count(told["left_out"]), why]]


def _outside(material: Material) -> int:
    screened = scan(material.tables["prescreen"]).filter(~pl.col("in_play"))
    return int(screened.select(pl.len()).collect().item())
