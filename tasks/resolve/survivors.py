"""Survivors: from permissions of verified pairs to removals, each with the evidence of its own pair → `settled`."""

import polars as pl
from prefect import task

from models.decision.rules.published import allowed, of_tonight
from models.decision.rules.removal_graph import as_compared, edges, outside_families, outside_forms, survivors
from models.decision.rules.thresholds import SHORT
from models.decision.types import REMOVES, RedundancyType
from tasks.pipeline.registry import SETTLE
from tasks.quality.enforce_contracts import hold
from tasks.refresh.previous_snapshot import Earlier, nothing_earlier
from tasks.resolve.survivor_ranking import claims_to_survive
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan

JUDGED = ("judge_source", "judge_label", "p_final")
COLUMNS = ("doc", "survivor", "type", "stage", "similarity", "containment", "cosine", "p_dup", *JUDGED)


@task(task_run_name="settle survivors")
def settle(
    run: Run,
    documents: TableRef,
    copies: TableRef,
    signatures: TableRef,
    verified: TableRef,
    contained: TableRef,
    earlier: Earlier | None = None,
) -> TableRef:
    """Remove a document only in favour of one that is kept and against which it was checked directly.

    A published document stays, unless a new parent contains it and everything that was removed in its favour.

    Args:
        run: its `extract` section says which sources come first.
        documents: all that were compared; published ones are marked.
        copies: exact copies among them, for the contract of the removals.
        signatures: of these documents.
        verified: pairs that were compared.
        contained: which is contained in which.
        earlier: what was decided before tonight.
    """
    _, known = earlier or nothing_earlier(run)
    with Stage(run, SETTLE, [documents, signatures, verified, contained, known], run.parameters.extract) as stage:
        if not stage.finished:
            with stage.progress(signatures.rows) as bar:
                heirs = scan(known).collect()
                published = scan(documents).filter("published").select("doc").collect()["doc"]
                may_go = allowed(permissions(verified, contained), published, heirs)
                compared = pl.concat([may_go["loser"], may_go["winner"]])
                claims = claims_to_survive(run, documents, signatures, compared)
                settled = survivors(may_go, claims).drop_nulls("survivor")
                settled = of_tonight(settled, heirs)
                stage.write(0, with_evidence(settled, verified, contained))
                bar.advance(signatures.rows)
            stage.counts = {"documents_in": signatures.rows, "documents_out": signatures.rows - settled.height}
    tables = {"documents": documents, "copies": copies, "verified": verified, "containment": contained}
    return hold(run, SETTLE, survivors=stage.ref, **tables)


def permissions(verified: TableRef, contained: TableRef) -> pl.DataFrame:
    """Directed permissions as of `edges`, with `inside`: is it that the winner contains the loser?"""
    removes = scan(verified).filter(pl.col("verdict").is_in(REMOVES))
    compared = as_compared(removes).collect()
    nested = removes.filter(pl.col("type") == RedundancyType.D).select("a", "b").collect()
    pairs = compared.join(nested, on=["a", "b"], how="anti", maintain_order="left")
    plain = (pl.col("type") == RedundancyType.F) & SHORT & (pl.col("typographic") == 0)
    lookalikes = scan(verified).filter(plain).select("a", "b").collect()
    alike = outside_families(edges(outside_forms(pairs)), lookalikes).with_columns(
        score=(1 + pl.col("score")).cast(pl.Float32), inside=pl.lit(value=False)
    )
    inside = (
        scan(contained)
        .filter("confirmed")
        .select(
            loser="child",
            winner="parent",
            score=pl.when("chosen").then(1.0).otherwise(pl.col("ratio") / 2).cast(pl.Float32),
            more=pl.lit(0, pl.Int8),
            general=pl.lit(value=False),
            inside=pl.lit(value=True),
        )
    )
    return pl.concat([alike, inside.collect().join(_records(compared), on=["loser", "winner"], how="anti")])


def _records(compared: pl.DataFrame) -> pl.DataFrame:
    """Pairs `loser`, `winner`, both ways, that differ in a slot of a form, so that neither contains the other."""
    records = compared.join(outside_forms(compared), on=["a", "b"], how="anti")
    return pl.concat([records.select(loser="a", winner="b"), records.select(loser="b", winner="a")])


def with_evidence(settled: pl.DataFrame, verified: TableRef, contained: TableRef) -> pl.DataFrame:
    """Rows of `settled` for settled documents (`doc`, `survivor`), each with the evidence of its own pair."""
    columns = ["type", "weighted_jaccard", "ratio_a", "ratio_b", "cosine", "p_dup", "verdict", *JUDGED]
    ordered = settled.with_columns(a=pl.min_horizontal("doc", "survivor"), b=pl.max_horizontal("doc", "survivor"))
    passed = scan(verified).filter(pl.col("verdict").is_in(REMOVES)).select("a", "b", *columns)
    removed = passed.join(ordered.lazy().select("a", "b"), on=["a", "b"], how="semi").collect(engine="streaming")
    found = ordered.join(removed, on=["a", "b"], how="left", maintain_order="left")
    nested = scan(contained).filter("confirmed").select(doc="child", survivor="parent", passage_cosine="cosine")
    by_containment = pl.col("type") == RedundancyType.D
    return (
        found.join(nested.collect(), on=["doc", "survivor"], how="left")
        .with_columns(
            stage=pl.when(by_containment).then(pl.lit("containment")).otherwise(pl.lit("verify")),
            similarity=pl.col("weighted_jaccard"),
            containment=pl.when(pl.col("doc") == pl.col("a")).then("ratio_a").otherwise("ratio_b"),
            cosine=pl.when(by_containment).then("passage_cosine").otherwise("cosine"),
        )
        .select(COLUMNS)
        .sort("doc")
    )
