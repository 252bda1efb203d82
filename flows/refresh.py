"""Refresh flow (nightly): arrivals against each other and all that is published, at a cost that follows what is new."""

from pathlib import Path

from prefect import flow
from pydantic import Field

from flows.notify import notify
from flows.options import PublishOptions
from flows.untracked import untracked
from tasks.candidates.containment_sampling import nest
from tasks.candidates.hamming_blocking import block
from tasks.candidates.lsh_banding import band
from tasks.encode.embeddings import embed
from tasks.encode.signatures import sign
from tasks.ingest.exact_duplicates import collapse
from tasks.ingest.extract import Extracted, extract
from tasks.ingest.formats import NAMES
from tasks.llm_judge.backends import judging
from tasks.llm_judge.stage import judge
from tasks.pipeline.stage_metrics import Tables
from tasks.publish.gate import gate_refresh
from tasks.publish.manifest import report
from tasks.publish.publication import publish
from tasks.quality.conservation import conserve_live
from tasks.refresh.build_snapshot import extend
from tasks.refresh.classify_arrivals import Admitted, admit, enrol, quiet
from tasks.refresh.decisions import Decided, decide_live, tell
from tasks.refresh.deletion_consent import consent
from tasks.refresh.dependent_removals import find_heirs
from tasks.refresh.document_frequencies import tally
from tasks.refresh.fragments.stage import Refragmented, refragment
from tasks.refresh.index import hold_version, lacking, take_windows
from tasks.refresh.merge_candidates import gather, route_live
from tasks.refresh.prescreen_all import present
from tasks.refresh.previous_snapshot import Base, Live, open_base
from tasks.refresh.rescue import rescue_live
from tasks.refresh.survivors import Settled, settle_live
from tasks.resolve.containment import contain
from tasks.review.store import FILE as REVIEWS
from tasks.runtime.run import Run
from tasks.snapshots.garbage_collect import collect
from tasks.snapshots.layout import published
from tasks.storage.link_parts import unite
from tasks.storage.tables import TableRef
from tasks.verify.document_features import describe
from tasks.verify.stage import verify

present_lacking = present.with_options(task_run_name="present what the index lacks")
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
    out: Path = Field(description="folder of the snapshots; `current` in it is refreshed")
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
    screened = present_lacking(run, documents, collapse_lacking(run, documents))
    embeddings = embed_lacking(run, documents, screened)
    signatures = sign_lacking(run, documents, screened, base.frequencies, embeddings, base.mean_entropy)
    return base._replace(
        embeddings=unite(run, "embeddings", [base.embeddings, embeddings]),
        signatures=unite(run, "signatures", [base.signatures, signatures]),
    )


def night(
    run: Run, base: Base, extracted: Extracted, admitted: Admitted, reviews: Path
) -> tuple[Tables, Settled, Decided, Refragmented]:
    """The stages of a night: what must be checked meets itself and the live documents, as `curate` would have it."""
    documents, roster = admitted.documents, admitted.roster
    live = untracked(Live(base.signatures, roster))
    copies = collapse(run, documents)
    frequencies = tally(run, untracked(base), documents, copies)
    screened = present(run, documents, copies)
    embeddings = embed(run, documents, screened)
    signatures = sign(run, documents, screened, frequencies, embeddings, base.mean_entropy)
    blocked = block(run, documents, signatures, live)
    banded = band(run, documents, signatures, live)
    nested = nest(run, documents, signatures, live)
    candidates = route_live(run, untracked(base), live, embeddings, signatures, blocked, banded, nested)
    met = gather(run, untracked(base), roster, documents, embeddings, signatures, candidates)
    features = describe(run, met.documents, untracked(met.embeddings), candidates)
    vectors = untracked(met.embeddings)
    verified = verify(run, met.documents, frequencies, vectors, untracked(met.signatures), candidates, features)
    judged = judge(run, met.documents, frequencies, vectors, verified, reviews)
    contained = contain(run, met.documents, vectors, judged)
    heirs = find_heirs(run, untracked(base), roster, untracked(met), contained)
    others, vectors, sketches = (untracked(ref) for ref in (heirs.documents, heirs.embeddings, heirs.signatures))
    of_heirs = describe_heirs(run, others, vectors, heirs.pairs)
    followed = verify_heirs(run, others, untracked(frequencies), vectors, sketches, heirs.pairs, of_heirs)
    weighed = judge_heirs(run, others, untracked(frequencies), vectors, followed, reviews, proposed_only=True)
    behind = contain_heirs(run, others, vectors, weighed)
    settled = settle_live(run, roster, copies, untracked(heirs), [judged, weighed], [contained, behind])
    proposed = settled.survivors
    settled, rescued = rescue_live(run, untracked(heirs), settled)
    fragmented = refragment(
        run, untracked(base), documents, settled.copies, frequencies, settled.survivors, settled.standing
    )
    decided = decide_live(
        run,
        untracked(base),
        untracked(extracted),
        untracked(admitted),
        untracked(heirs),
        untracked(settled),
        rescued,
        fragmented,
    )
    tables = Tables(
        documents=documents, extras=admitted.extras, rejects=extracted.rejects, copies=copies,
        frequencies=frequencies, prescreen=screened, embeddings=embeddings, signatures=signatures, blocked=blocked,
        banded=banded, nested=nested, candidates=candidates, features=features, verified=verified, judged=judged,
        containment=contained, settled=proposed, survivors=settled.survivors, rescued=rescued,
        fragments=fragmented.fragments, fragment_spans=fragmented.spans, decisions=decided.decisions,
    )  # fmt: skip
    return tables, settled, decided, fragmented


@flow(name="refresh", flow_run_name="refresh-{arrivals.out.name}", on_failure=[notify], on_crashed=[notify])
def refresh(arrivals: Arrivals) -> str:
    """Check tonight's arrivals against the published corpus and publish what follows; returns the folder of it.

    Published documents stay, but for those that change, are deleted or are contained in a new parent. A night that
    brings nothing new publishes nothing.
    """
    out = arrivals.out.absolute()
    with arrivals.working(out) as begin:
        base, parameters = open_base(out, arrivals.settings)
        consent(base, arrivals.deleted, arrivals.delete_most)
        run = begin(parameters)
        judging(run)
        hold_version(out, run)
        live = enrol(run, base)
        extracted = extract(run, arrivals.inputs, None)
        admitted = admit(run, base, live, extracted, arrivals.deleted, arrivals.protected)
        if quiet(admitted):
            return str(published(out))
        base = complete(run, base, live)
        tables, settled, decided, fragmented = night(run, base, extracted, admitted, out / REVIEWS)
        made = (untracked(admitted), untracked(settled), decided, untracked(fragmented), untracked(tables))
        snapshot = extend(run, out, untracked(base), *made)
        conserve_live(run, untracked(base), untracked(tables), untracked(decided), snapshot)
        looked_at = (untracked(tables), untracked(decided.documents), untracked(admitted.arrivals))
        checks = gate_refresh(run, untracked(base), *looked_at, snapshot, arrivals.delete_most)
        reported = report(run, out, untracked(tables), snapshot, checks, tell(base, admitted, decided))
        shown = publish(out, reported, checks, arrivals.dry_run)
    if arrivals.keep:
        collect(out, arrivals.keep)
    return str(shown)
