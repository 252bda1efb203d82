"""Arrivals of a night against what is published: new, changed, back, gone, or to be checked again."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from prefect import task

import sql
from tasks.ingest.extract import Extracted
from tasks.ingest.readers import listed_ids
from tasks.ingest.readers.batch import TEXT_PLACE, check_names
from tasks.ingest.readers.schema import align, became_text
from tasks.ingest.user_columns import DOC, FILE, ROW
from tasks.pipeline.registry import ADMIT, ENROL
from tasks.quality.enforce_contracts import hold
from tasks.refresh.previous_snapshot import Base, fetch, fetch_columns
from tasks.runtime.errors import InputError
from tasks.runtime.progress import say
from tasks.runtime.run import Run
from tasks.storage.atomic import atomic_path
from tasks.storage.parquet import FETCHED, write_columns, write_passing
from tasks.storage.row_numbers import docs_of
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about, glob, scan

CHECKED = ("new", "changed", "returned", "rechecked")
"""Events after which a document is checked against all others."""


class Admitted(NamedTuple):
    """Tables with which a night begins.

    Attributes:
        arrivals: one row per id concerned, with its `event`; see `sql/refresh/arrivals.sql`.
        roster: live documents of the snapshot that are neither deleted, nor changed, nor checked again.
        documents: those to be checked, under their numbers for good, and the planted canaries; beside them, marked
            `published`, the live documents with the same text as one of these.
        extras: the user's columns of those to be checked.
    """

    arrivals: TableRef
    roster: TableRef
    documents: TableRef
    extras: TableRef


@task(task_run_name="list live documents")
def enrol(run: Run, base: Base) -> TableRef:
    """List every live document of the snapshot with its fate."""
    with Stage(run, ENROL, [base.documents, base.decisions]) as stage:
        if not stage.finished:
            with run.connect() as con, stage.progress(base.documents.rows) as bar:
                places = {"documents": glob(base.documents), "decisions": glob(base.decisions)}
                stage.write(0, sql.run(con, "refresh/roster", **places).pl())
                bar.advance(base.documents.rows)
    return stage.ref


@task(task_run_name="admit arrivals")
def admit(
    run: Run, base: Base, live: TableRef, extracted: Extracted, deleted: str | None, protected: str | None
) -> Admitted:
    """Tell for every id what tonight means for it, and gather what must be checked."""
    unwanted = sorted(listed_ids(Path(deleted), "list of deletions")) if deleted else []
    guarded = sorted(listed_ids(Path(protected), "protected list")) if protected else []
    if both := sorted({*unwanted} & {*guarded}):
        raise InputError(f"{len(both)} ids are to be deleted and to be protected, for example '{both[0]}'")
    known = [scan(ref).filter(_listed(guarded)).select("doc_id") for ref in (live, extracted.documents)]
    unknown = sorted(set(guarded) - set(pl.concat(known).collect()["doc_id"]))
    if guarded and len(unknown) == len(guarded):
        raise InputError(
            f"none of the {len(guarded)} protected ids is published or arrives tonight, for example '{guarded[0]}'"
        )
    ever = [*(scan(ref) for ref in (base.decisions, extracted.documents)), scan(live)]
    found = pl.concat([rows.filter(_listed(unwanted)).select("doc_id") for rows in ever]).collect()["doc_id"]
    strange = sorted(set(unwanted) - set(found))
    if unwanted and len(strange) == len(unwanted):
        raise InputError(
            f"none of the {len(unwanted)} ids to delete was ever published or arrives tonight, for example "
            f"'{unwanted[0]}'; ids are compared to the letter"
        )
    if strange:
        say(f"deletions: {len(strange):,} of {len(unwanted):,} ids are unknown, for example '{strange[0]}'")
    inputs = [live, base.decisions, base.documents, base.extras, extracted.documents, extracted.extras]
    stages = [Stage(run, ADMIT, inputs, extra=[unwanted, guarded], table=name) for name in Admitted._fields]
    arrivals, roster, documents, extras = stages
    with arrivals, roster, extras, documents:
        if not all(stage.finished for stage in stages):
            with documents.progress(extracted.documents.rows) as bar:
                told = _told(run, base, live, extracted, unwanted, guarded, arrivals)
                arrivals.write(0, told)
                stays = _staying(live, told, guarded)
                roster.write(0, stays)
                checked = _checked(base, extracted, told, guarded)
                beside = pl.concat([_twins(base, stays, checked), checked], how="diagonal_relaxed").sort("doc")
                for index, part in enumerate([*beside.iter_slices(run.parameters.extract.part_rows)] or [beside]):
                    documents.write(index, part, FETCHED)
                columns, as_text = _own_columns(base, extracted, told)
                with atomic_path(extras.part(0)) as temporary:
                    write_columns(columns, temporary)
                bar.advance(extracted.documents.rows)
            read = about(extracted.documents)
            anew = stays.filter("protected").join(scan(live).filter("protected").collect(), on="doc", how="anti").height
            number = told.filter(pl.col("event").is_in(CHECKED)).height
            documents.counts = {"documents_in": read["counts"]["documents_out"], "documents_out": number}
            documents.facts = read["facts"] | {
                "protected_unknown": unknown[:100],
                "protected_unknown_count": len(unknown),
                "deletions_unknown": strange[:100],
                "deletions_unknown_count": len(strange),
                "numbered": extracted.documents.rows,
                "protected_anew": anew,
                "events": dict(told.group_by("event").len().sort("event").iter_rows()),
            }
            extras.facts = about(extracted.extras)["facts"]
            extras.facts["became_text"] |= as_text
    made = Admitted(*(stage.ref for stage in stages))
    tables = {"documents": made.documents, "roster": made.roster, "rejects": extracted.rejects}
    read = {"input_rows": about(extracted.documents)["facts"]["input_rows"]}
    hold(run, ADMIT, read, arrivals=made.arrivals, **tables)
    return made


def _told(
    run: Run, base: Base, live: TableRef, extracted: Extracted, unwanted: list[str], guarded: list[str], stage: Stage
) -> pl.DataFrame:
    names = ("unwanted", "guarded", "repeated")
    listed, kept, repeated = (stage.path / f".{name}.parquet.tmp" for name in names)
    for path, ids in ((listed, unwanted), (kept, guarded)):
        write_passing(pl.DataFrame({"doc_id": ids}, schema={"doc_id": pl.String}), path)
    write_passing(_repeated(base, live, extracted), repeated)
    with run.connect() as con:
        told: pl.DataFrame = sql.run(
            con,
            "refresh/arrivals",
            arrived=glob(extracted.documents),
            unwanted=str(listed),
            guarded=str(kept),
            roster=glob(live),
            decisions=glob(base.decisions),
            repeated=str(repeated),
        ).pl()
    for path in (listed, kept, repeated):
        path.unlink()
    return told


def _repeated(base: Base, live: TableRef, extracted: Extracted) -> pl.DataFrame:
    """Live documents that arrived again with the same text and the same columns of the user."""
    here = scan(extracted.documents).filter(pl.col("canary").is_null())
    known = here.select("doc_id", number="doc").join(scan(live).select("doc_id", "doc"), on="doc_id").collect()
    old = fetch(base.documents, known["doc"], ["text"]).join(known, on="doc")
    new = here.select("text", number="doc").collect()
    same = old.join(new, on="number").filter(pl.col("text") == pl.col("text_right")).select("doc", "number")
    own, before = align([fetch_columns(extracted.extras, same["number"]), fetch_columns(base.extras, same["doc"])])
    rows = [same["number"].to_frame(DOC), same["doc"].to_frame(DOC)]
    places = [_places(table[DOC], wanted) for table, wanted in zip((own, before), rows, strict=True)]
    alike = np.ones(same.height, bool)
    for name in own.column_names:
        if name not in (DOC, FILE, ROW):
            now, then = (pl.Series(table[name].take(at)) for table, at in zip((own, before), places, strict=True))
            alike &= now.eq_missing(then).to_numpy()
    return same.filter(pl.Series(alike)).select("doc")


def _places(numbers: pa.ChunkedArray, wanted: pl.DataFrame) -> NDArray[np.int64]:
    """Rows in which document numbers stand that are in ascending order."""
    return np.searchsorted(numbers.to_numpy(), wanted[DOC].to_numpy())


def _staying(live: TableRef, told: pl.DataFrame, guarded: list[str]) -> pl.DataFrame:
    """The roster of what tonight leaves alone."""
    concerned = told.filter(pl.col("event").is_in(["deleted", "changed", "rechecked"])).select("doc")
    stays = scan(live).join(concerned.lazy(), on="doc", how="anti", maintain_order="left")
    return stays.with_columns(protected=pl.col("protected") | _listed(guarded)).collect()


def _listed(guarded: list[str]) -> pl.Expr:
    return pl.col("doc_id").is_in(pl.Series(guarded, dtype=pl.String).implode())


def _checked(base: Base, extracted: Extracted, told: pl.DataFrame, guarded: list[str]) -> pl.DataFrame:
    """Documents to be checked and canaries; tonight's are numbered on from the last night."""
    again = told.filter(pl.col("event") == "rechecked")["doc"]
    arrived = told.filter(pl.col("event").is_in(CHECKED[:3]))["number"]
    planted = pl.col("canary").is_not_null()
    fresh = scan(extracted.documents).filter(planted | pl.col("doc").is_in(arrived.implode())).collect()
    numbered = fresh.with_columns(pl.col("doc") + base.next_doc)
    protected = (pl.col("protected") | _listed(guarded)) & ~planted
    return pl.concat([fetch(base.documents, again), numbered], how="vertical_relaxed").with_columns(
        published=pl.lit(value=False), protected=protected
    )


def _twins(base: Base, stays: pl.DataFrame, checked: pl.DataFrame) -> pl.DataFrame:
    """For each text that is checked the live document with the same text: one that is kept, else the one signed."""
    real = checked.filter(pl.col("canary").is_null())
    same = stays.join(real.select("text_hash"), on="text_hash", how="semi")
    unsigned = ~pl.col("doc").is_in(docs_of(base.signatures).implode())
    chosen = same.sort(pl.col("survivor").is_not_null(), unsigned, "doc")
    first = chosen.unique("text_hash", keep="first").select("doc", "protected")
    return fetch(base.documents, first["doc"]).drop("protected").join(first, on="doc").with_columns(published=True)


def _own_columns(base: Base, extracted: Extracted, told: pl.DataFrame) -> tuple[pa.Table, dict[str, str]]:
    """Columns of what is checked beside those of what is checked again, and which became text for want of a type."""
    again = told.filter(pl.col("event") == "rechecked")["doc"]
    arrived = told.filter(pl.col("event").is_in(CHECKED[:3]))["number"]
    own = fetch_columns(extracted.extras, arrived)
    own = own.set_column(0, DOC, pc.add(own[DOC], base.next_doc))
    before = fetch_columns(base.extras, again)
    together = dict.fromkeys(before.column_names + own.column_names)
    check_names([name for name in together if name not in (DOC, FILE, ROW, TEXT_PLACE)], "the corpus with tonight's")
    whole = pa.concat_tables(align([before, own])).sort_by(DOC)
    return whole, became_text([before.schema, own.schema], whole.schema)


def quiet(admitted: Admitted) -> bool:
    """Does the night leave everything as it is?"""
    eventful = scan(admitted.arrivals).filter(~pl.col("event").is_in(["unchanged", "unknown"])).collect()
    return eventful.is_empty() and not about(admitted.documents)["facts"]["protected_anew"]
