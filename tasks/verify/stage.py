"""Cascade stage 4: every candidate pair is checked on its text before anything may be deleted."""

import functools
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import polars as pl
from prefect import task
from scipy.sparse import csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from data_contracts.contracts import VERIFIED
from models.decision.evidence.pair_evidence import evidence, overlaps
from models.decision.rules.verdict import REMOVES, judge, measure, orphans
from models.lexical.sketch.features import featurise
from tasks.candidates.merge import PAIR
from tasks.ingest.document_frequencies import load_frequencies
from tasks.parallel.map_parts import Advance, fill
from tasks.quality.enforce_contracts import hold
from tasks.remote.object_mirror import fetch, lend
from tasks.resolve.survivor_ranking import claims_to_survive
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.storage.spill import Shelf, shelved
from tasks.storage.tables import Stage, TableRef, parts, scan
from tasks.verify.document_features import HEADS, load_features, verifier

PAIRS_PER_BATCH = 32768
ORDERED = 8_000_000
"""Pairs that are put in order at a time, about; that takes 60 bytes a pair."""
BYTES_PER_BATCH = 12 << 20
"""Of text; what comparing needs of it takes about 35 times as much memory."""
UNJUDGED = pl.Schema(
    {
        "judge_label": pl.String(),
        "judge_p": pl.Float32(),
        "judge_confidence": pl.Float32(),
        "p_final": pl.Float32(),
        "judge_model": pl.String(),
        "judge_prompt": pl.String(),
        "judge_source": pl.String(),
    }
)
"""Columns that are null until the judge or a person had a say: see `tasks.llm_judge.stage`."""
PARTED = 0.8
"""Halves of a batch that hold more of its bytes than this share each, hold mostly the same documents."""


class Library:
    """The documents that occur in candidate pairs, on a shelf: only those of the batch at hand are in memory."""

    def __init__(self, run: Run, counted: TableRef, shelf: Shelf) -> None:
        self._shelf = shelf
        self._frequencies = load_frequencies(counted)
        self._sketch = run.parameters.sketch
        bars = run.parameters.verify
        # A hair above what any rule allows, so that no rounding matters.
        most_edits = 1.001 * bars.max_edits
        self._compare = overlaps if bars.decider == "fixed" else functools.partial(evidence, most_edits=most_edits)

    def examine(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Measures on the text and cosine of pairs `a`, `b`, document numbers, in their order.

        As many at a time as their texts allow; where they are cut changes nothing.
        """
        pieces = bounded(pairs.with_row_index("place"), self._shelf.text_bytes)
        examined = [self._examine(piece).with_columns(piece["place"]) for piece in pieces]
        return pl.concat(examined).sort("place").drop("place")

    def _examine(self, pairs: pl.DataFrame) -> pl.DataFrame:
        a, b = pairs["a"].to_numpy(), pairs["b"].to_numpy()
        used, places = np.unique(np.concatenate([a, b]), return_inverse=True)
        rows = np.searchsorted(self._shelf.doc, used)
        features = featurise(
            self._shelf.texts(rows),
            self._shelf.attention(rows),
            self._frequencies,
            self._sketch,
            self._sketch.short_chars,
        )
        columns = self._compare(features, places[: len(a)], places[len(a) :])
        vector = self._shelf.vectors(rows).astype(np.float32)
        columns["cosine"] = np.einsum("pd,pd->p", vector[places[: len(a)]], vector[places[len(a) :]])
        return measure(pl.DataFrame({"a": a, "b": b, **columns}))


class Network:
    """The verification network of the run's bundle, with the features of the documents in candidate pairs."""

    def __init__(self, run: Run, features: TableRef) -> None:
        self._verifier, _ = verifier(run.parameters.encoder)
        self._head = HEADS[run.parameters.verify.decider]
        self._doc, self._features = load_features(features)

    def opine(self, measured: pl.DataFrame) -> pl.DataFrame:
        """Add `p_dup`, `sigma` (`eq:uncertainty`) and `tau`, the threshold of `eq:margin` for the form of the pair."""
        a, b = (np.searchsorted(self._doc, measured[side].to_numpy()) for side in ("a", "b"))
        opinion = self._verifier.opine(self._head, self._features, a, b, measured)
        return measured.with_columns(
            p_dup=pl.Series(opinion.p_dup), sigma=pl.Series(opinion.sigma), tau=pl.Series(opinion.threshold)
        )


class Judge:
    """Judges the candidate pairs of a run."""

    def __init__(self, run: Run, frequencies: TableRef, features: TableRef, shelf: Path) -> None:
        self._library = Library(run, frequencies, Shelf(shelf))
        self._network = Network(run, features) if run.parameters.verify.decider in HEADS else None
        self._parameters = run.parameters

    def verdicts(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Measures, opinion and verdict of pairs `a`, `b`, document numbers."""
        found = self._library.examine(pairs)
        return judge(self._network.opine(found) if self._network else found, self._parameters)


@functools.lru_cache(maxsize=1)
def _judge(run: Run, frequencies: TableRef, features: TableRef, shelf: Path) -> Judge:
    """The judge of a stage, prepared once per process."""
    return Judge(run, frequencies, features, shelf)


@task(task_run_name="verify pairs")
def verify(
    run: Run,
    documents: TableRef,
    frequencies: TableRef,
    embeddings: TableRef,
    signatures: TableRef,
    candidates: TableRef,
    features: TableRef,
) -> TableRef:
    """Judge every candidate; then judge orphans (kept only because their match went) against its survivor."""
    sections = (run.parameters.verify, run.parameters.containment, run.parameters.cascade)
    inputs = [documents, frequencies, embeddings, signatures, candidates, features]
    with Stage(run, "verified", inputs, *sections, extra=[*UNJUDGED]) as stage:
        if stage.finished:
            return hold(run, stage.ref, VERIFIED, documents)
        ends = [scan(candidates).select(pl.col(side).unique()).collect(engine="streaming") for side in ("a", "b")]
        with (
            shelved(stage, documents, embeddings, pl.concat(end.to_series() for end in ends)) as shelf,
            stage_progress("verify", candidates.rows, unit="pairs") as bar,
        ):
            claims = claims_to_survive(run, documents, signatures)
            passed, index, judged = pl.DataFrame(), 0, 0
            asked, rows = _groups(candidates), candidates.rows
            for turn in range(run.parameters.cascade.rounds):
                numbers = _lay_out(shelf, index, asked)
                fill(
                    stage, functools.partial(_judge_batch, run, frequencies, features, shelf.folder, turn), numbers, bar
                )
                index, judged = index + len(numbers), judged + rows
                found = pl.scan_parquet([stage.part(number) for number in numbers])
                removes = found.filter(pl.col("verdict").is_in(REMOVES))
                passed = pl.concat([passed, removes.select("a", "b", "verdict", "p_dup").collect()])
                pairs = _unseen(orphans(passed, claims), [stage.part(number) for number in range(index)])
                if pairs.is_empty():
                    break
                asked, rows = iter([pairs]), pairs.height
            _judge.cache_clear()
        stage.facts = {"neural_pairs": judged if run.parameters.verify.decider in HEADS else 0}
        stage.counts = {"pairs_in": judged, "pairs_out": passed.height}
    return hold(run, stage.ref, VERIFIED, documents)


def _groups(candidates: TableRef) -> Iterator[pl.DataFrame]:
    """All pairs, as many at a time as are put in order together."""
    pairs = pl.DataFrame(schema=PAIR)
    for path in parts(candidates):
        pairs = pl.concat([pairs, pl.read_parquet(path, columns=[*PAIR])])
        if pairs.height >= ORDERED:
            yield pairs
            pairs = pairs.clear()
    yield pairs


def _lay_out(shelf: Shelf, first: int, groups: Iterator[pl.DataFrame]) -> list[int]:
    """Lay the pairs beside the documents, in batches for those who judge them; their numbers, from `first` on."""
    numbers = []
    for number, batch in enumerate((batch for group in groups for batch in _batches(group)), first):
        batch.write_ipc(_laid(shelf.folder, number))
        lend(_laid(shelf.folder, number))
        numbers.append(number)
    return numbers


def _laid(shelf: Path, number: int) -> Path:
    return shelf / f"pairs-{number:05d}.arrow"


def _judge_batch(
    run: Run, frequencies: TableRef, features: TableRef, shelf: Path, turn: int, index: int, advance: Advance
) -> pl.DataFrame:
    found = _judge(run, frequencies, features, shelf).verdicts(pl.read_ipc(fetch(_laid(shelf, index))))
    advance(found.height)
    return unjudged(found, turn)


def unjudged(found: pl.DataFrame, turn: int | None) -> pl.DataFrame:
    """Rows as `verified` has them: with the round that proposed them (null: none did), and nothing said by a judge."""
    nulls = {name: pl.lit(None, kind) for name, kind in UNJUDGED.items()}
    return found.with_columns(round=pl.lit(turn, pl.Int8), **nulls)


def _unseen(pairs: pl.DataFrame, judged: list[Path]) -> pl.DataFrame:
    """Pairs that none of the parts holds, in their order."""
    seen = pl.scan_parquet(judged).select("a", "b").join(pairs.lazy(), on=["a", "b"], how="semi")
    return pairs.join(seen.collect(engine="streaming"), on=["a", "b"], how="anti", maintain_order="left")


def _batches(pairs: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Batches in which the pairs of one neighbourhood stand together, so that each text is tokenised rarely."""
    if pairs.is_empty():
        yield pairs
        return
    doc = np.unique(np.concatenate([pairs["a"].unique(), pairs["b"].unique()]))
    a, b = (np.searchsorted(doc, pairs[side]).astype(np.int32) for side in ("a", "b"))
    ends, others = np.concatenate([a, b]), np.concatenate([b, a])
    graph = csr_array((np.ones(len(ends), np.int8), (ends, others)), shape=(len(doc), len(doc)))
    place = np.empty(len(doc), np.int32)
    place[reverse_cuthill_mckee(graph, symmetric_mode=True)] = np.arange(len(doc))
    del graph, ends, others
    order = np.lexsort((np.maximum(place[a], place[b]), np.minimum(place[a], place[b])))
    for at in range(0, len(order), PAIRS_PER_BATCH):
        yield pairs[order[at : at + PAIRS_PER_BATCH]]


def bounded(pairs: pl.DataFrame, text_bytes: Callable[[np.ndarray], np.ndarray]) -> Iterator[pl.DataFrame]:
    """Cut pairs into batches whose texts can be worked on at once.

    They are halved as long as that parts their texts, too. Where all meet all, or one large document meets all, it does
    not; then documents are gathered into blocks of half the bytes, and pairs between the same two blocks stay together.
    """
    whole = _bytes_of(pairs, text_bytes)
    if whole <= BYTES_PER_BATCH or pairs.height == 1:
        yield pairs
        return
    halves = pairs[: pairs.height // 2], pairs[pairs.height // 2 :]
    if max(_bytes_of(half, text_bytes) for half in halves) <= PARTED * whole:
        for half in halves:
            yield from bounded(half, text_bytes)
        return
    doc = np.unique(np.concatenate([pairs["a"], pairs["b"]]))
    block = np.cumsum(text_bytes(doc)) // (BYTES_PER_BATCH // 2)
    of_a, of_b = (pl.Series(block[np.searchsorted(doc, pairs[side])]) for side in ("a", "b"))
    for _, batch in pairs.group_by(of_a=of_a, of_b=of_b, maintain_order=True):
        yield batch


def _bytes_of(pairs: pl.DataFrame, text_bytes: Callable[[np.ndarray], np.ndarray]) -> int:
    return int(text_bytes(np.unique(np.concatenate([pairs["a"], pairs["b"]]))).sum())
