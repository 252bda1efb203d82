"""Refresh flow (nightly): arrivals against each other and all that is published, at a cost that follows what is new."""

from pathlib import Path

from prefect import flow
from pydantic import Field

from flows.ended import ended
from flows.forms import form
from flows.notify import notify
from flows.options import PublishOptions
from flows.untracked import untracked
from tasks.candidates.containment_sampling import nest
from tasks.candidates.hamming_blocking import block
from tasks.candidates.lsh_banding import band
from tasks.candidates.merge import route
from tasks.candidates.semantic_neighbours import associate
from tasks.encode.embeddings import embed
from tasks.encode.embeddings_aside import embed_aside
from tasks.encode.signatures import sign
from tasks.ingest.bloom_prescreen import prescreen
from tasks.ingest.discover import arrived
from tasks.ingest.exact_duplicates import collapse
from tasks.ingest.extract import Extracted, extract
from tasks.ingest.formats import NAMES
from tasks.llm_judge.backends import judging
from tasks.llm_judge.stage import judge
from tasks.pipeline.registry import REFRESH_STAGES, course_of
from tasks.pipeline.run_tables import Tables
from tasks.publish.gate import gate
from tasks.publish.manifest import report
from tasks.publish.publication import publish
from tasks.quality.conservation import conserve
from tasks.refresh.classify_arrivals import Admitted, admit, enrol, quiet
from tasks.refresh.decisions import look, tell, turn
from tasks.refresh.deletion_consent import consent
from tasks.refresh.dependent_removals import find_heirs
from tasks.refresh.document_frequencies import tally
from tasks.refresh.documents_in_reach import Gathered, gather, gather_near
from tasks.refresh.fragments.stage import refragment
from tasks.refresh.index import hold_version, lacking, take_windows
from tasks.refresh.previous_snapshot import Base, Earlier, Live, Night, open_base
from tasks.refresh.standing import stand
from tasks.resolve.containment import contain
from tasks.resolve.decisions import decide
from tasks.resolve.rescue import rescue_own
from tasks.resolve.survivors import settle
from tasks.review.store import FILE as REVIEWS
from tasks.runtime.progress import course
from tasks.runtime.run import Run
from tasks.snapshots.build import assemble
from tasks.snapshots.garbage_collect import collect
from tasks.snapshots.layout import published
from tasks.snapshots.output_mirror import Output
from tasks.snapshots.store import pull
from tasks.storage.link_parts import unite
from tasks.storage.tables import TableRef
from tasks.verify.document_features import describe
from tasks.verify.rewrites import find_rewrites
from tasks.verify.stage import verify

prescreen_lacking = prescreen.with_options(task_run_name="list what the index lacks")
collapse_lacking = collapse.with_options(task_run_name="collapse what the index lacks")
embed_lacking = embed.with_options(task_run_name="embed what the index lacks")
sign_lacking = sign.with_options(task_run_name="sign what the index lacks")
describe_heirs = describe.with_options(task_run_name="describe heirs")
verify_heirs = verify.with_options(task_run_name="verify heirs")
judge_heirs = judge.with_options(task_run_name="judge borderline heirs")
contain_heirs = contain.with_options(task_run_name="contain heirs")


class Arrivals(PublishOptions):
    """Parameters of the flow: what arrived or goes tonight, the published corpus, and the limits of the run."""

    inputs: list[str] = Field(description=f"what arrived: files, folders or globs of {NAMES}; may be empty")
    out: Output = Field(description="folder of the snapshots, or URL of a store; `current` in it is refreshed")
    deleted: str | None = Field(None, description="file that lists ids of documents that must go")
    delete_most: bool = Field(False, description="the list may delete more than half of what is published")
    protected: str | None = Field(None, description="file that lists ids of documents that must be kept")
    settings: list[str] = Field([], description="section.key=value where tonight differs from the snapshot before")
    keep: int | None = Field(None, ge=1, description="remove all but this many of the newest snapshots afterwards")


def complete(run: Run, base: Base, live: TableRef) -> Base:
    """The base with signatures for what it lacks: after `curate` all texts that shared wording with no other."""
    windows = take_windows(run, base, live, base.windows)
    if windows.rows:
        base = base._replace(windows=unite(run, "windows", [base.windows, windows]))
    documents = lacking(run, base, live)
    if not documents.rows:
        return base
    screened = prescreen_lacking(run, documents, collapse_lacking(run, documents), everything=True)
    embeddings = embed_lacking(run, documents, screened)
    signatures = sign_lacking(run, documents, screened, base.frequencies, embeddings, base.mean_entropy)
    return base._replace(
        embeddings=unite(run, "embeddings", [base.embeddings, embeddings]),
        signatures=unite(run, "signatures", [base.signatures, signatures]),
    )


def night(run: Run, base: Base, extracted: Extracted, admitted: Admitted, reviews: Path) -> tuple[Tables, Night]:
    """The stages of a night: what must be checked meets itself and the live documents, as `curate` would have it."""
    documents, roster, known = admitted.documents, admitted.roster, untracked(base)
    live = untracked(Live(base.signatures, roster, base.embeddings))
    copies = collapse(run, documents)
    frequencies = tally(run, known, documents, copies)
    screened = prescreen(run, documents, copies, everything=True)
    embeddings = embed(run, documents, screened)
    signatures = sign(run, documents, screened, frequencies, embeddings, base.mean_entropy)
    blocked = block(run, documents, signatures, live)
    banded = band(run, documents, signatures, live)
    nested = nest(run, documents, signatures, live)
    candidates = route(run, documents, embeddings, signatures, blocked, banded, nested, live)
    met = gather(run, known, roster, untracked(Gathered(documents, embeddings, signatures)), candidates)
    vectors = untracked(met.embeddings)
    features = describe(run, met.documents, vectors, candidates)
    verified = verify(run, met.documents, frequencies, vectors, untracked(met.signatures), candidates, features)
    judged = judge(run, met.documents, frequencies, vectors, verified, reviews)
    contained = contain(run, met.documents, vectors, judged)
    heirs = find_heirs(run, known, roster, untracked(met), contained)
    others, vectors, sketches = (untracked(ref) for ref in heirs.met)
    of_heirs = describe_heirs(run, others, vectors, heirs.pairs)
    followed = verify_heirs(run, others, untracked(frequencies), vectors, sketches, heirs.pairs, of_heirs)
    weighed = judge_heirs(run, others, untracked(frequencies), vectors, followed, reviews, proposed_only=True)
    behind = contain_heirs(run, others, vectors, weighed)
    pairs, inside = unite(run, "verified", [judged, weighed]), unite(run, "containment", [contained, behind])
    earlier = untracked(Earlier(roster, heirs.heirs))
    settled = settle(run, others, copies, sketches, pairs, inside, earlier)
    survivors, rescued = rescue_own(run, others, copies, untracked(screened), settled, pairs, inside, earlier)
    aside = embed_aside(run, documents, screened)
    neighbours = associate(run, documents, embeddings, aside, survivors, live)
    near = gather_near(run, known, roster, others, neighbours)
    rewrites, removals = find_rewrites(run, near, judged, survivors, neighbours)
    stands = stand(run, earlier, copies, removals)
    fragments, spans, hosts, windows = refragment(
        run, known, documents, stands.copies, frequencies, removals, stands.standing
    )
    looked_at, before, anew = look(run, known, untracked(admitted), near, untracked(stands), removals, hosts)
    gone, generation = [removals, before], base.generation + 1
    decisions = decide(run, looked_at, stands.copies, gone, rescued, spans, anew, generation)
    turned = turn(run, known, untracked(extracted), untracked(admitted), anew, decisions)
    tables = Tables(
        documents=documents, extras=admitted.extras, rejects=extracted.rejects, copies=copies,
        frequencies=frequencies, prescreen=screened, embeddings=embeddings, signatures=signatures, blocked=blocked,
        banded=banded, nested=nested, candidates=candidates, features=features, verified=verified, judged=judged,
        containment=contained, settled=settled, survivors=survivors, rescued=rescued, aside=aside,
        neighbours=neighbours, rewrites=rewrites, removals=removals, fragments=fragments, fragment_spans=spans,
        decisions=decisions,
    )  # fmt: skip
    return tables, Night(base, admitted.arrivals, looked_at, anew, turned, pairs, windows)


@flow(name="refresh", flow_run_name="refresh-{arrivals.out.name}", on_failure=[notify], on_crashed=[notify])
def refresh(arrivals: Arrivals) -> str:
    """Check tonight's arrivals against the published corpus and publish what follows; returns the folder of it.

    Published documents stay, but for those that change, are deleted or are contained in a new parent. A night that
    brings nothing new publishes nothing.
    """
    out = arrivals.out.absolute()
    pull(out)
    published(out)  # a mistyped folder is told before anything is made there
    with course(course_of(REFRESH_STAGES)), arrivals.working(out) as begin:
        base, parameters = open_base(out, arrivals.settings)
        consent(base, arrivals.deleted, arrivals.delete_most)
        run = begin(parameters)
        judging(run)
        hold_version(out, run)
        live = enrol(run, base)
        extracted = extract(run, arrived(arrivals.inputs), None)
        admitted = admit(run, base, live, extracted, arrivals.deleted, arrivals.protected)
        if quiet(admitted):
            return ended(published(out), "nothing new: ")
        base = complete(run, base, live)
        tables, made = night(run, base, extracted, admitted, out / REVIEWS)
        told = tell(admitted, made, tables["decisions"])
        snapshot = assemble(run, out, untracked(tables), untracked(made))
        snapshot = conserve(run, untracked(tables), snapshot, untracked(made))
        snapshot, checks = gate(run, untracked(tables), snapshot, untracked(made), arrivals.delete_most)
        reported = report(run, out, untracked(tables), snapshot, checks, told)
        shown = publish(out, reported, checks, arrivals.dry_run)
    if arrivals.keep:
        collect(out, arrivals.keep)
    return ended(shown)


deployed = form(refresh)
