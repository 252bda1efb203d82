"""What the judge learns from: sentence pairs, pairs of whole documents and reviewed pairs, some with pleas in them."""

from random import Random

import polars as pl

from models.evaluation.pleas import plea, pleaded
from models.evaluation.sentence_pairs import SCHEMA, sentence_pairs
from models.evaluation.synthesis import TYPES, synthesise

WHOLE = 0.2
"""Share of the synthetic pairs that are whole documents; the rest are sentences, which take a third of the time."""
PLEADING = 0.12
"""Share of the distinct pairs, and half as much of the others, in which a document asks for a label."""
HARD = ("changed", "revised", "F", "reviewed")
"""Operators whose pairs differ in little that decides."""
LONGEST = 6_000
REVIEWED = 1 << 40
"""Groups of reviewed pairs come from here on."""


def judge_pairs(texts: pl.Series, reviews: pl.DataFrame, count: int, seed: int) -> pl.DataFrame:
    """Make about `count` synthetic pairs and add the reviewed ones, in the order in which to learn them.

    The first quarter holds easy ones only: a model that has not yet found that two documents are to be compared learns
    nothing from a word that was changed.

    Args:
        texts: the corpus.
        reviews: pairs that people labelled: text_a, text_b, label.
        count: synthetic pairs wanted.
        seed: equal arguments give equal pairs.

    Returns:
        `group` (split by it), `text_a`, `text_b`, `label` (of `models.decision.llm_judge.prompt.LABELS`), `operator`.
    """
    short = sentence_pairs(texts, round((1 - WHOLE) * count), seed)
    made = synthesise(texts, round(WHOLE * count), seed, weights=dict.fromkeys(TYPES, 1.0))
    label = pl.when(pl.col("type") == "D").then(pl.lit("contained")).when("duplicate").then(pl.lit("duplicate"))
    whole = made.with_columns(label=label.otherwise(pl.lit("distinct")), operator="type").select(list(SCHEMA))
    reviewed = reviews.with_columns(group=REVIEWED + pl.int_range(pl.len()), operator=pl.lit("reviewed"))
    pairs = pl.concat([short, whole, reviewed.select(list(SCHEMA)).cast(SCHEMA)])
    bounded = pairs.with_columns(pl.col("text_a", "text_b").str.slice(0, LONGEST))
    rng = Random(seed)
    shuffled = bounded.sample(fraction=1, shuffle=True, seed=seed)
    pled = pl.DataFrame([_pleading(row, rng) for row in shuffled.iter_rows(named=True)], schema=SCHEMA, orient="row")
    place = pl.int_range(pl.len()) / pl.len()
    hard = pl.col("operator").is_in(HARD) | pl.col("operator").str.ends_with("pleading")
    return pled.sort(pl.when(hard).then(0.25 + 0.75 * place).otherwise(place), maintain_order=True)


def _pleading(row: dict[str, object], rng: Random) -> dict[str, object]:
    """Let some documents plead: one of two distinct ones, both of others, so that pleading tells nothing."""
    distinct = row["label"] == "distinct"
    if rng.random() >= (PLEADING if distinct else PLEADING / 2):
        return row
    if distinct:
        side = rng.choice(("text_a", "text_b"))
        return row | {side: pleaded(str(row[side]), rng), "operator": f"{row['operator']}, pleading"}
    line = plea(rng)
    pled = {side: pleaded(str(row[side]), rng, line) for side in ("text_a", "text_b")}
    return row | pled | {"operator": f"{row['operator']}, pleading"}
