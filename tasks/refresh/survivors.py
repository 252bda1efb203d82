"""Survivors of a refresh: published documents stay, but for one that a new parent contains with all its heirs."""

from typing import NamedTuple

import polars as pl
from prefect import task

from models.decision.rules.removal_graph import survivors
from tasks.pipeline.registry import SETTLE_LIVE
from tasks.quality.enforce_contracts import hold
from tasks.refresh.dependent_removals import Heirs
from tasks.resolve.survivor_ranking import claims_to_survive
from tasks.resolve.survivors import permissions, with_evidence
from tasks.runtime.run import Run
from tasks.storage.link_parts import unite
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan


class Settled(NamedTuple):
    """Tables of the stage: who goes, and on what grounds.

    Attributes:
        survivors: tonight's removals: of arrivals, of outlived documents, and of their heirs.
        copies: exact copies, also those of outlived documents and heirs.
        standing: published documents that stay: `doc`, `doc_id`, `protected`, and whether one that was removed earlier
            leans on it (`leaned_on`).
        verified: every pair that was judged tonight.
        contained: of these, which is contained in which.
    """

    survivors: TableRef
    copies: TableRef
    standing: TableRef
    verified: TableRef
    contained: TableRef


@task(task_run_name="settle survivors")
def settle_live(
    run: Run, roster: TableRef, copies: TableRef, heirs: Heirs, verified: list[TableRef], contained: list[TableRef]
) -> Settled:
    """Settle as `settle` does, with two rules more.

    A published document goes only in favour of a new parent that contains it, and only if everything that was removed
    in its favour may go in favour of that parent, too. Otherwise an earlier removal would lose its survivor.
    """
    judged, nested = unite(run, "verified", verified), unite(run, "containment", contained)
    inputs = [roster, heirs.documents, heirs.signatures, heirs.heirs, judged, nested, copies]
    stages = [Stage(run, SETTLE_LIVE, inputs, run.parameters.extract, table=name) for name in SETTLE_LIVE.names]
    gone, copied, stays = stages
    with stays, copied, gone:
        if not all(stage.finished for stage in stages):
            with gone.progress(heirs.signatures.rows) as bar:
                named = scan(heirs.heirs).collect()
                allowed = _allowed(permissions(judged, nested), heirs.documents, named)
                settled = survivors(allowed, claims_to_survive(run, heirs.documents, heirs.signatures))
                settled = _of_tonight(settled.drop_nulls("survivor"), named)
                gone.write(0, with_evidence(settled, judged, nested))
                copied.write(0, _copies(copies, named, settled))
                known = scan(roster).select("doc", "doc_id", "protected", "survivor").collect()
                leaned_on = pl.col("doc").is_in(known["survivor"].drop_nulls().unique().implode())
                kept = known.filter(pl.col("survivor").is_null()).with_columns(leaned_on=leaned_on).drop("survivor")
                stays.write(0, kept.join(settled.select("doc"), on="doc", how="anti"))
                bar.advance(heirs.signatures.rows)
            gone.counts = {
                "documents_in": heirs.signatures.rows,
                "documents_out": heirs.signatures.rows - settled.height,
            }
    made = Settled(gone.ref, copied.ref, stays.ref, judged, nested)
    tables = {"documents": heirs.documents, "copies": made.copies, "verified": judged, "containment": nested}
    hold(run, SETTLE_LIVE, survivors=made.survivors, **tables)
    return made


def _allowed(found: pl.DataFrame, documents: TableRef, heirs: pl.DataFrame) -> pl.DataFrame:
    """Permissions that the rules for published documents leave."""
    published = scan(documents).filter("published").select("doc").collect()["doc"]
    checked = heirs.filter(pl.col("copy_of").is_null())
    rest = found.filter(~pl.col("winner").is_in(checked["doc"].implode()))
    is_heir = pl.col("loser").is_in(checked["doc"].implode())
    is_published = pl.col("loser").is_in(published.implode()) & ~is_heir
    followed = rest.filter(is_heir).join(checked, left_on="loser", right_on="doc")
    followers = followed.group_by("survivor", "winner").agg(following=pl.col("loser").n_unique())
    wanted = checked.group_by("survivor").agg(needed=pl.len())
    outlived = (
        rest.filter(is_published & pl.col("inside"))
        .join(wanted, left_on="loser", right_on="survivor", how="left")
        .join(followers, left_on=["loser", "winner"], right_on=["survivor", "winner"], how="left")
        .filter(pl.col("following").fill_null(0) == pl.col("needed").fill_null(0))
    )
    columns = ["loser", "winner", "score"]
    return pl.concat([rest.filter(~is_published).select(columns), outlived.select(columns)])


def _of_tonight(settled: pl.DataFrame, heirs: pl.DataFrame) -> pl.DataFrame:
    """Without heirs whose survivor stays: nothing changes for them."""
    stays = heirs.join(settled.select(survivor="doc"), on="survivor", how="anti")
    return settled.join(stays.select("doc"), on="doc", how="anti")


def _copies(copies: TableRef, heirs: pl.DataFrame, settled: pl.DataFrame) -> pl.DataFrame:
    own = heirs.drop_nulls("copy_of").join(settled.select(survivor="doc"), on="survivor", how="semi")
    return pl.concat([scan(copies).collect(), own.select("doc", "copy_of")]).sort("doc")
