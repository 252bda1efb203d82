"""Verification, cascade stage 4: every candidate pair is checked on its text before anything may be deleted."""

import functools
from collections.abc import Iterator
from pathlib import Path

import polars as pl
from prefect import task

from data_contracts.schemas import BANDED, JUDGE_COLUMNS
from models.decision.rules.removal_graph import as_compared, orphans
from models.decision.types import KNOWN_OF_PAIRS, REMOVES
from tasks.parallel.map_parts import Advance, fill
from tasks.pipeline.registry import VERIFY
from tasks.quality.enforce_contracts import hold
from tasks.remote.object_mirror import fetch, lend
from tasks.resolve.survivor_ranking import claims_to_survive
from tasks.runtime.run import Run
from tasks.storage.document_store import Shelf, shelved
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, parts, scan
from tasks.verify.batching import batches
from tasks.verify.pair_verifier import pair_verifier

ORDERED = 1_000_000
"""Pairs that are put in order at a time, about; that takes 60 bytes a pair."""


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
    """Verify every candidate; then orphans (kept only because their match went) against its survivor."""
    sections = (run.parameters.verify, run.parameters.containment, run.parameters.cascade)
    inputs = [documents, frequencies, embeddings, signatures, candidates, features]
    with Stage(run, VERIFY, inputs, *sections, extra=[*JUDGE_COLUMNS]) as stage:
        if stage.finished:
            return hold(run, VERIFY, KNOWN_OF_PAIRS, verified=stage.ref, documents=documents)
        ends = [scan(candidates).select(pl.col(side).unique()).collect(engine="streaming") for side in ("a", "b")]
        named = pl.concat(end.to_series() for end in ends)
        with (
            shelved(stage, documents, embeddings, named) as shelf,
            stage.progress(candidates.rows, unit="pairs") as bar,
        ):
            claims = claims_to_survive(run, documents, signatures, named)
            passed, index, compared, neural = pl.DataFrame(), 0, 0, 0
            asked, rows = _groups(candidates), candidates.rows
            for turn in range(run.parameters.cascade.rounds):
                numbers = _lay_out(shelf, index, asked)
                fill(
                    stage,
                    functools.partial(_verify_batch, run, frequencies, features, shelf.folder, turn),
                    numbers,
                    bar,
                )
                index, compared = index + len(numbers), compared + rows
                found = pl.scan_parquet([stage.part(number) for number in numbers])
                removes = found.filter(pl.col("verdict").is_in(REMOVES))
                passed = pl.concat([passed, as_compared(removes).collect()])
                neural += found.select((pl.col("sigma") > 0).sum()).collect().item()
                pairs = _unseen(orphans(passed, claims), [stage.part(number) for number in range(index)])
                if pairs.is_empty():
                    break
                asked, rows = iter([pairs]), pairs.height
            pair_verifier.cache_clear()
        stage.facts = {"neural_pairs": neural}
        stage.counts = {"pairs_in": compared, "pairs_out": passed.height}
    return hold(run, VERIFY, KNOWN_OF_PAIRS, verified=stage.ref, documents=documents)


def _groups(candidates: TableRef) -> Iterator[pl.DataFrame]:
    """All pairs, as many at a time as are put in order together."""
    pairs = pl.DataFrame(schema=BANDED.schema)
    for path in parts(candidates):
        pairs = pl.concat([pairs, pl.read_parquet(path, columns=[*BANDED.columns])])
        if pairs.height >= ORDERED:
            yield pairs
            pairs = pairs.clear()
    yield pairs


def _lay_out(shelf: Shelf, first: int, groups: Iterator[pl.DataFrame]) -> list[int]:
    """Lay the pairs beside the documents, in batches for those who compare them; their numbers, from `first` on."""
    numbers = []
    for number, batch in enumerate((batch for group in groups for batch in batches(group)), first):
        batch.write_ipc(_laid(shelf.folder, number))
        lend(_laid(shelf.folder, number))
        numbers.append(number)
    return numbers


def _laid(shelf: Path, number: int) -> Path:
    return shelf / f"pairs-{number:05d}.arrow"


def _verify_batch(
    run: Run, frequencies: TableRef, features: TableRef, shelf: Path, turn: int, index: int, advance: Advance
) -> pl.DataFrame:
    found = pair_verifier(run, frequencies, features, shelf).verdicts(pl.read_ipc(fetch(_laid(shelf, index))))
    advance(found.height)
    return unjudged(found, turn)


def unjudged(found: pl.DataFrame, turn: int | None) -> pl.DataFrame:
    """Rows as `verified` has them: with the round that proposed them (null: none did), and nothing said by a judge."""
    nulls = {name: pl.lit(None, column.kind) for name, column in JUDGE_COLUMNS.items()}
    return found.with_columns(round=pl.lit(turn, pl.Int8), **nulls)


def _unseen(pairs: pl.DataFrame, compared: list[Path]) -> pl.DataFrame:
    """Pairs that none of the parts holds, in their order."""
    seen = pl.scan_parquet(compared).select("a", "b").join(pairs.lazy(), on=["a", "b"], how="semi")
    return pairs.join(seen.collect(engine="streaming"), on=["a", "b"], how="anti", maintain_order="left")
