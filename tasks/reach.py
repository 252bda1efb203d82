"""Which published documents and known fragments can share a viral passage with tonight's documents.

The index holds the minimizers of every published document. Only those that tonight's documents hold too, that enough
documents hold in all and that are in no known fragment lead to published documents, whose texts are then read.
"""

from typing import NamedTuple

import polars as pl

import sql
from tasks.base import Base, fetch
from tasks.progress import stage_progress
from tasks.run import Run
from tasks.tables import FETCHED, Stage, TableRef, glob, parts, scan
from tasks.windows import spelled, windows_of, windows_within

MOST_HOSTS = 100
"""Published documents that one minimizer may lead to: what more of them hold, and no known fragment, is a phrase whose
surroundings differ. Minimizers that lead nowhere for this reason are counted."""
SEARCHED = pl.Schema(
    {
        "doc": pl.Int64,
        "doc_id": pl.String,
        "text": pl.String,
        "n_chars": pl.Int32,
        "protected": pl.Boolean,
        "canary": pl.String,
        "published": pl.Boolean,
    }
)


class Reached(NamedTuple):
    """What tonight's search for fragments reads.

    Attributes:
        windows: `doc`, `windows` list<uint32>: minimizers of tonight's kept documents, canaries left out.
        documents: tonight's kept documents and canaries, and as `published` those that minimizers lead to.
        known: rows of the published `fragments` that share a minimizer with one of these.
    """

    windows: TableRef
    documents: TableRef
    known: TableRef


def reach(
    run: Run, base: Base, documents: TableRef, copies: TableRef, settled: TableRef, standing: TableRef
) -> Reached:
    """Collect what tonight's search for fragments reads; `refragment` says what the tables are."""
    inputs = [documents, copies, settled, standing, base.documents, base.windows, base.fragments]
    stages = [Stage(run, name, inputs, run.parameters.fragment) for name in ("windows", "searched", "known")]
    windows, searched, known = stages
    with known, searched, windows:
        if not all(stage.finished for stage in stages):
            with stage_progress("reach", documents.rows) as bar:
                _tonight(run, documents, [copies, settled], searched, windows)
                fragments = scan(base.fragments).collect()
                held = fragments.select("fragment", windows=windows_of(spelled(fragments["text"]), _length(run)))
                held = held.explode("windows")
                tonight = pl.scan_parquet(windows.path / "part-*.parquet").select("windows").collect()
                met = _meet(run, base, standing, windows, _near(fragments, held, tonight))
                docs = met["docs"].drop_nulls().explode().unique().sort()
                _read(run, base, standing, docs, searched, len(parts(documents)))
                both = pl.concat([tonight, fetch(base.windows, docs, ["windows"]).select("windows")])
                known.write(0, _near(fragments, held, both))
                bar.advance(documents.rows)
            searched.counts = {"documents_in": standing.rows, "documents_out": len(docs)}
            searched.facts = {"minimizers_crowded": int(met["crowded"].sum())}
    return Reached(*(stage.ref for stage in stages))


def _length(run: Run) -> int:
    return run.parameters.fragment.min_chars


def _tonight(run: Run, documents: TableRef, gone: list[TableRef], searched: Stage, windows: Stage) -> None:
    """Write what is kept of tonight's documents, and its minimizers."""
    removed = pl.concat([scan(ref).select("doc") for ref in gone]).collect()
    for index, path in enumerate(parts(documents)):
        arrived = pl.read_parquet(path).filter(~pl.col("published"))
        kept = arrived.join(removed, on="doc", how="anti", maintain_order="left")
        searched.write(index, kept.select(list(SEARCHED)).cast(SEARCHED))
        real = kept.filter(pl.col("canary").is_null())
        windows.write(index, real.select("doc", windows=windows_of(real["text"], _length(run))), FETCHED)


def _near(fragments: pl.DataFrame, held: pl.DataFrame, windows: pl.DataFrame) -> pl.DataFrame:
    """Fragments that share a minimizer with documents."""
    near = held.join(windows.explode("windows"), on="windows", how="semi")
    return fragments.join(near, on="fragment", how="semi", maintain_order="left")


def _meet(run: Run, base: Base, standing: TableRef, windows: Stage, near: pl.DataFrame) -> pl.DataFrame:
    """Find the minimizers that lead to published documents; windows of known fragments do not."""
    known = windows.path / ".known.parquet.tmp"
    windows_within(near["text"], _length(run)).alias("windows").to_frame().write_parquet(known)
    with run.connect() as con:
        met: pl.DataFrame = sql.run(
            con,
            "reached_by_passage",
            windows=glob(base.windows),
            tonight=f"{windows.path}/part-*.parquet",
            known=str(known),
            standing=glob(standing),
            min_hosts=run.parameters.fragment.min_hosts,
            most_hosts=MOST_HOSTS,
        ).pl()
    known.unlink()
    return met


def _read(run: Run, base: Base, standing: TableRef, docs: pl.Series, searched: Stage, first: int) -> None:
    """Add published documents as parts from `first` on."""
    roster = scan(standing).select("doc", "protected").collect()
    size = run.parameters.extract.part_rows
    for index, at in enumerate(range(0, len(docs), size), start=first):
        old = fetch(base.documents, docs.slice(at, size), ["doc_id", "text", "n_chars", "canary"])
        part = old.join(roster, on="doc", maintain_order="left").with_columns(published=pl.lit(value=True))
        searched.write(index, part.select(list(SEARCHED)).cast(SEARCHED))
