"""Reindexed snapshot: the published one once more, with another index."""

from datetime import UTC, datetime
from pathlib import Path

from prefect import task

from tasks.encode.embeddings import encoder
from tasks.encode.model_bundle import load_bundle
from tasks.ingest.user_columns import DOC
from tasks.refresh.index import description, link_frequencies, link_parts
from tasks.refresh.previous_snapshot import Base
from tasks.runtime.run import Run
from tasks.snapshots.build import begin
from tasks.snapshots.history import after
from tasks.snapshots.layout import manifest, place, switch
from tasks.storage.atomic import write_json
from tasks.storage.checksums import CONTENT, seal
from tasks.storage.link_parts import carry_columns, link
from tasks.storage.row_numbers import docs_of
from tasks.storage.tables import TableRef, about


@task(task_run_name="publish with new index")
def reissue(
    run: Run,
    out: Path,
    base: Base,
    documents: TableRef,
    frequencies: TableRef,
    embeddings: TableRef,
    signatures: TableRef,
    windows: TableRef,
) -> Path:
    """Publish the files of the current snapshot under a new name, beside a new index, and switch to it."""
    made_of = [base.id, *(ref.fingerprint for ref in (frequencies, embeddings, signatures, windows))]
    name, staging, stands, _ = begin(run, out, made_of)
    if stands:
        switch(out, staging)
        return staging
    before = out / "snapshots" / base.id
    for path in sorted(before.rglob("*")):
        if path.is_file() and path.relative_to(before).parts[0] not in ("index", "manifest.json", CONTENT):
            link(path, staging / path.relative_to(before))
    index = staging / "index"
    known = docs_of(base.extras, DOC)
    stale = known.filter(~known.is_in(docs_of(documents).implode()))
    carry_columns(base.extras, index / "extras", DOC, stale)
    for ref in (documents, embeddings, signatures, windows):
        link_parts(ref, index / ref.name)
    link_frequencies(frequencies, index / "frequencies")
    told = description(
        run,
        frequencies,
        generation=base.generation,
        next_doc=base.next_doc,
        arrived=0,
        mean_entropy=about(signatures)["facts"]["mean_entropy"],
    )
    write_json(index / "index.json", told)
    page = manifest(before) | {
        "snapshot": name,
        "created": max([datetime.now(UTC).isoformat(timespec="seconds"), *after(out)]),
        "reindexed": base.id,
        "parameters": run.parameters.model_dump(mode="json"),
        "bundle": load_bundle(run.parameters.encoder).id,
        "encoder": encoder(run.parameters.encoder, run.threads).fingerprint,
        "index_version": told["version"],
    }
    page.pop("drift", None)
    write_json(staging / "manifest.json", page)
    seal(staging, before)
    target = place(staging, out, "snapshots", name)
    switch(out, target)
    return target
