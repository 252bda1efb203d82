"""Curate flow: extract → embed → sign → cascade → containment → fragments → gate → snapshot of one corpus."""

from pathlib import Path

from prefect import flow
from pydantic import Field

from flows.ended import ended
from flows.forms import form
from flows.notify import notify
from flows.options import PublishOptions
from flows.untracked import untracked
from models.parameters import Parameters
from tasks.candidates.containment_sampling import nest
from tasks.candidates.hamming_blocking import block
from tasks.candidates.lsh_banding import band
from tasks.candidates.merge import route
from tasks.candidates.semantic_neighbours import associate
from tasks.encode.embeddings import embed
from tasks.encode.embeddings_aside import embed_aside
from tasks.encode.model_bundle import load_bundle
from tasks.encode.signatures import sign
from tasks.ingest.bloom_prescreen import prescreen
from tasks.ingest.columns import resolve_columns
from tasks.ingest.document_frequencies import count
from tasks.ingest.exact_duplicates import collapse
from tasks.ingest.extract import extract
from tasks.ingest.formats import NAMES
from tasks.llm_judge.backends import judging
from tasks.llm_judge.stage import judge
from tasks.pipeline.registry import STAGES, course_of
from tasks.pipeline.run_tables import Tables
from tasks.publish.gate import gate
from tasks.publish.manifest import report
from tasks.publish.publication import publish
from tasks.quality.conservation import conserve
from tasks.refresh.deletion_consent import consent_to_forget
from tasks.resolve.containment import contain
from tasks.resolve.decisions import decide
from tasks.resolve.fragments.stage import fragment
from tasks.resolve.rescue import rescue_own
from tasks.resolve.survivors import settle
from tasks.review.store import FILE as REVIEWS
from tasks.runtime.progress import course, say
from tasks.runtime.run import Run
from tasks.snapshots.build import assemble
from tasks.snapshots.output_mirror import Output
from tasks.verify.document_features import describe
from tasks.verify.rewrites import find_rewrites
from tasks.verify.stage import verify


class Corpus(PublishOptions):
    """Parameters of the flow: a corpus, where its snapshots go, and the limits of the run."""

    inputs: list[str] = Field(description=f"files, folders or globs of {NAMES}")
    out: Output = Field(description="folder that receives the snapshots, or URL of a store")
    protected: str | None = Field(None, description="file that lists ids of documents that must be kept")
    start_over: bool = Field(False, description="forget what nights have added to OUT and deleted from it")
    parameters: Parameters = Field(Parameters(), description="every number that changes the answer, by section")


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
    aside = embed_aside(run, documents, screened)
    neighbours = associate(run, documents, embeddings, aside, survivors)
    rewrites, removals = find_rewrites(run, documents, judged, survivors, neighbours)
    fragments, spans = fragment(run, documents, copies, frequencies, screened, removals)
    decisions = decide(run, documents, copies, [removals], rescued, spans)
    return Tables(
        documents=documents, extras=extras, rejects=rejects, copies=copies, frequencies=frequencies,
        prescreen=screened, embeddings=embeddings, signatures=signatures, blocked=blocked, banded=banded,
        nested=nested, candidates=candidates, features=features, verified=verified, judged=judged,
        containment=contained, settled=settled, survivors=survivors, rescued=rescued, aside=aside,
        neighbours=neighbours, rewrites=rewrites, removals=removals, fragments=fragments, fragment_spans=spans,
        decisions=decisions,
    )  # fmt: skip


@flow(name="curate", flow_run_name="curate-{corpus.out.name}", on_failure=[notify], on_crashed=[notify])
def curate(corpus: Corpus) -> str:
    """Curate a corpus and publish a deduplicated snapshot; returns the folder of the snapshot."""
    out = corpus.out.absolute()
    parameters = resolve_columns(corpus.parameters, corpus.inputs)
    say(f"ids: column '{column}'" if (column := parameters.extract.id_column) else "ids: made from content")
    if parts := parameters.extract.text_from:
        say(f"text: made of {', '.join(parts)}, and never cut")
    with course(course_of(STAGES)), corpus.working(out) as begin:
        consent_to_forget(out, corpus.start_over or corpus.dry_run)
        run = begin(parameters)
        tables = stages(run, corpus.inputs, corpus.protected, out / REVIEWS)
        snapshot = assemble(run, out, untracked(tables))
        snapshot = conserve(run, untracked(tables), snapshot)
        snapshot, checks = gate(run, untracked(tables), snapshot)
        reported = report(run, out, untracked(tables), snapshot, checks)
        return ended(publish(out, reported, checks, corpus.dry_run))


deployed = form(curate)
