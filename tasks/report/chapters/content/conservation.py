"""Conservation chapter: text that stood in the input and stands nowhere in what is published."""

import polars as pl
from markupsafe import Markup

from tasks.explain.wording import TYPES, several, shortened
from tasks.quality.conservation_summary import figures
from tasks.report.chapters.content.pairs import kind_badge
from tasks.report.html import badge, bar, count, join, percent, quote, section, table, tag
from tasks.report.material import Material

SOURCES = 15
SHOWN = 8
"""Lost passages that are shown."""
QUOTED = 300


def conservation(material: Material) -> Markup:
    """The law of the method in figures: repeats are removed, never content."""
    told = figures(material.archive.path)
    least = material.run.parameters.conserve.min_run
    tonight = "refresh" in material.archive.manifest
    measured = "This is about the documents that tonight looked at: the rest was not read again. " if tonight else ""
    sample = told["sampled_one_in"]
    sampled = f"Shares of text are taken from one in {sample} word 8-grams. " if sample > 1 else ""
    return section(
        "What was lost",
        tag("ul", *(tag("li", said) for said in _sentences(told, least))),
        tag("h3", "By type"),
        _by_type(material, least),
        tag("h3", "By source"),
        _by_source(material, least),
        _passages(material),
        note=f"Measured on the texts as published. {measured}{sampled}Texts are compared by their words; short texts "
        "that differ in single letters (type C) and paraphrases cannot be compared so, and are left out.",
    )


def _sentences(told: dict, least: int) -> list[str]:
    def of(name: str) -> tuple[str, str, str]:
        one = told[name]
        return percent(one["share"]), count(one["lost"]), count(one["of"])

    ten, _, _ = of("shared_by_10")
    two, _, _ = of("shared_by_2")
    apart, _, _ = of("shared_by_10_apart")
    gone, removals, removed = of("removals_that_lose_a_passage")
    lacking, survivors, _ = of("survivors_lacking")
    bare, passages, cut = of("cut_passages_without_a_copy")
    share, characters, _ = of("characters_cut")
    _, meant, _ = of("cut_passages_given_up_on_purpose")
    given_up = f"{meant} of them were given up on purpose, every copy: fragment.action is cut."
    return [
        f"Of the text that ten or more documents had, {ten} stands nowhere any more; of what two or more had, {two}.",
        f"Of the text that ten or more documents had which are no copies of each other, {apart} stands nowhere: stamps "
        "and slips of a page that came ten times are left out.",
        f"{removals} of {removed} removed documents ({gone}) had a passage of {least} words or more that no published "
        "document has.",
        f"{survivors} of {removed} ({lacking}) went in favour of a document that, as published, lacks a tenth of their "
        "words or more: a template of their own, or more than that.",
        f"{passages} of {cut} cut passages ({bare}) have no copy left; {characters} characters ({share}) were cut from "
        f"documents that are kept. {given_up if told['cut_passages_given_up_on_purpose']['lost'] else ''}".strip(),
    ]


def _by_type(material: Material, least: int) -> Markup:
    found = _measured(material, ["type"], ["lacking", "gone"])
    rows: list[list[str | Markup]] = [
        [kind_badge(row["type"]), count(row["gone_of"]), *_cells(row, "lacking"), *_cells(row, "gone")]
        for row in sorted(found.to_dicts(), key=lambda one: [*TYPES].index(one["type"]))
    ]
    head = ["type", "removed", "survivor lacks a tenth", "", f"{least} words lost", ""]
    return table(head, rows, numbers=(1, 2, 4))


def _by_source(material: Material, least: int) -> Markup:
    bounds = material.run.parameters.gate
    found = _measured(material, ["source"], ["lacking", "gone", "passages", "characters", "content"])
    ordered = found.sort(["gone", "lacking", "characters", "source"], descending=[True, True, True, False])
    rows: list[list[str | Markup]] = []
    for row in ordered.head(SOURCES).iter_rows(named=True):
        own = row["content"] / row["content_of"] if row["content_of"] else 0
        high = badge(f"over {percent(bounds.max_source_content_lost)}", "bad") if _over(material, row, own) else ""
        rows.append(
            [
                row["source"] or tag("span", "no source given", class_="dim"),
                count(row["gone_of"]),
                count(row["lacking"]),
                count(row["gone"]),
                count(row["passages"]),
                bar(row["characters"] / row["characters_of"] if row["characters_of"] else 0),
                join([bar(own), " ", high]),
            ]
        )
    head = [
        "source", "removed", "survivor lacks a tenth", f"{least} words lost", "cut without a copy", "characters cut",
        "lost of what it alone had",
    ]  # fmt: skip
    more = ordered.height - len(rows)
    note = tag("p", f"{several(more, 'more source')} lost no more than these.", class_="note") if more else None
    return join([table(head, rows, numbers=(1, 2, 3, 4)), note])


def _over(material: Material, row: dict, own: float) -> bool:
    bounds = material.run.parameters.gate
    if own <= bounds.max_source_content_lost:
        return False
    same = material.archive.table("decisions").filter(pl.col("source") == row["source"])
    return bool(same.select(pl.len()).collect().item() >= bounds.min_source_documents)


def _measured(material: Material, keys: list[str], measures: list[str]) -> pl.DataFrame:
    """Losses (named as the measure) and their wholes (`…_of`), by source or type."""
    found = material.archive.table("conservation").filter(pl.col("measure").is_in(measures))
    sums = []
    for measure in measures:
        here = pl.col("measure") == measure
        sums += [
            pl.col("lost").filter(here).sum().alias(measure),
            pl.col("whole").filter(here).sum().alias(f"{measure}_of"),
        ]
    return found.drop_nulls(keys).group_by(keys).agg(sums).collect()


def _cells(row: dict, measure: str) -> list[str | Markup]:
    whole = row[f"{measure}_of"]
    return [count(row[measure]), bar(row[measure] / whole if whole else 0)]


def _passages(material: Material) -> Markup | None:
    """The longest passages that are lost, each once."""
    lost = material.archive.table("lost_passages").filter(pl.col("passage").is_not_null())
    rows = lost.unique("passage", keep="first", maintain_order=True).head(SHOWN).collect()
    if rows.is_empty():
        return None
    shown: list[list[str | Markup]] = [
        [
            row["doc_id"],
            "cut" if row["survivor_id"] is None else join([kind_badge(row["type"]), f" for {row['survivor_id']}"]),
            count(row["words"]),
            quote(shortened(" ".join(row["passage"].split()), QUOTED)),
        ]
        for row in rows.iter_rows(named=True)
    ]
    head = ["document", "removed", "words lost", "the longest of them in a row"]
    return join([tag("h3", "Longest passages that are lost"), table(head, shown, numbers=(2,))])
