"""Queries of the judge about borderline pairs: from the cache where an answer is known, else from the backend."""

import time
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.llm_judge.fuse import PROBABILITIES, Backend
from models.decision.llm_judge.prompt import Query, query
from tasks.llm_judge.backends import Judging
from tasks.llm_judge.cache import PAIR, VerdictCache
from tasks.llm_judge.openai_backend import EndpointError
from tasks.pipeline.registry import JUDGE
from tasks.runtime.errors import InputError
from tasks.runtime.memory import peak_memory_mb, reset_peak_memory
from tasks.runtime.progress import Bar, stage_progress
from tasks.runtime.run import Run
from tasks.storage.document_store import Texts, texts_at_hand
from tasks.storage.tables import TableRef, about, scan
from tasks.storage.work import passing

BATCH = 64
"""Pairs put to the judge at a time: what a killed run asks again at most."""
UNKNOWN = pl.col(PROBABILITIES[0]).is_nan()


class Answers(NamedTuple):
    """Answers of the judge.

    Attributes:
        pairs: the routed pairs, with the columns `PROBABILITIES`, NaN where there is no verdict, and `judge_model`.
        suspicious: routed pairs about which nobody was asked, because a document speaks to the judge.
        facts: how many were asked, answered from the cache and not answered, and what the backend says of the effort.
        seconds: that asking took.
        cpu_seconds: of these in this process.
        memory_mb: its peak meanwhile.
    """

    pairs: pl.DataFrame
    suspicious: pl.DataFrame
    facts: dict[str, Any]
    seconds: float
    cpu_seconds: float
    memory_mb: float


def ask(run: Run, judging: Judging, documents: TableRef, routed: TableRef) -> Answers:
    """Get a verdict for every routed pair but the `suspicious`; what gets none is asked again by the next run.

    Args:
        run: of the workspace in which verdicts are kept.
        judging: who is asked.
        documents: with the texts.
        routed: pairs `a`, `b` with `text_hash_a`, `text_hash_b` and `suspicious`, in the order in which to ask.

    Raises:
        InputError: the judge can answer nothing at all, as it is set up.
    """
    started, cpu_started = time.monotonic(), time.process_time()
    reset_peak_memory()
    cache = VerdictCache(run.workspace, judging.model, judging.prompt)
    chosen = scan(routed).collect()
    pairs, suspicious = (chosen.filter(pl.col("suspicious") == told).drop("suspicious") for told in (False, True))
    named = _in_reading_order(pairs)
    missing = cache.recall(named).filter(UNKNOWN)
    with stage_progress(JUDGE.name, pairs.height, unit="pairs") as bar:
        bar.advance(pairs.height - missing.height)
        spent = _put(run, judging, documents, missing, cache, bar) if missing.height else {}
    told = cache.recall(named).select(PROBABILITIES)
    facts = {
        "asked": missing.height,
        "from_cache": pairs.height - missing.height,
        "no_verdict": told.filter(UNKNOWN).height,
        "model": judging.model,
    }
    answered = pairs.drop(PAIR).with_columns(told, judge_model=pl.lit(judging.model))
    took = time.monotonic() - started, time.process_time() - cpu_started, peak_memory_mb()
    return Answers(answered, suspicious.drop(PAIR), about(routed)["facts"] | facts | spent, *took)


def _in_reading_order(pairs: pl.DataFrame) -> pl.DataFrame:
    """Documents `one` and `other` of each pair in the order of the hashes of their texts, and these, as `PAIR`.

    Numbers of documents change from corpus to corpus; what the judge reads must not.
    """
    swapped = pl.col(PAIR[0]) > pl.col(PAIR[1])
    return pairs.select(
        pl.min_horizontal(PAIR).alias(PAIR[0]),
        pl.max_horizontal(PAIR).alias(PAIR[1]),
        one=pl.when(swapped).then("b").otherwise("a"),
        other=pl.when(swapped).then("a").otherwise("b"),
    )


def _put(
    run: Run, judging: Judging, documents: TableRef, missing: pl.DataFrame, cache: VerdictCache, bar: Bar
) -> dict[str, Any]:
    """Put questions to the judge, batch by batch; returns what it says of the effort."""
    backend = judging.open()
    wanted = pl.concat([missing["one"], missing["other"]])
    with (
        passing(run, JUDGE.name, "tasks.storage.document_store:texts_at_hand") as work,
        texts_at_hand(work, documents, wanted) as texts,
    ):
        for batch in missing.iter_slices(BATCH):
            cache.keep(batch, _answer(backend, _queries(batch, texts, run.parameters.judge.chars)))
            bar.advance(batch.height)
    return dict(vars(getattr(backend, "usage", None) or SimpleNamespace()))


def _queries(batch: pl.DataFrame, texts: Texts, chars: int) -> list[Query]:
    return [query(texts[one], texts[other], chars) for one, other in batch.select("one", "other").iter_rows()]


def _answer(backend: Backend, queries: list[Query]) -> NDArray[np.float32]:
    try:
        return backend.ask(queries)
    except EndpointError as error:
        raise InputError(str(error)) from error
