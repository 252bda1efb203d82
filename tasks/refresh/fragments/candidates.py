"""Fragment candidates of a refresh: published documents and known fragments that may share a passage with tonight's.

The index holds the minimizers of every published document. Only those that tonight's documents hold too, that enough
documents hold in all and that are in no known fragment lead to published documents, whose texts are then read.
"""

from typing import NamedTuple

import polars as pl

from data_contracts.schemas import SEARCHED
from tasks.pipeline.registry import REACH
from tasks.refresh.fragments.minimizers import spelled, windows_of, windows_within
from tasks.refresh.previous_snapshot import Base
from tasks.runtime.run import Run
from tasks.storage.parquet import FETCHED
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, parts, scan

MOST_HOSTS = 100
"""Published documents that one minimizer may lead to: what more of them hold, and no known fragment, is a phrase whose
surroundings differ. Minimizers that lead nowhere for this reason are counted."""
GROWN = 2
"""Times the hosts at which a passage that was left is rated again: a notice may look like its hosts' own words when few
hold it. Each rating reads all hosts; at every doubling that is twice what they are in the end, however long it goes."""
READ = 50_000
"""Published documents that are read at once."""


class Reached(NamedTuple):
    """Tables that tonight's search for fragments reads.

    Attributes:
        windows: `doc`, `windows` list<uint32>: minimizers of tonight's kept documents, canaries left out.
        documents: tonight's kept documents and canaries, and as `published` those that minimizers lead to.
        known: rows of the published `fragments` that share a minimizer with one of these, and which of them are due.
    """

    windows: TableRef
    documents: TableRef
    known: TableRef


def reach(
    run: Run, base: Base, documents: TableRef, copies: TableRef, settled: TableRef, standing: TableRef
) -> Reached:
    """Collect what tonight's search for fragments reads; `refragment` says what the tables are."""
    inputs = [documents, copies, settled, standing, base.documents, base.windows, base.fragments]
    stages = [
        Stage(run, REACH, inputs, run.parameters.fragment, table=name) for name in ("windows", "searched", "known")
    ]
    windows, searched, known = stages
    with known, searched, windows:
        if not all(stage.finished for stage in stages):
            with searched.progress(documents.rows) as bar:
                _tonight(run, documents, [copies, settled], searched, windows)
                fragments = scan(base.fragments).collect()
                held = fragments.select("fragment", windows=windows_of(spelled(fragments["text"]), _length(run)))
                held = held.explode("windows")
                tonight = pl.scan_parquet(windows.path / "part-*.parquet").select("windows").collect()
                met = _meet(run, base, standing, tonight, _near(fragments, held, tonight))
                due = _due(fragments, held, tonight)
                docs = (
                    pl.concat([met["docs"].drop_nulls().explode(), _hosts(base, standing, held, due)]).unique().sort()
                )
                _read(run, base, standing, docs, searched, len(parts(documents)))
                both = pl.concat([tonight, _rows(base.windows, docs, ["doc", "windows"]).select("windows")])
                near = _near(fragments, held, both)
                known.write(0, near.with_columns(due=pl.col("fragment").is_in(due.implode())))
                bar.advance(documents.rows)
            searched.counts = {"documents_in": standing.rows, "documents_out": len(docs)}
            searched.facts = {"minimizers_crowded": int(met["crowded"].sum()), "rated_again": len(due)}
    return Reached(*(stage.ref for stage in stages))


def _length(run: Run) -> int:
    return run.parameters.fragment.min_chars


def _tonight(run: Run, documents: TableRef, gone: list[TableRef], searched: Stage, windows: Stage) -> None:
    """Write what is kept of tonight's documents, and its minimizers."""
    removed = pl.concat([scan(ref).select("doc") for ref in gone]).collect()
    for index, path in enumerate(parts(documents)):
        arrived = pl.read_parquet(path).filter(~pl.col("published"))
        kept = arrived.join(removed, on="doc", how="anti", maintain_order="left")
        searched.write(index, SEARCHED.shape(kept))
        real = kept.filter(pl.col("canary").is_null())
        windows.write(index, real.select("doc", windows=windows_of(real["text"], _length(run))), FETCHED)


def _near(fragments: pl.DataFrame, held: pl.DataFrame, windows: pl.DataFrame) -> pl.DataFrame:
    """Fragments that share a minimizer with documents."""
    near = held.join(windows.explode("windows"), on="windows", how="semi")
    return fragments.join(near, on="fragment", how="semi", maintain_order="left")


def _due(fragments: pl.DataFrame, held: pl.DataFrame, tonight: pl.DataFrame) -> pl.Series:
    """Fragments that were left, have had `GROWN` times the hosts since, and stand in tonight's documents: numbers."""
    here = held.join(tonight.explode("windows"), on="windows", how="semi")
    absent = held.join(here, on=["fragment", "windows"], how="anti")
    grown = (pl.col("action") == "keep") & (pl.col("hosts") >= GROWN * pl.col("rated_hosts"))
    return fragments.filter(grown).join(absent, on="fragment", how="anti")["fragment"]


def _hosts(base: Base, standing: TableRef, held: pl.DataFrame, due: pl.Series) -> pl.Series:
    """Published documents that stay and hold, as far as one minimizer tells, a fragment that is due."""
    if due.is_empty():
        return pl.Series("doc", [], pl.Int64)  # as on most nights: to ask the index costs a look at all of it
    firsts = held.filter(pl.col("fragment").is_in(due.implode())).unique("fragment", keep="first").select("windows")
    holding = scan(base.windows).explode("windows").join(firsts.lazy(), on="windows", how="semi")
    return holding.join(scan(standing), on="doc", how="semi").select("doc").collect()["doc"]


def _meet(run: Run, base: Base, standing: TableRef, tonight: pl.DataFrame, near: pl.DataFrame) -> pl.DataFrame:
    """Find the minimizers that lead to published documents; windows of known fragments do not.

    Returns:
        One row per minimizer that tonight's and published documents hold together often enough: `windows`, and `docs`,
        the published ones, null where they are more than `MOST_HOSTS` (`crowded`).
    """
    ours = tonight.explode("windows").drop_nulls()
    known = windows_within(near["text"], _length(run), ours["windows"])
    ours = ours.join(known.to_frame("windows"), on="windows", how="anti")
    counted = ours.group_by("windows").agg(hosts=pl.len())
    held = scan(base.windows).explode("windows").join(counted.lazy(), on="windows")
    met = held.join(scan(standing).select("doc"), on="doc", how="semi").group_by("windows")
    docs = pl.when(pl.len() <= MOST_HOSTS).then(pl.col("doc").implode())
    found = met.agg(crowded=pl.len() > MOST_HOSTS, hosts=pl.len() + pl.col("hosts").first(), docs=docs).collect()
    return found.filter(pl.col("hosts") >= run.parameters.fragment.min_hosts)


def _read(run: Run, base: Base, standing: TableRef, docs: pl.Series, searched: Stage, first: int) -> None:
    """Add published documents as parts from `first` on."""
    size = run.parameters.extract.part_rows
    for at in range(0, len(docs), READ):
        for part in published(base, standing, docs.slice(at, READ)).iter_slices(size):
            searched.write(first, part)
            first += 1


def published(base: Base, standing: TableRef, docs: pl.Series) -> pl.DataFrame:
    """Published documents that stay, as `searched`."""
    if docs.is_empty():
        return pl.DataFrame(schema=SEARCHED.schema)
    roster = scan(standing).select("doc", "protected").collect()
    old = _rows(base.documents, docs, ["doc", "doc_id", "source", "text", "n_chars", "canary"])
    both = old.join(roster, on="doc", maintain_order="left").with_columns(published=pl.lit(value=True))
    return SEARCHED.shape(both)


def _rows(ref: TableRef, docs: pl.Series, columns: list[str]) -> pl.DataFrame:
    """Rows of many documents, by `doc`: where most row groups hold one, reading them all is cheaper than choosing."""
    return scan(ref).select(columns).filter(pl.col("doc").is_in(docs.implode())).collect().sort("doc")
