"""Removals that depend on a published document which a new parent contains: the parent must contain them, too."""

from typing import NamedTuple

import polars as pl
from prefect import task

from data_contracts.schemas import CANDIDATES
from tasks.pipeline.registry import HEIRS
from tasks.quality.enforce_contracts import hold
from tasks.refresh.merge_candidates import LOOKED_AT, Gathered
from tasks.refresh.previous_snapshot import Base, fetch
from tasks.runtime.run import Run
from tasks.storage.parquet import FETCHED
from tasks.storage.row_numbers import docs_of
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan


class Heirs(NamedTuple):
    """Pairs of heirs and new parents, and the documents gathered so far with these heirs among them.

    Attributes:
        documents: tonight's documents, live ones in reach, and heirs.
        embeddings: of these.
        signatures: of these.
        pairs: heir and new parent, in the columns of `candidates`.
        heirs: one row per removed document whose survivor may give way: `doc`, its `survivor`, and `copy_of`, the
            document with the same text that answers for it (null where it is checked itself).
    """

    documents: TableRef
    embeddings: TableRef
    signatures: TableRef
    pairs: TableRef
    heirs: TableRef


@task(task_run_name="find heirs")
def find_heirs(run: Run, base: Base, roster: TableRef, gathered: Gathered, contained: TableRef) -> Heirs:
    """Pair those that were removed in favour of a published child with its new parents."""
    given = (gathered.documents, gathered.embeddings, gathered.signatures)
    inputs = [roster, *given, contained, base.documents, base.embeddings, base.signatures]
    names = [*(ref.name for ref in given), "candidates", "heirs"]
    stages = [Stage(run, HEIRS, inputs, table=name) for name in names]
    *tables, pairs, heirs = stages
    with tables[0], tables[1], tables[2], pairs, heirs:
        if not all(stage.finished for stage in stages):
            with pairs.progress(contained.rows, unit="pairs") as bar:
                nested = outlived(gathered.documents, contained)
                named = _answering(base, roster, nested)
                heirs.write(0, named)
                checked = named.filter(pl.col("copy_of").is_null())
                meeting = _pairs(checked, nested)
                pairs.write(0, meeting)
                indexed = (base.documents, base.embeddings, base.signatures)
                for stage, ref, index in zip(tables, given, indexed, strict=True):
                    here = scan(ref).collect()
                    other = fetch(index, checked["doc"], LOOKED_AT[ref.name])
                    other = other.join(here.select("doc"), on="doc", how="anti")
                    if stage is tables[0]:
                        other = other.with_columns(published=pl.lit(value=True))
                    stage.write(0, pl.concat([here, other], how="diagonal_relaxed").sort("doc"), FETCHED)
                bar.advance(contained.rows)
            pairs.counts = {"pairs_in": contained.rows, "pairs_out": meeting.height}
    made = Heirs(*(stage.ref for stage in stages))
    hold(run, HEIRS, candidates=made.pairs, documents=made.documents)
    return made


def outlived(documents: TableRef, contained: TableRef) -> pl.DataFrame:
    """Published children and the parents that contain them: `child`, `parent`."""
    published = scan(documents).filter("published").select(child="doc")
    found = scan(contained).filter("confirmed").select("child", "parent")
    return found.join(published, on="child", how="semi").sort("child", "parent").collect()


def _answering(base: Base, roster: TableRef, nested: pl.DataFrame) -> pl.DataFrame:
    """Heirs of the children; of equal texts the first that was signed answers for the others."""
    live = scan(roster).select("doc", "survivor", "text_hash")
    children = live.join(nested.lazy().select(doc="child").unique(), on="doc", how="semi")
    signed = pl.LazyFrame({"doc": docs_of(base.signatures)}).with_columns(signed=pl.lit(value=True))
    behind = (
        live.join(children.select(survivor="doc", same="text_hash"), on="survivor")
        .join(signed, on="doc", how="left")
        .collect()
    )
    first = pl.col("doc").filter("signed").min().over("text_hash", "survivor")
    same_as_child = pl.col("text_hash") == pl.col("same")
    copied = pl.when(same_as_child).then("survivor").when(pl.col("doc") != first).then(first)
    return behind.select("doc", "survivor", copy_of=copied).sort("doc")


def _pairs(checked: pl.DataFrame, nested: pl.DataFrame) -> pl.DataFrame:
    meeting = checked.join(nested, left_on="survivor", right_on="child")
    ordered = meeting.select(a=pl.min_horizontal("doc", "parent"), b=pl.max_horizontal("doc", "parent"))
    listed = ordered.unique().sort("a", "b").with_columns(route=pl.lit("containment"))
    return pl.concat([pl.DataFrame(schema=CANDIDATES.schema), listed], how="diagonal")
