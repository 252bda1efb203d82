"""Rewrites: neighbours in meaning that say the same in other words → `rewrites`, and `removals` with what goes."""

from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from prefect import task

from data_contracts.schemas import REMOVALS, REWRITES
from models.decision.meaning.bags import bags
from models.decision.meaning.english_prose import is_english_prose
from models.decision.meaning.left_over import left_over_cosine
from models.decision.meaning.rewrite_features import FEATURES
from models.decision.meaning.rewrite_removals import rewrite_removals
from models.decision.meaning.verifier import examine, shipped
from models.decision.meaning.word_vectors import word_vectors
from models.decision.rules.thresholds import settled_by_wording
from models.decision.types import RedundancyType
from models.parameters import Encoder
from models.semantic.encoder.student import Student
from tasks.encode.embeddings import encoder
from tasks.parallel.map_parts import map_rows
from tasks.parallel.runners import share
from tasks.pipeline.registry import REWRITE
from tasks.quality.enforce_contracts import hold
from tasks.runtime.run import Run
from tasks.storage.document_store import Texts, texts_at_hand
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan
from tasks.verify.batching import batches

BATCH = 1024
"""Pairs that are compared at a time; what is known of their texts takes some 10 kB a text."""
_SHOWN = {"cover": "cover_low", "worst_sentence": "worst_sentence_low", "same": "same_low"}


class Rewritten(NamedTuple):
    """Tables of this stage: pairs that say the same, and all removals, those by wording among them."""

    rewrites: TableRef
    removals: TableRef


@task(task_run_name="find rewrites")
def find_rewrites(
    run: Run,
    documents: TableRef,
    verified: TableRef,
    survivors: TableRef,
    neighbours: TableRef,
) -> Rewritten:
    """Compare neighbours in meaning, and remove what says the same as a fuller text if that is asked for.

    Args:
        run: its `meaning` section says from which probability, and what is done.
        documents: working documents, and live ones among the neighbours; what is published stays.
        verified: pairs compared by wording; where that settles what they are, they are no rewrites.
        survivors: removals by wording.
        neighbours: pairs to compare.
    """
    meaning, extract, verify = run.parameters.meaning, run.parameters.extract, run.parameters.verify
    inputs = [documents, verified, survivors, neighbours]
    recipe = [shipped().fingerprint]
    stages = [
        Stage(run, REWRITE, inputs, meaning, extract, verify, extra=recipe, table=name)
        for name in ("rewrites", "removals")
    ]
    listed, removals = stages
    with listed, removals:
        if not all(stage.finished for stage in stages):
            pairs = _compared(run, verified, neighbours)
            with listed.progress(pairs.height, unit="pairs") as bar:
                found = [pl.DataFrame(schema=REWRITES.schema)]
                ends = pl.concat([pairs["a"], pairs["b"]])
                several = (some for near in batches(pairs) for some in near.iter_slices(BATCH) if some.height)
                with texts_at_hand(listed, documents, ends) as texts:
                    for some, likely in map_rows(listed, partial(_examined, share(run), texts), several):
                        found.append(likely)
                        bar.advance(some)
            told = REWRITES.shape(pl.concat(found).sort("a", "b"))
            listed.write(0, told)
            listed.counts = {"pairs_in": neighbours.rows, "pairs_out": told.height}
            gone = _removed(run, documents, survivors, told) if meaning.action == "remove" else []
            removals.write(0, pl.concat([scan(survivors).collect(), *gone]).sort("doc"))
    tables = {"rewrites": listed.ref, "removals": removals.ref, "survivors": survivors, "documents": documents}
    hold(run, REWRITE, **tables)
    return Rewritten(listed.ref, removals.ref)


def _compared(run: Run, verified: TableRef, neighbours: TableRef) -> pl.DataFrame:
    """Neighbours but for the pairs that the check by wording has settled."""
    apart = scan(verified).filter(settled_by_wording(run.parameters.verify)).select("a", "b")
    return scan(neighbours).join(apart, on=["a", "b"], how="anti").sort("a", "b").collect()


@lru_cache(maxsize=1)
def _with_word_vectors(parameters: Encoder, threads: int) -> tuple[Student, NDArray[np.float32]]:
    """The encoder of a run with its word vectors, made once per process."""
    student = encoder(parameters, threads)
    if not isinstance(student, Student):
        raise TypeError(f"{student.name} has no vectors for single words")
    return student, word_vectors(student)


def _examined(run: Run, texts: Texts, pairs: pl.DataFrame) -> tuple[int, pl.DataFrame]:
    """The number of some pairs, and rows of `rewrites` for those that are likely enough."""
    student, vectors = _with_word_vectors(run.parameters.encoder, run.threads)
    bars = run.parameters.meaning
    a, b = pairs["a"].to_numpy(), pairs["b"].to_numpy()
    used, place = np.unique(np.concatenate([a, b]), return_inverse=True)
    here = pl.Series([texts[int(doc)] for doc in used], dtype=pl.String)
    one, other = place[: len(a)], place[len(a) :]
    held, least = bags(here, student.vocabulary), bars.min_probability
    p, features = examine(held, vectors, pairs["cosine"].to_numpy(), one, other, least)
    measures = {name: pl.Series(features[:, FEATURES.index(column)]) for name, column in _SHOWN.items()}
    likely = p >= least
    rows, in_prose = np.unique(np.concatenate([one[likely], other[likely]])), np.zeros(len(here), np.bool_)
    in_prose[rows] = is_english_prose(here.gather(rows))
    likely &= in_prose[one] & in_prose[other]
    left = left_over_cosine(student, here.gather(one[likely]), here.gather(other[likely]))
    examined = pairs.with_columns(p_same=pl.Series(p), **measures).filter(likely)
    compared = examined.with_columns(left=pl.Series(left).fill_nan(None))
    return pairs.height, compared.filter(pl.col("left").is_null() | (pl.col("left") >= bars.min_left_cosine))


def _removed(run: Run, documents: TableRef, survivors: TableRef, rewrites: pl.DataFrame) -> list[pl.DataFrame]:
    """Rows of `removals` for what goes in favour of a fuller text; nothing that others went in favour of."""
    if rewrites.is_empty():
        return []
    ends = pl.concat([rewrites["a"], rewrites["b"]]).unique().to_frame("doc").lazy()
    leaned_on = scan(survivors).select("survivor").collect()["survivor"]
    place = {source: index for index, source in enumerate(run.parameters.extract.source_priority)}
    claims = scan(documents).join(ends, on="doc", how="semi").select(
        "doc",
        "n_chars",
        guarded=pl.col("protected") | pl.col("published") | pl.col("doc").is_in(leaned_on.implode()),
        tier=pl.col("source").replace_strict(place, default=len(place), return_dtype=pl.Int64),
    )  # fmt: skip
    chosen = rewrite_removals(rewrites, claims.collect())
    pair = chosen.with_columns(a=pl.min_horizontal("doc", "survivor"), b=pl.max_horizontal("doc", "survivor"))
    found = pair.join(rewrites, on=["a", "b"])
    told = found.with_columns(
        type=pl.lit(RedundancyType.P), stage=pl.lit("meaning"), p_dup="p_same",
        **dict.fromkeys(("similarity", "containment", "p_final"), pl.lit(None, pl.Float32)),
        **dict.fromkeys(("judge_source", "judge_label"), pl.lit(None, pl.String)),
    )  # fmt: skip
    return [REMOVALS.shape(told)]
