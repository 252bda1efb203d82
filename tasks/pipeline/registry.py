"""Registry of the stages: what makes which tables, under which name, held to which contract.

One row per stage of `curate`, in their order; then those that a refresh has in their place, the steps that only a
refresh takes, and those of the trainings.
"""

from typing import Any, Literal, NamedTuple

from data_contracts import contracts, schemas
from data_contracts.expectations import Contract
from data_contracts.schema import Table


class Paper(NamedTuple):
    """Pass rate of a stage in the paper: its symbol, the share of pairs, and what passes in a few words."""

    symbol: str
    share: float
    label: str


class Row(NamedTuple):
    """Stage: a row of the registry.

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
    tables: tuple[Table, ...]
    title: str
    unit: Literal["documents", "pairs"] = "documents"
    all_pairs: bool = False
    paper: Paper | None = None
    contract: Contract | None = None
    instead_of: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its tables."""
        return tuple(table.name for table in self.tables)

    def __reduce__(self) -> tuple[type["Row"], tuple[Any, ...]]:
        """Pickle without the contract: only the process of the run holds tables to it, and it is made of functions."""
        return Row, tuple(self._replace(contract=None))

    def table(self, name: str = "") -> Table:
        """One of its tables, the first if `name` does not say which.

        Raises:
            LookupError: it makes no such table.
        """
        for table in self.tables:
            if name in ("", table.name):
                return table
        raise LookupError(f"stage {self.name} makes {', '.join(self.names)}, not {name}")


def _step(name: str, task: str, table: str, title: str, unit: Literal["documents", "pairs"] = "documents") -> Row:
    """Row of a training or benchmark, whose table has no schema."""
    return Row(name, task, (Table(table, "", others=True),), title, unit)


EXTRACT = Row(
    "extract",
    "tasks.ingest.extract:extract",
    (schemas.DOCUMENTS, schemas.EXTRAS, schemas.REJECTS),
    "read, normalise, number",
    contract=contracts.DOCUMENTS,
)
COLLAPSE = Row(
    "collapse",
    "tasks.ingest.exact_duplicates:collapse",
    (schemas.COPIES,),
    "exact copies of the normalised text",
    contract=contracts.COPIES,
)
COUNT = Row(
    "count", "tasks.ingest.document_frequencies:count", (schemas.FREQUENCIES,), "how rare each shingle and word is"
)
PRESCREEN = Row(
    "prescreen",
    "tasks.ingest.bloom_prescreen:prescreen",
    (schemas.PRESCREEN,),
    "shares wording with another (Bloom)",
    paper=Paper("r1", 0.6, "share wording with another"),
    contract=contracts.PRESCREEN,
)
EMBED = Row(
    "embed",
    "tasks.encode.embeddings:embed",
    (schemas.EMBEDDINGS,),
    "vectors and attention",
    contract=contracts.EMBEDDINGS,
)
SIGN = Row(
    "sign",
    "tasks.encode.signatures:sign",
    (schemas.SIGNATURES,),
    "codes, sketches, bands, samples",
    contract=contracts.SIGNATURES,
)
BLOCK = Row(
    "block",
    "tasks.candidates.hamming_blocking:block",
    (schemas.BLOCKED,),
    "codes within the Hamming radius",
    "pairs",
    all_pairs=True,
    paper=Paper("r2", 0.05, "pairs close in meaning"),
)
BAND = Row(
    "band",
    "tasks.candidates.lsh_banding:band",
    (schemas.BANDED,),
    "attention-weighted LSH, all pairs of a band",
    "pairs",
    all_pairs=True,
)
NEST = Row(
    "nest",
    "tasks.candidates.containment_sampling:nest",
    (schemas.NESTED,),
    "sampled shingles mostly in the other",
    "pairs",
    all_pairs=True,
)
ROUTE = Row(
    "route",
    "tasks.candidates.merge:route",
    (schemas.CANDIDATES,),
    "routes merged, sketches alike enough",
    "pairs",
    paper=Paper("r3", 0.3, "candidates, of proposed pairs"),
    contract=contracts.CANDIDATES,
)
DESCRIBE = Row(
    "describe",
    "tasks.verify.document_features:describe",
    (schemas.FEATURES,),
    "fused features of characters, words and meaning",
)
VERIFY = Row(
    "verify",
    "tasks.verify.stage:verify",
    (schemas.VERIFIED,),
    "judged by network and text",
    "pairs",
    paper=Paper("r4", 0.8, "verified, of candidates"),
    contract=contracts.VERIFIED,
)
JUDGE = Row(
    "judge",
    "tasks.llm_judge.stage:judge",
    (schemas.JUDGED,),
    "borderline pairs put to a language model",
    "pairs",
    contract=contracts.JUDGED,
)
CONTAIN = Row(
    "contain", "tasks.resolve.containment:contain", (schemas.CONTAINMENT,), "containment confirmed by meaning", "pairs"
)
SETTLE = Row("settle", "tasks.resolve.survivors:settle", (schemas.SETTLED,), "who stays", contract=contracts.SURVIVORS)
RESCUE = Row(
    "rescue",
    "tasks.resolve.rescue:rescue_own",
    (schemas.SURVIVORS, schemas.RESCUED),
    "keeps what alone says something",
    contract=contracts.SURVIVORS,
)
EMBED_ASIDE = Row(
    "embed aside",
    "tasks.encode.embeddings_aside:embed_aside",
    (schemas.ASIDE,),
    "vectors of what was set aside",
)
ASSOCIATE = Row(
    "associate",
    "tasks.candidates.semantic_neighbours:associate",
    (schemas.NEIGHBOURS,),
    "each other's nearest in meaning, whatever their wording",
    "pairs",
)
REWRITE = Row(
    "rewrite",
    "tasks.verify.rewrites:find_rewrites",
    (schemas.REWRITES, schemas.REMOVALS),
    "the same in other words",
    "pairs",
    contract=contracts.REMOVALS,
)
FRAGMENT = Row(
    "fragment",
    "tasks.resolve.fragments.stage:fragment",
    (schemas.FRAGMENTS, schemas.FRAGMENT_SPANS),
    "viral passages",
    contract=contracts.FRAGMENT_SPANS,
)
DECIDE = Row(
    "decide",
    "tasks.resolve.decisions:decide",
    (schemas.DECISIONS,),
    "one decision per document",
    contract=contracts.DECISIONS,
)
STAGES = (
    EXTRACT, COLLAPSE, COUNT, PRESCREEN, EMBED, SIGN, BLOCK, BAND, NEST, ROUTE, DESCRIBE, VERIFY, JUDGE, CONTAIN,
    SETTLE, RESCUE, EMBED_ASIDE, ASSOCIATE, REWRITE, FRAGMENT, DECIDE,
)  # fmt: skip
"""Stages of `curate` in their order."""

ADMIT = Row(
    "admit",
    "tasks.refresh.classify_arrivals:admit",
    (schemas.DOCUMENTS, schemas.ARRIVALS, schemas.ROSTER, schemas.EXTRAS),
    "new, changed, back, or to be checked again",
    contract=contracts.ADMITTED,
    instead_of="extract",
)
TALLY = Row(
    "tally",
    "tasks.refresh.document_frequencies:tally",
    (schemas.FREQUENCIES,),
    "words beside the frozen counts",
    instead_of="count",
)
PRESENT = PRESCREEN._replace(name="present", title="distinct texts of tonight", paper=None, instead_of="prescreen")
REFRAGMENT = FRAGMENT._replace(
    task="tasks.refresh.fragments.stage:refragment",
    tables=(schemas.FRAGMENTS, schemas.FRAGMENT_SPANS, schemas.HOSTS, schemas.REGAINED),
    instead_of="fragment",
)
_TONIGHT = {row.instead_of: row for row in (ADMIT, TALLY, PRESENT, REFRAGMENT)}
REFRESH_STAGES = tuple(_TONIGHT.get(row.name, row) for row in STAGES)
"""Stages of a refresh in their order."""

SHARES = {
    "extract": 0.06, "collapse": 0.01, "count": 0.03, "prescreen": 0.04, "embed": 0.1, "sign": 0.05, "block": 0.03,
    "band": 0.01, "nest": 0.01, "route": 0.02, "describe": 0.08, "verify": 0.3, "rescue": 0.02, "associate": 0.02,
    "rewrite": 0.03, "fragment": 0.13, "publish": 0.03, "conserve": 0.03, "gate": 0.01,
}  # fmt: skip
"""Of the time of a run, about, by the names of what shows its progress (`stage_metrics` of 100,000 documents)."""
LEAST_SHARE = 0.005


def course_of(rows: tuple[Row, ...]) -> dict[str, float]:
    """Names of the stages of a run, and of what publishes it, each with its share of the time."""
    names = (*(row.name for row in rows), "publish", "conserve", "gate")
    return {name: SHARES.get(name, LEAST_SHARE) for name in names}


ROUTED = Row(
    "routed", "tasks.llm_judge.select_pairs:routed", (schemas.ROUTED,), "which pairs the judge is asked about", "pairs"
)
ENROL = Row("list", "tasks.refresh.classify_arrivals:enrol", (schemas.LIVE,), "live documents with their fates")
LACKING = Row("lacking", "tasks.refresh.index:lacking", (schemas.DOCUMENTS,), "live documents without signatures")
LIVING = Row("living", "tasks.refresh.index:living", (schemas.DOCUMENTS,), "documents of the index that are live")
TAKE_WINDOWS = Row("windows", "tasks.refresh.index:take_windows", (schemas.WINDOWS,), "minimizers of kept documents")
UNITE = Row(
    "unite",
    "tasks.storage.link_parts:unite",
    (
        schemas.SEARCHED.named("documents"),
        schemas.EMBEDDINGS,
        schemas.SIGNATURES,
        schemas.WINDOWS,
        schemas.VERIFIED,
        schemas.CONTAINMENT,
        *(schemas.ROSTER, schemas.HEIRS, schemas.ARRIVALS, schemas.DECISIONS.named("before")),
    ),
    "parts of several tables under one name; of none where nothing was published before",
)
GATHER = Row(
    "gather",
    "tasks.refresh.documents_in_reach:gather",
    (schemas.DOCUMENTS, schemas.MET_EMBEDDINGS, schemas.MET_SIGNATURES),
    "live documents in reach, beside tonight's",
    contract=contracts.CANDIDATES,
)
GATHER_NEAR = Row(
    "gather near",
    "tasks.refresh.documents_in_reach:gather_near",
    (schemas.DOCUMENTS,),
    "live documents near in meaning, beside those in reach",
)
HEIRS = Row(
    "heirs",
    "tasks.refresh.dependent_removals:find_heirs",
    (schemas.CANDIDATES, schemas.DOCUMENTS, schemas.MET_EMBEDDINGS, schemas.MET_SIGNATURES, schemas.HEIRS),
    "removed in favour of a document that may give way",
    contract=contracts.CANDIDATES,
)
STAND = Row(
    "stand",
    "tasks.refresh.standing:stand",
    (schemas.STANDING, schemas.COPIES),
    "published documents that stay, copies of those that go",
)
LOOK = Row(
    "look",
    "tasks.refresh.decisions:look",
    (schemas.DOCUMENTS, schemas.EARLIER, schemas.REWRITTEN),
    "documents that tonight's decisions name",
)
TURN = Row("turn", "tasks.refresh.decisions:turn", (schemas.NIGHT,), "rows by which the decisions differ from before")
REACH = Row(
    "reach",
    "tasks.refresh.fragments.candidates:reach",
    (schemas.SEARCHED, schemas.WINDOWS, schemas.KNOWN),
    "published documents and fragments that may share a passage with tonight's",
)
BESIDE = (ROUTED, ENROL, LACKING, LIVING, TAKE_WINDOWS, UNITE, GATHER, HEIRS, GATHER_NEAR, STAND, REACH, LOOK, TURN)
"""Steps that make tables between the stages."""

MATERIAL = _step("material", "tasks.training.passages:choose", "material", "documents to learn from")
PASSAGES = _step("passages", "tasks.training.passages:draw_passages", "passages", "passages that the teacher reads")
WORDS = _step("words", "tasks.training.words:choose_vocabulary", "words", "words with a vector of their own")
TEACH = _step("teach", "tasks.training.teach:teach", "taught", "vectors and attention of the teacher")
DISTIL = _step("distil", "tasks.training.student:distil_student", "student", "the student")
TAKE_OVER = _step("take over", "tasks.training.verifier_alone:take_encoder", "student", "the student of a bundle")
HASH = _step("hash", "tasks.training.hashes:learn_hashes", "hashes", "hyperplanes")
QUALITY = _step("quality", "tasks.training.quality:measure_student", "quality", "how far the student agrees")
PAIRS = _step("pairs", "tasks.training.pairs:synthesise_pairs", "pairs", "labelled pairs", "pairs")
MEASURE = _step("measure", "tasks.training.pairs:measure_pairs", "measured", "measures of labelled pairs", "pairs")
LEARN_VERIFIER = _step("verifier", "tasks.training.verifier:learn_verifier", "verifier", "the verifier", "pairs")
PAIR_FOR_JUDGE = _step(
    "judge pairs", "tasks.training.judge:make_judge_pairs", "judge_pairs", "labelled pairs for the judge", "pairs"
)
LEARN_JUDGE = _step("judge", "tasks.training.judge:learn_judge", "judge", "adapter of the judge", "pairs")
CALIBRATE_JUDGE = _step(
    "judge calibration", "tasks.training.judge:calibrate_judge", "judge_calibration", "its calibration", "pairs"
)
TRAINING = (
    MATERIAL, PASSAGES, WORDS, TEACH, DISTIL, TAKE_OVER, HASH, QUALITY, PAIRS, MEASURE, LEARN_VERIFIER,
    PAIR_FOR_JUDGE, LEARN_JUDGE, CALIBRATE_JUDGE,
)  # fmt: skip
"""Steps of the trainings."""

BASELINE_PAIRS = _step(
    "training pairs", "tasks.benchmark.baselines:make_pairs", "baseline_pairs", "pairs that baselines learn from"
)
BASELINE_FIT = _step("fine-tune", "tasks.benchmark.baselines:fit", "baseline_tensors", "a baseline that learned")
BASELINE_TUNE = _step("tune", "tasks.benchmark.baselines:best_threshold", "baseline_threshold", "best threshold")
BASELINE_RUN = _step("baseline", "tasks.benchmark.baselines:apply", "baseline_outcomes", "outcome at each threshold")
TEACHER_VECTORS = _step(
    "teacher vectors", "tasks.benchmark.vectors:embed_texts", "teacher_vectors", "vectors of the teacher"
)
BENCHMARK = (BASELINE_PAIRS, BASELINE_FIT, BASELINE_TUNE, BASELINE_RUN, TEACHER_VECTORS)
"""Steps of a benchmark, beside the stages."""

ROWS = (*STAGES, *_TONIGHT.values(), *BESIDE, *TRAINING, *BENCHMARK)
"""Everything that makes tables."""
