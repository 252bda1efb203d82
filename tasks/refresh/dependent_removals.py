"""Removals that depend on a published document which a new parent contains: the parent must contain them, too."""

from typing import NamedTuple

import polars as pl
from prefect import task

from data_contracts.schemas import CANDIDATES
from models.decision.rules.published import heirs_of, outlived
from tasks.pipeline.registry import HEIRS
from tasks.quality.enforce_contracts import hold
from tasks.refresh.documents_in_reach import Gathered, beside
from tasks.refresh.previous_snapshot import Base
from tasks.runtime.run import Run
from tasks.storage.row_numbers import docs_of
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan


class Heirs(NamedTuple):
    """Pairs of heirs and new parents, and the documents gathered so far with these heirs among them.

    Attributes:
        met: tonight's documents, live ones in reach, and heirs.
        pairs: heir and new parent, in the columns of `candidates`.
        heirs: see `Earlier`.
    """

    met: Gathered
    pairs: TableRef
    heirs: TableRef


@task(task_run_name="find heirs")
def find_heirs(run: Run, base: Base, roster: TableRef, gathered: Gathered, contained: TableRef) -> Heirs:
    """Pair those that were removed in favour of a published child with its new parents."""
    inputs = [roster, *gathered, contained, base.documents, base.embeddings, base.signatures]
    stages = [
        Stage(run, HEIRS, inputs, table=name) for name in (*(ref.name for ref in gathered), "heirs", "candidates")
    ]
    *tables, heirs, pairs = stages
    with tables[0], tables[1], tables[2], heirs, pairs:
        if not all(stage.finished for stage in stages):
            with pairs.progress(contained.rows, unit="pairs") as bar:
                nested = outlived(scan(gathered.documents), scan(contained))
                named = heirs_of(nested["child"], scan(roster), pl.LazyFrame({"doc": docs_of(base.signatures)}))
                heirs.write(0, named)
                checked = named.filter(pl.col("copy_of").is_null())
                meeting = _pairs(checked, nested)
                pairs.write(0, meeting)
                beside(tables, base, gathered, scan(roster).join(checked.lazy(), on="doc", how="semi"))
                bar.advance(contained.rows)
            pairs.counts = {"pairs_in": contained.rows, "pairs_out": meeting.height}
    made = Heirs(Gathered(*(stage.ref for stage in tables)), pairs.ref, heirs.ref)
    hold(run, HEIRS, candidates=made.pairs, documents=made.met.documents)
    return made


def _pairs(checked: pl.DataFrame, nested: pl.DataFrame) -> pl.DataFrame:
    meeting = checked.join(nested, left_on="survivor", right_on="child")
    ordered = meeting.select(a=pl.min_horizontal("doc", "parent"), b=pl.max_horizontal("doc", "parent"))
    listed = ordered.unique().sort("a", "b").with_columns(route=pl.lit("containment"))
    return pl.concat([pl.DataFrame(schema=CANDIDATES.schema), listed], how="diagonal")
