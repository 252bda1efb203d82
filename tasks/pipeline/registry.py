"""Registry of the stages: what makes which tables, under which name, held to which contract.

One row per stage of `curate`, in their order; then those that a refresh has in their place, the steps that only a
refresh takes, and those of the trainings.
"""

from typing import Literal, NamedTuple

from data_contracts import contracts
from data_contracts.contract import Contract


class Paper(NamedTuple):
    """Pass rate of a stage in the paper: its symbol, the share of pairs, and what passes in a few words."""

    symbol: str
    share: float
    label: str


class Row(NamedTuple):
    """A stage.

    Attributes:
        name: in progress, metrics and report.
        task: function that makes the tables, as "package.module:name"; its source is part of their names.
        tables: what it makes; its counts stand beside the first.
        title: what it does.
        unit: what it counts.
        all_pairs: it looks for pairs among all that the documents form.
        paper: pass rate in the paper.
        contract: what the outcome is held to.
        instead_of: name of the stage of `curate` in whose place a refresh has this one.
    """

    name: str
    task: str
    tables: tuple[str, ...]
    title: str
    unit: Literal["documents", "pairs"] = "documents"
    all_pairs: bool = False
    paper: Paper | None = None
    contract: Contract | None = None
    instead_of: str = ""


EXTRACT = Row(
    "extract",
    "tasks.extract:extract",
    ("documents", "extras", "rejects"),
    "read, normalise, number",
    contract=contracts.DOCUMENTS,
)
COLLAPSE = Row(
    "collapse",
    "tasks.collapse:collapse",
    ("copies",),
    "exact copies of the normalised text",
    contract=contracts.COPIES,
)
COUNT = Row("count", "tasks.frequencies:count", ("frequencies",), "how rare each shingle and word is")
PRESCREEN = Row(
    "prescreen",
    "tasks.prescreen:prescreen",
    ("prescreen",),
    "shares wording with another (Bloom)",
    paper=Paper("r1", 0.6, "share wording with another"),
    contract=contracts.PRESCREEN,
)
EMBED = Row("embed", "tasks.embed:embed", ("embeddings",), "vectors and attention", contract=contracts.EMBEDDINGS)
SIGN = Row("sign", "tasks.sign:sign", ("signatures",), "codes, sketches, bands, samples", contract=contracts.SIGNATURES)
BLOCK = Row(
    "block",
    "tasks.candidates:block",
    ("blocked",),
    "codes within the Hamming radius",
    "pairs",
    all_pairs=True,
    paper=Paper("r2", 0.05, "pairs close in meaning"),
)
BAND = Row(
    "band",
    "tasks.candidates:band",
    ("banded",),
    "attention-weighted LSH, all pairs of a band",
    "pairs",
    all_pairs=True,
)
NEST = Row(
    "nest", "tasks.candidates:nest", ("nested",), "sampled shingles mostly in the other", "pairs", all_pairs=True
)
ROUTE = Row(
    "route",
    "tasks.candidates:route",
    ("candidates",),
    "routes merged, sketches alike enough",
    "pairs",
    paper=Paper("r3", 0.3, "candidates, of proposed pairs"),
    contract=contracts.CANDIDATES,
)
DESCRIBE = Row("describe", "tasks.describe:describe", ("features",), "fused features of characters, words and meaning")
VERIFY = Row(
    "verify",
    "tasks.verify:verify",
    ("verified",),
    "judged by network and text",
    "pairs",
    paper=Paper("r4", 0.8, "verified, of candidates"),
    contract=contracts.VERIFIED,
)
JUDGE = Row(
    "judge",
    "tasks.judge:judge",
    ("judged",),
    "borderline pairs put to a language model",
    "pairs",
    contract=contracts.JUDGED,
)
CONTAIN = Row("contain", "tasks.contain:contain", ("containment",), "containment confirmed by meaning", "pairs")
SETTLE = Row("settle", "tasks.settle:settle", ("settled",), "who stays", contract=contracts.SURVIVORS)
RESCUE = Row(
    "rescue",
    "tasks.rescue:rescue_own",
    ("survivors", "rescued"),
    "keeps what alone says something",
    contract=contracts.SURVIVORS,
)
FRAGMENT = Row(
    "fragment",
    "tasks.fragment:fragment",
    ("fragments", "fragment_spans"),
    "viral passages",
    contract=contracts.FRAGMENT_SPANS,
)
DECIDE = Row("decide", "tasks.decide:decide", ("decisions",), "one decision per document", contract=contracts.DECISIONS)
STAGES = (
    EXTRACT, COLLAPSE, COUNT, PRESCREEN, EMBED, SIGN, BLOCK, BAND, NEST, ROUTE, DESCRIBE, VERIFY, JUDGE, CONTAIN,
    SETTLE, RESCUE, FRAGMENT, DECIDE,
)  # fmt: skip
"""Stages of `curate` in their order."""

ADMIT = Row(
    "admit",
    "tasks.admit:admit",
    ("documents", "arrivals", "roster", "extras"),
    "new, changed, back, or to be checked again",
    contract=contracts.ADMITTED,
    instead_of="extract",
)
TALLY = Row("tally", "tasks.tally:tally", ("frequencies",), "words beside the frozen counts", instead_of="count")
PRESENT = Row(
    "present",
    "tasks.present:present",
    ("prescreen",),
    "distinct texts of tonight",
    contract=contracts.PRESCREEN,
    instead_of="prescreen",
)
ROUTE_LIVE = ROUTE._replace(task="tasks.gather:route_live", instead_of="route")
SETTLE_LIVE = SETTLE._replace(
    task="tasks.settle_live:settle_live", tables=("settled", "copies", "standing"), instead_of="settle"
)
RESCUE_LIVE = RESCUE._replace(
    task="tasks.rescue_live:rescue_live",
    tables=("survivors", "rescued", "copies", "standing"),
    instead_of="rescue",
)
REFRAGMENT = FRAGMENT._replace(
    task="tasks.refragment:refragment",
    tables=("fragments", "fragment_spans", "hosts", "regained"),
    instead_of="fragment",
)
DECIDE_LIVE = DECIDE._replace(
    task="tasks.decide_live:decide_live",
    tables=("decisions", "documents", "earlier", "rewritten", "night"),
    instead_of="decide",
)
_TONIGHT = {
    row.instead_of: row
    for row in (ADMIT, TALLY, PRESENT, ROUTE_LIVE, SETTLE_LIVE, RESCUE_LIVE, REFRAGMENT, DECIDE_LIVE)
}
REFRESH_STAGES = tuple(_TONIGHT.get(row.name, row) for row in STAGES)
"""Stages of a refresh in their order."""

ROUTED = Row("routed", "tasks.routed:routed", ("routed",), "which pairs the judge is asked about", "pairs")
ENROL = Row("list", "tasks.admit:enrol", ("live",), "live documents with their fates")
LACKING = Row("lacking", "tasks.index:lacking", ("documents",), "live documents without signatures")
LIVING = Row("living", "tasks.index:living", ("documents",), "documents of the index that are live")
TAKE_WINDOWS = Row("windows", "tasks.index:take_windows", ("windows",), "minimizers of kept documents")
UNITE = Row(
    "unite",
    "tasks.carry:unite",
    ("documents", "embeddings", "signatures", "windows", "verified", "containment"),
    "parts of several tables under one name",
)
GATHER = Row(
    "gather",
    "tasks.gather:gather",
    ("documents", "embeddings", "signatures"),
    "live documents in reach, beside tonight's",
    contract=contracts.CANDIDATES,
)
HEIRS = Row(
    "heirs",
    "tasks.heirs:find_heirs",
    ("candidates", "documents", "embeddings", "signatures", "heirs"),
    "removed in favour of a document that may give way",
    contract=contracts.CANDIDATES,
)
REACH = Row(
    "reach",
    "tasks.reach:reach",
    ("searched", "windows", "known"),
    "published documents and fragments that may share a passage with tonight's",
)
BESIDE = (ROUTED, ENROL, LACKING, LIVING, TAKE_WINDOWS, UNITE, GATHER, HEIRS, REACH)
"""Steps that make tables between the stages."""

MATERIAL = Row("material", "tasks.training.passages:choose", ("material",), "documents to learn from")
PASSAGES = Row("passages", "tasks.training.passages:draw_passages", ("passages",), "passages that the teacher reads")
WORDS = Row("words", "tasks.training.words:choose_vocabulary", ("words",), "words with a vector of their own")
TEACH = Row("teach", "tasks.training.teach:teach", ("taught",), "vectors and attention of the teacher")
DISTIL = Row("distil", "tasks.training.student:distil_student", ("student",), "the student")
TAKE_OVER = Row("take over", "tasks.training.verifier_alone:take_encoder", ("student",), "the student of a bundle")
HASH = Row("hash", "tasks.training.hashes:learn_hashes", ("hashes",), "hyperplanes")
QUALITY = Row("quality", "tasks.training.quality:measure_student", ("quality",), "how far the student agrees")
PAIRS = Row("pairs", "tasks.training.pairs:synthesise_pairs", ("pairs",), "labelled pairs", "pairs")
MEASURE = Row("measure", "tasks.training.pairs:measure_pairs", ("measured",), "measures of labelled pairs", "pairs")
LEARN_VERIFIER = Row("verifier", "tasks.training.verifier:learn_verifier", ("verifier",), "the verifier", "pairs")
PAIR_FOR_JUDGE = Row(
    "judge pairs", "tasks.training.judge:make_judge_pairs", ("judge_pairs",), "labelled pairs for the judge", "pairs"
)
LEARN_JUDGE = Row("judge", "tasks.training.judge:learn_judge", ("judge",), "adapter of the judge", "pairs")
CALIBRATE_JUDGE = Row(
    "judge calibration", "tasks.training.judge:calibrate_judge", ("judge_calibration",), "its calibration", "pairs"
)
TRAINING = (
    MATERIAL, PASSAGES, WORDS, TEACH, DISTIL, TAKE_OVER, HASH, QUALITY, PAIRS, MEASURE, LEARN_VERIFIER,
    PAIR_FOR_JUDGE, LEARN_JUDGE, CALIBRATE_JUDGE,
)  # fmt: skip
"""Steps of the trainings."""

BASELINE_PAIRS = Row(
    "training pairs", "tasks.benchmark.baselines:make_pairs", ("baseline_pairs",), "pairs that baselines learn from"
)
BASELINE_FIT = Row("fine-tune", "tasks.benchmark.baselines:fit", ("baseline_tensors",), "a baseline that learned")
BASELINE_TUNE = Row("tune", "tasks.benchmark.baselines:best_threshold", ("baseline_threshold",), "best threshold")
BASELINE_RUN = Row("baseline", "tasks.benchmark.baselines:apply", ("baseline_outcomes",), "outcome at each threshold")
TEACHER_VECTORS = Row(
    "teacher vectors", "tasks.benchmark.vectors:embed_texts", ("teacher_vectors",), "vectors of the teacher"
)
BENCHMARK = (BASELINE_PAIRS, BASELINE_FIT, BASELINE_TUNE, BASELINE_RUN, TEACHER_VECTORS)
"""Steps of a benchmark, beside the stages."""

ROWS = tuple(dict.fromkeys((*STAGES, *REFRESH_STAGES, *BESIDE, *TRAINING, *BENCHMARK)))
"""Everything that makes tables."""
