"""Judge chapter: what the judge and people said of borderline pairs, and which documents that moved."""

from typing import Any

import polars as pl
from markupsafe import Markup

from tasks.explain.wording import several
from tasks.llm_judge.stage import moved
from tasks.report.chapters.content.pairs import kind_badge, pair_card
from tasks.report.html import badge, count, join, percent, score, section, table, tag
from tasks.report.material import Material
from tasks.storage.tables import about, scan

SHOWN = 6
SPENT = {
    "calls": "calls of the endpoint",
    "retries": "of these repeated",
    "prompt_tokens": "tokens read",
    "completion_tokens": "tokens written",
}


def judge(material: Material) -> Markup:
    """Routed share, verdicts, and the pairs whose outcome changed."""
    tables = material.tables
    if tables["judged"] == tables["verified"]:
        return section("Judge", tag("p", "Nobody was asked about borderline pairs, and no review is about this run."))
    facts = about(tables["judged"])["facts"]
    changed = moved(tables["verified"], scan(tables["judged"]))
    return section(
        "Judge",
        table(["what", "pairs", ""], _asked(facts)) if "routed" in facts else None,
        _labels(material),
        _moved(material, changed),
        note="Pairs that automation is not sure of are put to a language model, whose probability is weighed with that "
        "of the network by how confident both are; what people decided counts for more. A model removes nothing whose "
        "facts differ.",
    )


def _asked(facts: dict[str, Any]) -> list[list[str | Markup]]:
    share = facts["routed"] / facts["candidates"] if facts["candidates"] else 0.0
    spent = [[words, count(facts[name]), ""] for name, words in SPENT.items() if name in facts]
    return [
        ["put to the judge", count(facts["routed"]), f"{percent(share)} of {count(facts['candidates'])} candidates"],
        ["borderline, but beyond the budget", count(facts["left_out"]), "judge.max_share and judge.max_pairs"],
        ["asked anew", count(facts["asked"]), facts["model"]],
        ["answered by an earlier run", count(facts["from_cache"]), "verdicts are kept in the workspace"],
        [
            "not asked, a document could sway the judge",
            count(facts["suspicious"]),
            "left as they were; semhash-llm review",
        ],
        ["without a verdict", count(facts["no_verdict"]), "left as they were; the next run asks again"],
        *spent,
    ]


def _labels(material: Material) -> Markup | None:
    told = scan(material.tables["judged"]).filter(pl.col("judge_label").is_not_null())
    counted = told.group_by("judge_source", "judge_label").len().sort("judge_source", "judge_label").collect()
    if counted.is_empty():
        return None
    people = {"model": "the judge", "review": "a person"}
    rows: list[list[str | Markup]] = [[people[by], label, count(number)] for by, label, number in counted.iter_rows()]
    return table(["who", "says", "pairs"], rows, numbers=(2,))


def _moved(material: Material, changed: pl.DataFrame) -> Markup:
    names = scan(material.tables["decisions"]).filter(pl.col("canary").is_null()).select("doc", "doc_id").collect()
    for side in ("a", "b"):
        changed = changed.join(names.rename({"doc": side, "doc_id": f"{side}_id"}), on=side)
    if changed.is_empty():
        return tag("p", "No pair of yours fared otherwise for that.")
    shown = changed.sort("judge_source", "removes", "a_id", "b_id", descending=[True, True, False, False]).head(SHOWN)
    texts = material.archive.originals({*shown["a_id"], *shown["b_id"]})
    more = f", {SHOWN} of them" if changed.height > SHOWN else ""
    return join(
        [
            tag("h3", f"{several(changed.height, 'pair')} with another outcome{more}"),
            *(_card(row, texts) for row in shown.iter_rows(named=True)),
        ]
    )


def _card(row: dict[str, Any], texts: dict[str, str]) -> Markup:
    outcome = badge("may go now", "warn") if row["removes"] else badge("kept apart now", "good")
    by = "a person" if row["judge_source"] == "review" else row["judge_model"]
    said = f"{by}: {row['judge_label']} · p {score(row['p_dup'])} ± {score(row['sigma'])} → {score(row['p_final'])}"
    one, other = row["a_id"], row["b_id"]
    head = join([outcome, kind_badge(row["type"]), tag("span", said)])
    return pair_card(head, (one, texts.get(one)), (other, texts.get(other)), few=4)
