"""Which pairs are put to the judge: the borderline ones, as far as the budget goes → `routed`."""

import polars as pl

from models.decision.ensemble import borderline, route
from tasks.run import Run
from tasks.tables import Stage, TableRef, scan
from tasks.verdict_cache import PAIR

BUDGET = {"below", "max_share", "max_pairs"}
"""Parameters of the judge that say which pairs, not who is asked."""


def routed(run: Run, documents: TableRef, verified: TableRef, reviewed: pl.DataFrame) -> TableRef:
    """Choose rows of `verified`, with the hashes of their texts, in the order in which to ask about them.

    Args:
        run: its budget is a share of the candidate pairs, those of the later rounds of `verify` aside.
        documents: of the run.
        verified: pairs that were checked.
        reviewed: pairs `a`, `b` that people decided about; nobody else is asked.
    """
    made_of = [run.parameters.judge.model_dump(include=BUDGET), reviewed.rows()]
    with Stage(run, "routed", [verified], run.parameters.verify, extra=made_of) as stage:
        if not stage.finished:
            pairs = scan(verified)
            unsure = pairs.filter(borderline(run.parameters)).join(reviewed.lazy(), on=["a", "b"], how="anti")
            named = _with_hashes(unsure.collect(engine="streaming"), documents)
            candidates = int(pairs.select((pl.col("round") == 0).sum()).collect(engine="streaming").item())
            chosen = route(named, run.parameters, candidates)
            stage.write(0, chosen)
            stage.counts = {"pairs_in": candidates, "pairs_out": chosen.height}
            stage.facts = {"candidates": candidates, "routed": chosen.height, "left_out": named.height - chosen.height}
    return stage.ref


def _with_hashes(pairs: pl.DataFrame, documents: TableRef) -> pl.DataFrame:
    wanted = pl.concat([pairs["a"], pairs["b"]]).unique()
    known = scan(documents).select("doc", "text_hash").filter(pl.col("doc").is_in(wanted.implode())).collect()
    for side, column in zip(("a", "b"), PAIR, strict=True):
        pairs = pairs.join(known.rename({"doc": side, "text_hash": column}), on=side, how="left", maintain_order="left")
    return pairs
