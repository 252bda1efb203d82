"""Index that a snapshot carries for the next refresh: written by `curate`, completed and grown by refreshes."""

import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl
from prefect import task

from data_contracts.schemas import WINDOWS
from models.parameters import Parameters
from tasks.encode.embeddings import encoder
from tasks.encode.model_bundle import load_bundle
from tasks.ingest.extract import text_hashes
from tasks.ingest.user_columns import DOC
from tasks.pipeline.registry import LACKING, LIVING, TAKE_WINDOWS
from tasks.pipeline.run_tables import Tables
from tasks.pipeline.versions import version
from tasks.refresh.fragments.minimizers import windows_of
from tasks.refresh.previous_snapshot import INDEX, Base, Night, describe_index, fetch, fetch_columns
from tasks.runtime.errors import InputError
from tasks.runtime.run import Run
from tasks.snapshots.layout import published
from tasks.storage.atomic import atomic_path, write_json
from tasks.storage.link_parts import carry, carry_columns, link, save, unite
from tasks.storage.parquet import FETCHED, write_columns
from tasks.storage.row_numbers import docs_of
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about, part_name, parts, scan

_SKETCH = "models.parameters:Sketch"
MADE_BY = {
    "text hashes": ["tasks.ingest.extract:text_hashes"],
    "frequencies": [
        "tasks.ingest.document_frequencies:_read_part",
        "models.lexical.sketch.weights:count_documents",
        _SKETCH,
    ],
    "vectors": ["tasks.encode.embeddings:_embed_part", "models.parameters:Encoder"],
    "signatures": ["tasks.encode.signatures:_sign_part", _SKETCH],
    "windows": ["tasks.refresh.fragments.minimizers:windows_of"],
}
"""What makes those values of a document that are compared with the same of documents of other nights.

Whatever else changes in the code, an index stays good: nothing else in it is compared.
"""


def recipe(parameters: Parameters, threads: int) -> dict[str, Any]:
    """Everything that signatures of two nights must have in common to be compared."""
    made_with: dict[str, Any] = {f"the source of {what}": version(*names) for what, names in MADE_BY.items()}
    made_with |= {
        "bundle": load_bundle(parameters.encoder).id,
        "encoder": encoder(parameters.encoder, threads).fingerprint,
    }
    for name in ("encoder", "sketch"):
        section = getattr(parameters, name).model_dump(mode="json")
        made_with |= {f"{name}.{key}": value for key, value in section.items()}
    columns = ("id_column", "text_column", "source_column")
    made_with |= {f"extract.{name}": getattr(parameters.extract, name) for name in columns}
    made_with["containment.scale"] = parameters.containment.scale
    made_with["fragment.min_chars"] = parameters.fragment.min_chars
    return made_with


def index_version(made_with: dict[str, Any], frequencies: str) -> str:
    """One name for the bundle, the parameters and the frequency table of an index."""
    told = json.dumps([made_with, frequencies], sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def hold_version(out: Path, run: Run) -> None:
    """Check that tonight's signatures can be compared with those of the index.

    Raises:
        InputError: bundle, parameters or source differ; the message says which, and how to index again.
    """
    known = describe_index(published(out))
    wanted, made_with = recipe(run.parameters, run.threads), known["made_with"]
    differing = [name for name in wanted | made_with if wanted.get(name) != made_with.get(name)]
    if differing:
        told = "; ".join(f"{name} was {made_with.get(name)}, is {wanted.get(name)}" for name in differing[:3])
        raise InputError(
            f"the index of {out} (version {known['version']}) cannot be compared with tonight's documents: {told}. "
            f"Index again first: semhash-llm reindex --out {out}"
        )


def description(run: Run, frequencies: TableRef, **facts: Any) -> dict[str, Any]:
    """Content of `index.json`: what the index is made with, how far it counts, and its version."""
    made_with = recipe(run.parameters, run.threads)
    return {
        "version": index_version(made_with, frequencies.fingerprint),
        "made_with": made_with,
        "frequencies": frequencies.fingerprint,
        "counted": frequencies.rows,
        **facts,
    }


TEXTS = ("documents", "extras")
"""Tables of the index that hold what a user gave: rows of deleted documents leave them. Elsewhere, and where a document
only changed, they stay until the index is made anew; whoever reads them goes by the roster."""


def lay(run: Run, staging: Path, tables: Tables, night: Night | None) -> None:
    """Lay down the index of a snapshot: that of the one before and what a night adds.

    Of a curated corpus it is the tables themselves, under second names. What the pre-screen of `curate` left out is not
    signed here; the first refresh does that.
    """
    folder, counted = staging / "index", about(tables["frequencies"])["facts"]
    if night:
        _grow(folder, tables, night)
        numbered, entropy = about(tables["documents"])["facts"]["numbered"], night.base.mean_entropy
    else:
        for ref in [*(tables[name] for name in INDEX if name in tables), unite(run, "windows", [])]:
            link_parts(ref, folder / ref.name)
        numbered, entropy = tables["documents"].rows, about(tables["signatures"])["facts"]["mean_entropy"]
    link_frequencies(tables["frequencies"], folder / "frequencies")
    told = description(
        run,
        night.base.frequencies if night else tables["frequencies"],
        generation=night.base.generation + 1 if night else 0,
        next_doc=numbered + (night.base.next_doc if night else 0),
        arrived=counted.get("arrived", 0),
        mean_entropy=entropy,
    )
    write_json(folder / "index.json", told)


def _grow(folder: Path, tables: Tables, night: Night) -> None:
    """Carry the tables of the index before over, and add the rows of what came in."""
    base, tonight = night.base, pl.col("canary").is_null() & ~pl.col("published")
    checked = scan(tables["documents"]).filter(tonight).collect()
    new = checked.filter(pl.col("doc") >= base.next_doc)
    deleted = scan(night.arrivals).filter(pl.col("event") == "deleted").collect()["doc"]
    columns = scan(base.documents).collect_schema().names()
    added: dict[str, pl.DataFrame] = {
        "documents": new.select(columns),
        "embeddings": scan(tables["embeddings"]).collect(),
        "signatures": scan(tables["signatures"]).collect(),
        "windows": scan(night.windows).collect(),
    }
    for name, rows in added.items():
        ref: TableRef = getattr(base, name)
        number = carry(ref, folder / name, "doc", deleted if name in TEXTS else deleted.clear())
        here = rows.join(checked.select("doc"), on="doc", how="semi", maintain_order="left")
        save(here.filter(~pl.col("doc").is_in(docs_of(ref).implode())), folder / name / part_name(number))
    number = carry_columns(base.extras, folder / "extras", DOC, deleted)
    known = new.filter(~pl.col("doc").is_in(docs_of(base.extras, DOC).implode()))["doc"]
    with atomic_path(folder / "extras" / part_name(number)) as temporary:
        write_columns(fetch_columns(tables["extras"], known), temporary)


def link_parts(ref: TableRef, folder: Path) -> None:
    """Give the parts of a table second names in another folder."""
    folder.mkdir(parents=True)
    for path in parts(ref):
        link(path, folder / path.name)


def link_frequencies(counted: TableRef, folder: Path) -> None:
    """Hand frequencies on: the counts, and the list of what was counted."""
    link_parts(counted, folder)
    for path in Path(counted.path).glob("*.npy"):
        link(path, folder / path.name)


@task(task_run_name="leave superseded texts behind")
def living(run: Run, base: Base, live: TableRef) -> TableRef:
    """Documents of the index that are live, in the columns of `documents`."""
    with Stage(run, LIVING, [base.documents, live]) as stage:
        if not stage.finished:
            listed = scan(live).select("doc")
            stale = scan(base.documents).select("doc").join(listed, on="doc", how="anti").collect()["doc"]
            for number in range(carry(base.documents, stage.path, "doc", stale)):
                _hash_again(stage.part(number))
    return stage.ref


def _hash_again(path: Path) -> None:
    """Give the texts of a part the hashes that they have by now; they may have been normalised otherwise before."""
    rows = pl.read_parquet(path)
    hashes = pl.Series("text_hash", text_hashes(rows["text"]), pl.String)
    if not hashes.equals(rows["text_hash"]):
        save(rows.with_columns(hashes), path)


@task(task_run_name="find what the index lacks")
def lacking(run: Run, base: Base, live: TableRef) -> TableRef:
    """Distinct live documents without signatures, in the columns of `documents`."""
    with Stage(run, LACKING, [live, base.documents, base.signatures]) as stage:
        if not stage.finished:
            signed = pl.LazyFrame({"doc": docs_of(base.signatures)})
            hashes = scan(live).select("doc", "text_hash", "survivor")
            known = hashes.join(signed, on="doc", how="semi").select("text_hash")
            missing = hashes.join(known, on="text_hash", how="anti").sort(pl.col("survivor").is_not_null(), "doc")
            chosen = missing.unique("text_hash", keep="first").collect()["doc"].sort()
            size = run.parameters.extract.part_rows
            with stage.progress(len(chosen)) as bar:
                for index in range(max(1, -(-len(chosen) // size))):
                    rows = fetch(base.documents, chosen[index * size : (index + 1) * size])
                    stage.write(index, rows.with_columns(published=pl.lit(value=False)), FETCHED)
                    bar.advance(rows.height)
    return stage.ref


@task(task_run_name="take windows of kept documents")
def take_windows(run: Run, base: Base, live: TableRef, known: TableRef | None) -> TableRef:
    """Minimizers of kept documents, but for those that are `known`, for the search of fragments."""
    inputs = [live, base.documents, *([known] if known else [])]
    with Stage(run, TAKE_WINDOWS, inputs, run.parameters.fragment) as stage:
        if not stage.finished:
            kept = scan(live).filter(pl.col("survivor").is_null()).select("doc")
            if known:
                kept = kept.join(pl.LazyFrame({"doc": docs_of(known)}), on="doc", how="anti")
            docs = kept.sort("doc").collect()["doc"]
            size = run.parameters.extract.part_rows
            with stage.progress(len(docs)) as bar:
                for index in stage.missing(max(1, -(-len(docs) // size))):
                    rows = fetch(base.documents, docs[index * size : (index + 1) * size], ["text"])
                    taken = windows_of(rows["text"], run.parameters.fragment.min_chars)
                    stage.write(index, rows.select("doc", windows=taken).cast(WINDOWS.schema), FETCHED)
                    bar.advance(rows.height)
    return stage.ref
