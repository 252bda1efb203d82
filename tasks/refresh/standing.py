"""Published documents that stay when a night is over, and the copies that go with those that do not."""

from typing import NamedTuple

import polars as pl
from prefect import task

from models.decision.rules.published import copies_behind
from tasks.pipeline.registry import STAND
from tasks.refresh.previous_snapshot import Earlier
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan


class Stands(NamedTuple):
    """Tables of the step.

    Attributes:
        standing: published documents that stay: `doc`, `doc_id`, `protected`, and whether one that was removed earlier
            leans on it (`leaned_on`).
        copies: exact copies, also those of heirs that go.
    """

    standing: TableRef
    copies: TableRef


@task(task_run_name="list what stands")
def stand(run: Run, earlier: Earlier, copies: TableRef, survivors: TableRef) -> Stands:
    """List the published documents that tonight's removals leave, and the copies that follow these removals."""
    stages = [Stage(run, STAND, [*earlier, copies, survivors], table=name) for name in STAND.names]
    standing, copied = stages
    with copied, standing:
        if not all(stage.finished for stage in stages):
            removals = scan(survivors).select("doc").collect()
            known = scan(earlier.roster).select("doc", "doc_id", "protected", "survivor").collect()
            leaned_on = pl.col("doc").is_in(known["survivor"].drop_nulls().unique().implode())
            kept = known.filter(pl.col("survivor").is_null()).with_columns(leaned_on=leaned_on).drop("survivor")
            standing.write(0, kept.join(removals, on="doc", how="anti", maintain_order="left"))
            own = copies_behind(scan(earlier.heirs).collect(), removals)
            copied.write(0, pl.concat([scan(copies).collect(), own]).sort("doc"))
    return Stands(standing.ref, copied.ref)
