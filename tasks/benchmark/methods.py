"""Registry of the baselines, and how each is made."""

from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from models.evaluation.baselines.dedup_lm import DedupLm
from models.evaluation.baselines.exact import Exact
from models.evaluation.baselines.exact_substring import ExactSubstring
from models.evaluation.baselines.minhash_lsh import MinHashLsh
from models.evaluation.baselines.near_dup_bert import NearDupBert
from models.evaluation.baselines.parts import cross_encoder, projection_head
from models.evaluation.baselines.protocol import Baseline
from models.evaluation.baselines.simhash import SimHash
from tasks.benchmark.vectors import embed_texts, vectors
from tasks.runtime.run import Run

Tensors = projection_head.Tensors

SEED = 0


class Method(NamedTuple):
    """A baseline.

    Attributes:
        key: as the command line names it.
        says: what it is.
        make: the baseline, from the tensors that it was fine-tuned to, if it is.
        embedded: whether it compares the teacher's vectors.
        neural: whether a network reads the pairs that it looks at one by one.
        fit: fine-tunes it to pairs (text_a, text_b, duplicate), given with their fingerprint; None where it learns
            nothing.
    """

    key: str
    says: str
    make: Callable[[Tensors], Baseline]
    embedded: bool = False
    neural: bool = False
    fit: Callable[[Run, pl.DataFrame, str], Tensors] | None = None


def _fit_head(run: Run, pairs: pl.DataFrame, source: str) -> Tensors:
    texts = pl.concat([pairs["text_a"], pairs["text_b"].rename("text_a")])
    both = vectors(embed_texts(run, texts, source))
    return projection_head.fine_tune(both[: pairs.height], both[pairs.height :], pairs["duplicate"], SEED)


def _fit_judge(run: Run, pairs: pl.DataFrame, source: str) -> Tensors:
    return cross_encoder.fine_tune(pairs, SEED)


METHODS = (
    Method("exact", "equal normalised text", lambda _: Exact()),
    Method(
        "substring", "every repeated substring is cut, in all its copies (Lee et al. 2022)", lambda _: ExactSubstring()
    ),
    Method("simhash", "64-bit SimHash within a Hamming radius", lambda _: SimHash()),
    Method(
        "minhash", "unweighted MinHash with banded LSH (datasketch), checked by exact Jaccard", lambda _: MinHashLsh()
    ),
    Method("bert", "cosine of the teacher's vectors, every pair looked at", lambda _: NearDupBert(), embedded=True),
    Method(
        "bert-tuned",
        "the same behind a layer fine-tuned on synthetic pairs",
        NearDupBert,
        embedded=True,
        fit=_fit_head,
    ),
    Method(
        "deduplm",
        "nearest by vector, classified pair by pair by a fine-tuned cross-encoder (the paper does not define it)",
        DedupLm,
        embedded=True,
        neural=True,
        fit=_fit_judge,
    ),
)


def fittable(methods: list[Method], corpus: bool) -> tuple[list[Method], list[str]]:
    """Split methods into those that can run and the keys of those that lack a corpus to learn from."""
    ready = [method for method in methods if corpus or method.fit is None]
    return ready, [method.key for method in methods if method not in ready]
