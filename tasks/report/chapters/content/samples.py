"""Samples chapter: removed documents beside those kept in their place, and pairs that were kept apart."""

from typing import Any

import polars as pl
from markupsafe import Markup

from models.decision.types import RedundancyType
from tasks.explain.archive import Archive
from tasks.explain.wording import TYPES, several, typed, why_apart
from tasks.report.chapters.content.pairs import kind_badge, pair_card, scores
from tasks.report.chapters.content.worst import worst
from tasks.report.html import badge, join, section, tag
from tasks.report.kept_apart import kept_apart
from tasks.report.material import Material

PER_TYPE = 3


def samples(material: Material) -> Markup:
    """Removed documents beside those kept in their place: the worst, then per type the least and the most alike."""
    removed = material.archive.table("decisions").filter(pl.col("action") == "remove")
    likeness = pl.coalesce(
        pl.when(pl.col("type") == RedundancyType.D).then("containment").otherwise("similarity"), pl.lit(1.0)
    )
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
        worst(material.archive),
        *parts,
        note="First the worst removals that could be found, then per type the one with the lowest score, one in the "
        "middle and the one with the highest. Words that the other text does not have at that place are marked.",
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _removal(row: dict[str, Any], texts: dict[str, str]) -> Markup:
    head = join([kind_badge(row["type"]), f"at {row['stage']}", scores(row)])
    one, other = row["doc_id"], row["survivor_id"]
    return pair_card(head, (f"removed: {one}", texts.get(one)), (f"kept: {other}", texts.get(other)))


def look_alikes(material: Material) -> Markup:
    """Paraphrases, which are listed only, and the look-alikes nearest to being removed."""
    apart = kept_apart(material.archive)
    shown = _rows(material.archive, apart.found.filter(pl.col("picked").is_in(["variant", "fact"])))
    wanted = {*shown["a_id"], *shown["b_id"]}
    texts = material.archive.originals(wanted) if wanted else {}
    told = f"{several(apart.variants, 'pair')} as close in meaning as duplicates, but not in wording; all are kept."
    return section(
        "Kept apart",
        tag("h3", "Semantic variants"),
        tag("p", told if apart.variants else "None among the pairs that share wording."),
        *(_apart(row, texts) for row in shown.filter(pl.col("picked") == "variant").iter_rows(named=True)),
        tag("h3", "Look-alikes with other facts"),
        tag(
            "p",
            f"{several(apart.facts, 'pair')} with text in common that states other facts. The most alike:"
            if apart.facts
            else "None.",
        ),
        *(_apart(row, texts) for row in shown.filter(pl.col("picked") == "fact").iter_rows(named=True)),
        note="Pairs that came as far as the check on the text and were not removed.",
    )


def _rows(archive: Archive, pairs: pl.DataFrame) -> pl.DataFrame:
    """All columns of some pairs and for what each was `picked`, in their order."""
    ids = ["a_id", "b_id"]
    wanted = [pl.col(name).is_in(pairs[name].implode()) for name in ids]
    rows = archive.by_part("verified", lambda part: part.filter(*wanted))
    return pairs.select(*ids, "picked").join(rows, on=ids, maintain_order="left")


def _apart(row: dict[str, Any], texts: dict[str, str]) -> Markup:
    head = join([badge("kept apart", "good"), scores(row), tag("span", why_apart(row))])
    one, other = row["a_id"], row["b_id"]
    return pair_card(head, (one, texts.get(one)), (other, texts.get(other)), few=4)
