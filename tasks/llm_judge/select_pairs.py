"""Selection of pairs for the judge: borderline ones whose answer can change the outcome, within the budget → `routed`.

Those with a document that speaks to the judge are marked `suspicious`: they take their place in the budget, so that
nobody moves others by them, but nobody asks about them.
"""

import polars as pl

from models.decision.llm_judge.ensemble import borderline, route
from models.decision.llm_judge.fuse import changeable
from models.decision.llm_judge.injection_filter import VERSION, suspicion
from tasks.llm_judge.cache import PAIR
from tasks.pipeline.registry import ROUTED
from tasks.runtime.run import Run
from tasks.storage.document_store import texts_at_hand
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan
from tasks.storage.work import Work

BUDGET = {"below", "max_share", "max_pairs"}
"""Parameters of the judge that say which pairs, not who is asked."""


def routed(run: Run, documents: TableRef, verified: TableRef, reviewed: pl.DataFrame) -> TableRef:
    """Choose rows of `verified`, with the hashes of their texts and `suspicious`, in the order in which to ask.

    Args:
        run: its budget is a share of the candidate pairs, those of the later rounds of `verify` aside.
        documents: of the run.
        verified: pairs that were checked.
        reviewed: pairs `a`, `b` that people decided about; nobody else is asked.
    """
    made_of = [run.parameters.judge.model_dump(include=BUDGET), reviewed.rows(), VERSION]
    with Stage(run, ROUTED, [verified], run.parameters.verify, run.parameters.containment, extra=made_of) as stage:
        if not stage.finished:
            pairs = scan(verified)
            open_ones = pairs.filter(borderline(run.parameters), changeable(run.parameters))
            unsure = open_ones.join(reviewed.lazy(), on=["a", "b"], how="anti")
            named = _with_hashes(unsure.collect(engine="streaming"), documents)
            candidates = int(pairs.select((pl.col("round") == 0).sum()).collect(engine="streaming").item())
            chosen = _marked(stage, route(named, run.parameters, candidates), documents)
            stage.write(0, chosen)
            stage.counts = {"pairs_in": candidates, "pairs_out": chosen.height}
            stage.facts = {"candidates": candidates, "routed": chosen.height, "left_out": named.height - chosen.height}
            stage.facts["suspicious"] = int(chosen["suspicious"].sum())
    return stage.ref


def _marked(work: Work, pairs: pl.DataFrame, documents: TableRef) -> pl.DataFrame:
    """Pairs with `suspicious`: does either document speak to the judge?"""
    wanted = pl.concat([pairs["a"], pairs["b"]]).unique()
    with texts_at_hand(work, documents, wanted) as texts:
        found = pl.Series([doc for doc in wanted if suspicion(texts[doc])], dtype=wanted.dtype).implode()
    return pairs.with_columns(suspicious=pl.any_horizontal(pl.col("a", "b").is_in(found)))


def _with_hashes(pairs: pl.DataFrame, documents: TableRef) -> pl.DataFrame:
    wanted = pl.concat([pairs["a"], pairs["b"]]).unique()
    known = scan(documents).select("doc", "text_hash").filter(pl.col("doc").is_in(wanted.implode())).collect()
    for side, column in zip(("a", "b"), PAIR, strict=True):
        pairs = pairs.join(known.rename({"doc": side, "text_hash": column}), on=side, how="left", maintain_order="left")
    return pairs
