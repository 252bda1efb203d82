"""The whole method on one corpus: extract → embed → sign → cascade → containment → fragments → gate → snapshot."""

import uuid
from pathlib import Path

from prefect import flow
from pydantic import BaseModel, ConfigDict, Field

from flows.notify import notify
from flows.untracked import untracked
from models.parameters import Parameters
from tasks.candidates.containment_sampling import nest
from tasks.candidates.hamming_blocking import block
from tasks.candidates.lsh_banding import band
from tasks.candidates.merge import route
from tasks.encode.embeddings import embed
from tasks.encode.model_bundle import load_bundle
from tasks.encode.signatures import sign
from tasks.ingest.bloom_prescreen import prescreen
from tasks.ingest.document_frequencies import count
from tasks.ingest.exact_duplicates import collapse
from tasks.ingest.extract import extract, resolve_columns
from tasks.llm_judge.backends import judging
from tasks.llm_judge.stage import judge
from tasks.parallel.runners import Runner, apart, workers
from tasks.pipeline.stage_metrics import Tables
from tasks.publish.gate import gate
from tasks.publish.manifest import report
from tasks.publish.publication import publish
from tasks.quality.conservation import conserve
from tasks.quality.enforce_contracts import own_suites
from tasks.remote.object_mirror import Workspace, folder_of, mirrored
from tasks.resolve.containment import contain
from tasks.resolve.decisions import decide
from tasks.resolve.fragments import fragment
from tasks.resolve.rescue import rescue_own
from tasks.resolve.survivors import settle
from tasks.review.store import FILE as REVIEWS
from tasks.runtime.run import MEMORY, Run
from tasks.snapshots.build import assemble
from tasks.snapshots.layout import writing
from tasks.verify.document_features import describe
from tasks.verify.stage import verify


class Corpus(BaseModel):
    """What to curate, where to, and within which limits."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    inputs: list[str] = Field(description="files, folders or globs of jsonl(.gz, .zst), parquet, csv, tsv, txt")
    out: Path = Field(description="folder that receives the snapshots")
    workspace: Workspace = None
    protected: str | None = Field(None, description="file that lists ids of documents that must be kept")
    parameters: Parameters = Field(Parameters(), description="every number that changes the answer, by section")
    threads: int = Field(2, ge=1, description="threads for DuckDB and the encoder")
    memory_limit: str = Field("4GB", pattern=MEMORY, description="bound for all processes together, for example 4GB")
    runner: Runner = Field("threads", description="who makes the parts of tables: this process, or several")
    cluster: str | None = Field(None, description="address of the scheduler of Dask, or of a node of Ray")
    expectations: list[str] = Field(
        [], description="suites of Great Expectations that the published documents must meet, or decisions=FILE"
    )
    dry_run: bool = Field(False, description="do everything but publish")


def stages(run: Run, inputs: list[str], protected: str | None, reviews: Path | None = None) -> Tables:
    """The method section of the paper, from input files to decisions."""
    load_bundle(run.parameters.encoder)  # what is wrong with it is told now, not after hours
    judging(run)
    documents, extras, rejects = extract(run, inputs, protected)
    copies = collapse(run, documents)
    frequencies = count(run, documents, copies)
    screened = prescreen(run, documents, copies)
    embeddings = embed(run, documents, screened)
    signatures = sign(run, documents, screened, frequencies, embeddings)
    blocked = block(run, documents, signatures)
    banded = band(run, documents, signatures)
    nested = nest(run, documents, signatures)
    candidates = route(run, documents, embeddings, signatures, blocked, banded, nested)
    features = describe(run, documents, embeddings, candidates)
    verified = verify(run, documents, frequencies, embeddings, signatures, candidates, features)
    judged = judge(run, documents, frequencies, embeddings, verified, reviews)
    contained = contain(run, documents, embeddings, judged)
    settled = settle(run, documents, copies, signatures, judged, contained)
    survivors, rescued = rescue_own(run, documents, copies, screened, settled, judged, contained)
    fragments, spans = fragment(run, documents, copies, frequencies, screened, survivors)
    decisions = decide(run, documents, copies, survivors, rescued, spans)
    return Tables(
        documents, extras, rejects, copies, frequencies, screened, embeddings, signatures, blocked, banded, nested,
        candidates, features, verified, judged, contained, settled, rescued, survivors, fragments, spans, decisions,
    )  # fmt: skip


@flow(name="curate", flow_run_name="curate-{corpus.out.name}", on_failure=[notify], on_crashed=[notify])
def curate(corpus: Corpus) -> str:
    """Curate a corpus and publish a deduplicated snapshot; returns the folder of the snapshot."""
    out = corpus.out.absolute()
    workspace = folder_of(corpus.workspace, out)
    run = Run(
        workspace=workspace,
        parameters=resolve_columns(corpus.parameters, corpus.inputs),
        threads=corpus.threads,
        memory_limit=corpus.memory_limit,
        token=uuid.uuid4().hex,
        suites=own_suites(corpus.expectations),
    )
    with (
        writing(out, role="output"),
        writing(workspace, role="workspace"),
        mirrored(corpus.workspace, workspace, run.token, apart=apart(corpus.runner, corpus.cluster)),
        workers(corpus.runner, corpus.cluster, corpus.threads, run.limit_bytes),
    ):
        tables = stages(run, corpus.inputs, corpus.protected, out / REVIEWS)
        snapshot = assemble(run, out, untracked(tables))
        conserve(run, untracked(tables), snapshot)
        checks = gate(run, untracked(tables), snapshot)
        reported = report(run, out, untracked(tables), snapshot, checks)
        return str(publish(out, reported, checks, corpus.dry_run))
