"""Counts of tonight's fragments: occurrences and documents so far."""

import polars as pl

from data_contracts.schemas import FRAGMENTS
from models.lexical.fragments.nesting import within
from tasks.runtime.run import Run


def recount(
    run: Run, found: pl.DataFrame, spans: pl.DataFrame, known: pl.DataFrame, before: pl.DataFrame
) -> pl.DataFrame:
    """Bring hosts and occurrences of fragments up to date.

    Occurrences are exact. Hosts add up over the nights: to those of the known fragment that holds the passage (itself,
    as a rule) come the documents that have a span which holds it tonight and had none before. Who is edited or searched
    again is counted once; who is deleted stays counted, since what has been viral is cut from then on.

    Args:
        run: its `fragment.min_chars` made the minimizers.
        found: tonight's fragments, `hosts` being those counted in tonight's search where the fragment is new.
        spans: tonight's: `fragment`, `doc_id`.
        known: published fragments near tonight's documents.
        before: published spans of `found` and `known`: `fragment`, `doc_id`, and whether tonight's leave it (`stays`).

    Returns:
        The rows of `found`, by number.
    """
    others = pl.concat([found, known.join(found, on="fragment", how="anti")], how="vertical_relaxed")
    held = _held(found, others, run.parameters.fragment.min_chars)
    former = before.join(held, left_on="fragment", right_on="holder").select("doc_id", fragment="part").unique()
    joined = spans.join(held, left_on="fragment", right_on="holder").select("doc_id", fragment="part").unique()
    counts = [
        held.join(known, left_on="holder", right_on="fragment").group_by(fragment="part").agg(stored=pl.max("hosts")),
        former.group_by("fragment").agg(former=pl.len()),
        joined.join(former, on=["fragment", "doc_id"], how="anti").group_by("fragment").agg(joined=pl.len()),
        before.group_by("fragment").agg(stay=pl.sum("stays")),
        spans.group_by("fragment").agg(tonight=pl.len()),
    ]
    for count in counts:
        found = found.join(count, on="fragment", how="left")
    hosts = pl.max_horizontal("stored", "former") + pl.col("joined").fill_null(0)
    return (
        found.with_columns(
            hosts=pl.when(pl.col("stored").is_null()).then("hosts").otherwise(hosts),
            occurrences=pl.col("stay").fill_null(0) + pl.col("tonight").fill_null(0),
        )
        .select(pl.col(name).cast(kind) for name, kind in FRAGMENTS.schema.items())
        .sort("fragment")
    )


def _held(passages: pl.DataFrame, others: pl.DataFrame, min_chars: int) -> pl.DataFrame:
    """Pairs `part`, `holder`: the text of a passage stands in that of another; itself is among the first."""
    part, holder = within(passages["text"], others["text"], min_chars)
    return pl.DataFrame({"part": passages["fragment"].gather(part), "holder": others["fragment"].gather(holder)})
