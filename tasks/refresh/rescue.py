"""Rescue of removals in a refresh: those that would lose a passage for good are called off, as `rescue` does."""

from typing import NamedTuple

import polars as pl
from prefect import task

from tasks.pipeline.registry import RESCUE_LIVE
from tasks.quality.enforce_contracts import hold
from tasks.refresh.dependent_removals import Heirs
from tasks.refresh.survivors import Settled
from tasks.resolve.rescue import spared
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan


class Saved(NamedTuple):
    """Tables of the stage: removals that stand, and those that were called off."""

    settled: Settled
    rescued: TableRef


@task(task_run_name="rescue what nothing else says")
def rescue_live(run: Run, heirs: Heirs, settled: Settled) -> Saved:
    """Call off removals as `rescue` does, where what stays is what tonight looked at and stays.

    To read all that is published would cost what the corpus costs; so a passage that stands in a published document
    which tonight did not meet keeps a document that need not be kept, and none is lost. A published document that would
    give way to a new parent stays with all its heirs if one of them says something that the parent does not.
    """
    inputs = [heirs.documents, heirs.heirs, settled.survivors, settled.copies, settled.standing]
    names = ("rescued", "survivors", "copies", "standing")
    stages = [Stage(run, RESCUE_LIVE, inputs, run.parameters.conserve, table=name) for name in names]
    called_off, gone, copies, standing = stages
    with copies, standing, gone, called_off:
        if not all(stage.finished for stage in stages):
            with gone.progress(settled.survivors.rows) as bar:
                removals, named = scan(settled.survivors).collect(), scan(heirs.heirs).collect()
                wanted = removals.select("doc", "survivor", "type")
                found = spared(run, called_off, heirs.documents, wanted, _kept(heirs.documents, settled))
                found, back = _with_heirs(found, wanted, named)
                called_off.write(0, found)
                stay = pl.concat([found["doc"], back])
                gone.write(0, removals.filter(~pl.col("doc").is_in(stay.implode())))
                copies.write(0, scan(settled.copies).filter(~pl.col("doc").is_in(back.implode())).collect())
                standing.write(0, _standing(heirs.documents, settled.standing, found["doc"]))
                bar.advance(settled.survivors.rows)
            checked = heirs.signatures.rows
            gone.counts = {"documents_in": checked, "documents_out": checked - removals.height + found.height}
    made = settled._replace(survivors=gone.ref, copies=copies.ref, standing=standing.ref)
    tables = {"copies": made.copies, "verified": made.verified, "containment": made.contained}
    hold(run, RESCUE_LIVE, survivors=made.survivors, documents=heirs.documents, **tables)
    return Saved(made, called_off.ref)


def _kept(documents: TableRef, settled: Settled) -> pl.Series:
    """Numbers of the documents looked at that stay, ascending; copies add nothing to what stands."""
    goes = pl.concat([scan(ref).select("doc") for ref in (settled.survivors, settled.copies)]).collect()
    stands = scan(settled.standing).select("doc").collect()["doc"]
    seen = scan(documents).filter(~pl.col("published") | pl.col("doc").is_in(stands.implode())).select("doc")
    return seen.collect().join(goes, on="doc", how="anti")["doc"].sort()


def _with_heirs(found: pl.DataFrame, removals: pl.DataFrame, heirs: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """Rescued documents, a published one for its heirs, and the heirs that then go back to it."""
    behind = heirs.select("doc", outlived="survivor")
    owner = found.join(behind, on="doc", how="left").with_columns(doc=pl.coalesce("outlived", "doc"))
    longest = owner.sort("words", "doc", descending=[True, False]).unique("doc", keep="first", maintain_order=True)
    ways = removals.select("doc", way="survivor", kind="type")
    rescued = longest.join(ways, on="doc", how="inner").with_columns(survivor="way", type="kind")
    back = behind.filter(pl.col("outlived").is_in(rescued["doc"].implode()))["doc"]
    return rescued.select(found.columns).sort("doc"), back


def _standing(documents: TableRef, standing: TableRef, rescued: pl.Series) -> pl.DataFrame:
    """Standing documents, with the published ones that stay after all: their heirs lean on these again."""
    again = scan(documents).filter("published", pl.col("doc").is_in(rescued.implode()))
    back = again.select("doc", "doc_id", "protected", leaned_on=pl.lit(value=True))
    return pl.concat([scan(standing), back]).sort("doc").collect()
