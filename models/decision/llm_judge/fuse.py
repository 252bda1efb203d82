"""The judge's say: what a language model answers about borderline pairs, fused with what automation found."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.llm_judge.ensemble import confidence_llm, ensemble, p_llm
from models.decision.llm_judge.prompt import LABELS, VERSION, Query
from models.decision.rules.thresholds import form
from models.decision.rules.verdict import overruled, settled
from models.decision.types import REMOVES, RedundancyType
from models.parameters import Parameters

PROBABILITIES = tuple(f"p_{label}" for label in LABELS)
"""Columns with the answer, float32 each, over `LABELS` (`eq:llm_judge`); all three NaN or null where none came."""


class Backend(Protocol):
    """Whoever answers."""

    @property
    def model(self) -> str:
        """What answers, in one word: named in audit rows and in the keys of cached verdicts."""

    def ask(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        """Judge pairs, float32[n, 3] over `LABELS`; rows sum to 1, and a row of NaN says that no verdict came.

        An error that concerns single pairs is never raised: it is no verdict, for the next run to ask again.
        """


def fused(asked: pl.DataFrame, parameters: Parameters) -> pl.DataFrame:
    """Let the answers tell on the pairs, by `eq:ensemble` and never against the check on the text.

    With p_final in the place of p_dup: from `verify.sure_duplicate` on it removes what automation keeps, where the
    facts allow it; up to `verify.sure_distinct` it keeps what automation removes; in between automation stands.

    Args:
        asked: rows of `verified` with the columns `PROBABILITIES`, and in `judge_model` who was asked.
        parameters: bars of the verdict.

    Returns:
        The same rows without `PROBABILITIES`, with `judge_label` (str), `judge_p` (p_LLM), `judge_confidence`
        (conf_LLM), `p_final` (float32), `judge_prompt` and `judge_source` (str), and with `type` and `verdict` as they
        are now. Where no answer came all of the `judge_…` and p_final are null, and the rest is as it was.
    """
    answers = asked.select(pl.col(PROBABILITIES).cast(pl.Float32).fill_null(float("nan"))).to_numpy()
    p = p_llm(answers)
    given = np.isfinite(p)
    found: dict[str, pl.Series | pl.Expr] = {
        "judge_label": pl.Series(np.array(LABELS)[np.where(given[:, None], answers, 0).argmax(1)], dtype=pl.String),
        "judge_p": pl.Series(p, dtype=pl.Float32),
        "judge_confidence": pl.Series(confidence_llm(p), dtype=pl.Float32),
        "p_final": pl.Series(ensemble(asked["p_dup"], asked["sigma"], p), dtype=pl.Float32),
        "judge_model": pl.col("judge_model"),
        "judge_prompt": pl.lit(VERSION),
        "judge_source": pl.lit("model"),
    }
    answered = pl.lit(pl.Series(given, dtype=pl.Boolean))
    told = asked.drop(PROBABILITIES).with_columns(**found)
    typed = told.with_columns(pl.when(answered).then(pl.col(*found))).with_columns(type=_type(parameters))
    return settled(typed, parameters.verify)


def changeable(parameters: Parameters) -> pl.Expr:
    """Could an answer beyond doubt change what becomes of a pair? Of `verified` rows; about others nobody need ask."""
    bars, conf_auto = parameters.verify, (1 - 2 * pl.col("sigma")).clip(0)
    highest, lowest = (conf_auto * pl.col("p_dup") + 1) / (conf_auto + 1), conf_auto * pl.col("p_dup") / (conf_auto + 1)
    changed = overruled(
        removed=pl.col("verdict").is_in(REMOVES),
        accepted=highest >= bars.sure_duplicate,
        refused=lowest <= bars.sure_distinct,
        duplicate=form(parameters.containment.min_ratio, bars.tau_b),
        parameters=parameters,
    )
    return changed != pl.col("type")


def _type(parameters: Parameters) -> pl.Expr:
    bars, ratio = parameters.verify, parameters.containment.min_ratio
    contained = (pl.col("judge_label") == "contained") & (pl.max_horizontal("ratio_a", "ratio_b") >= ratio)
    return overruled(
        removed=pl.col("verdict").is_in(REMOVES),
        accepted=(pl.col("p_final") >= bars.sure_duplicate).fill_null(False),
        refused=(pl.col("p_final") <= bars.sure_distinct).fill_null(False),
        duplicate=pl.when(contained).then(pl.lit(RedundancyType.D)).otherwise(form(ratio, bars.tau_b)),
        parameters=parameters,
    )
