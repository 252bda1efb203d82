"""Which pairs a language model is asked about, and how its word and the network's are weighed: `eq:ensemble`."""

import math

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from models.decision.llm_judge.prompt import LABELS
from models.parameters import Parameters

DISTINCT = LABELS.index("distinct")


def confidence_auto(sigma: ArrayLike) -> NDArray[np.float32]:
    """`eq:conf` of the network: 1 - 2 sigma, float32[n] in [0, 1], of standard deviations in [0, 0.5]."""
    confidence: NDArray[np.float32] = np.maximum(np.float32(0), 1 - 2 * np.asarray(sigma, np.float32))
    return confidence


def confidence_llm(p: ArrayLike) -> NDArray[np.float32]:
    """`eq:conf` of the language model: 2 |p_LLM - 0.5|, float32[n] in [0, 1]; NaN where it gave no verdict."""
    confidence: NDArray[np.float32] = 2 * np.abs(np.asarray(p, np.float32) - np.float32(0.5))
    return confidence


def p_llm(probability: NDArray[np.float32]) -> NDArray[np.float32]:
    """Probability that one of the two may go: that of "duplicate" and "contained" together.

    Args:
        probability: float32[n, 3] over `LABELS` (`eq:llm_judge`); a row of NaN is no verdict.

    Returns:
        float32[n], NaN where there is no verdict.
    """
    p: NDArray[np.float32] = np.delete(probability, DISTINCT, axis=1).sum(1).clip(0, 1)
    return p


def ensemble(p_dup: ArrayLike, sigma: ArrayLike, p_llm: ArrayLike) -> NDArray[np.float32]:
    """`eq:ensemble`: both probabilities, each weighed by its confidence.

    Args:
        p_dup: float32[n], the network's mean probability.
        sigma: float32[n], its standard deviation (`eq:uncertainty`).
        p_llm: float32[n], the language model's, NaN where it gave no verdict.

    Returns:
        float32[n]: p_final; p_dup where there is no verdict, and where neither has any confidence.
    """
    automatic = np.asarray(p_dup, np.float32)
    known = np.nan_to_num(np.asarray(p_llm, np.float32), nan=0.5)
    auto, llm = confidence_auto(sigma), confidence_llm(known)
    total = auto + llm
    fused = (auto * automatic + llm * known) / np.where(total > 0, total, 1)
    return np.where((llm > 0) & (total > 0), fused, automatic).astype(np.float32)


def borderline(parameters: Parameters) -> pl.Expr:
    """Is the network unsure of a pair, or its probability between the bars? Never where all words are the same."""
    bars, conf_auto = parameters.verify, 1 - 2 * pl.col("sigma")
    between = pl.col("p_dup").is_between(bars.sure_distinct, bars.sure_duplicate, closed="none")
    equal = (pl.col("typographic") == 0) & (pl.col("aligned_a") == 1) & (pl.col("aligned_b") == 1)
    return ((conf_auto < parameters.judge.below) | between) & ~equal


def route(pairs: pl.DataFrame, parameters: Parameters, candidates: int | None = None) -> pl.DataFrame:
    """Choose the pairs to ask about: `borderline` ones, the most uncertain first, within the budget.

    Args:
        pairs: rows of `verified` with `text_hash_a` and `text_hash_b`; those not `borderline` may be missing.
        parameters: `judge` gives the budget, a share of the candidate pairs and a number, and the bar.
        candidates: how many candidate pairs there are in all, where `pairs` holds only some of them.

    Returns:
        At most floor(max_share x candidates) and max_pairs rows, in the order in which to ask: by falling sigma, then
        by how near p_dup is to one half, then by the hashes of the texts.
    """
    # 0.29 x 100 is 28.999999999999996.
    share = math.floor(round(parameters.judge.max_share * (pairs.height if candidates is None else candidates), 6))
    hashes = pl.col("text_hash_a"), pl.col("text_hash_b")
    order = (-pl.col("sigma"), (pl.col("p_dup") - 0.5).abs(), pl.min_horizontal(*hashes), pl.max_horizontal(*hashes))
    return pairs.filter(borderline(parameters)).sort(*order).head(min(share, parameters.judge.max_pairs))
