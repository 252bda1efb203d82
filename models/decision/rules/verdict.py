"""Verdict on a pair of documents: redundancy type, probability and which of the two may go.

This is the seat of cascade stage 4: rules on the text (`models.decision.rules.thresholds`) and the verification network
meet here and turn the evidence on a pair into `type`, `p_dup` and `verdict`; the rest of the workflow knows only these
columns.
"""

import polars as pl

from models.decision.rules.thresholds import (
    SHORT,
    faithful,
    few_places,
    form,
    holds_own,
    may_go,
    one_sided,
    same_words,
    stands_in_by_lines,
    type_by_fixed_thresholds,
    type_by_rules,
    volatile_only,
)
from models.decision.types import COPIES, DUPLICATES, RedundancyType, Verdict
from models.parameters import Parameters, Verify

STEEPNESS = 20.0
"""Of the logistic that stands in for a probability where no network is asked: 0.1 above a threshold gives 0.88."""


def with_verdicts(found: pl.DataFrame, parameters: Parameters) -> pl.DataFrame:
    """Say what each pair is: by rules on the text, and by the network where it is there.

    With `decider` rules the network's opinion, where it is there, is only handed on. With `decider` network its doubt
    is enough to keep what the rules remove; it removes nothing that they keep. With `decider` paper it decides alone,
    at the threshold of `eq:margin`, but may let no pair pass whose facts or sentences differ more than a rule allows:
    the check on the text is for safety.

    Args:
        found: what `measures.measure` gives, one row per pair a < b; for the network also its `p_dup`, `sigma` and
        `tau`.
        parameters: thresholds per type.

    Returns:
        The same with `type` (A to D, F, `variant` or `none`), `verdict`, and, where no network was asked, `p_dup`
        (logistic in the distance from the threshold, not calibrated, and no doubt where no opinion could remove it),
        `sigma` (0) and `tau` (0.5).
    """
    bars = parameters.verify
    typed = _ruled(found, parameters)
    told = {"p_dup": _probability(bars), "sigma": pl.lit(0, pl.Float32), "tau": pl.lit(0.5, pl.Float32)}
    if "p_dup" not in found.columns:
        return settled(typed.with_columns(**told), bars)
    hopeless = pl.when(pl.col("type").is_in(DUPLICATES)).then(1.0).otherwise(bars.sure_distinct)
    told["p_dup"] = pl.min_horizontal(told["p_dup"], hopeless).cast(pl.Float32)
    opinion = {name: pl.coalesce(name, rule) for name, rule in told.items()}
    heard = typed.with_columns(type=_by_network(parameters)) if bars.decider in ("network", "paper") else typed
    return settled(heard.with_columns(**opinion), bars)


def open_to_opinion(found: pl.DataFrame, parameters: Parameters) -> pl.Series:
    """Mask of the pairs whose type an opinion could change; with `decider` paper that of all of them.

    The network has no say on look-alikes, but how sure it is weighs in the judge's (`eq:ensemble`).

    Args:
        found: what `measures.measure` gives, one row per pair.
        parameters: thresholds per type.
    """
    if parameters.verify.decider == "paper":
        return pl.repeat(True, found.height, eager=True)
    changeable = pl.col("type").is_in(DUPLICATES) | _safe(parameters)
    return _ruled(found, parameters).select(changeable & ~SHORT).to_series()


def _ruled(found: pl.DataFrame, parameters: Parameters) -> pl.DataFrame:
    """Pairs with their `type` by the rules, and with whose content stands in the other."""
    bars = parameters.verify
    fixed = bars.decider == "fixed"
    ruled = type_by_fixed_thresholds(bars) if fixed else type_by_rules(bars, parameters.containment)
    return found.with_columns(type=ruled, **_goers(bars))


def _goers(bars: Verify) -> dict[str, pl.Expr]:
    """Columns `goes_a` and `goes_b`: may this side go, as far as its content is concerned?"""
    every = pl.lit(bars.decider == "fixed")  # its content is not looked for
    return {f"goes_{side}": every | may_go(bars, side) for side in ("a", "b")}


def settled(typed: pl.DataFrame, bars: Verify) -> pl.DataFrame:
    """Add `verdict` to typed pairs; a duplicate of which neither side may go is a look-alike."""
    held = pl.col("type").is_in(DUPLICATES) & ~pl.col("goes_a") & ~pl.col("goes_b")
    kept = typed.with_columns(type=pl.when(held).then(pl.lit(RedundancyType.F)).otherwise("type"))
    return kept.with_columns(verdict=verdict_of_type())


def _by_network(parameters: Parameters) -> pl.Expr:
    """Type of a pair after the network had its say."""
    bars = parameters.verify
    if bars.decider == "paper":
        accepted, refused = pl.col("p_dup") >= pl.col("tau"), pl.col("p_dup") < pl.col("tau")
    else:
        # What it alone would remove were footers of other pages and licences that are not the same. On two short
        # texts it knows less than chance: what their letters and facts say stands.
        accepted, refused = pl.lit(False), (pl.col("p_dup") <= bars.sure_distinct) & ~SHORT
    removed = pl.col("type").is_in(DUPLICATES)
    # The network knows no volatile places and takes two stamps for two records; nor does it know lines.
    refused = refused & ~volatile_only(bars) & ~stands_in_by_lines()
    duplicate = form(parameters.containment.min_ratio, bars.tau_b)
    return overruled(removed, accepted.fill_null(False), refused.fill_null(False), duplicate, parameters)


def overruled(
    removed: pl.Expr, accepted: pl.Expr, refused: pl.Expr, duplicate: pl.Expr, parameters: Parameters
) -> pl.Expr:
    """Type of a pair after a second opinion on it.

    Args:
        removed: bool, whether the pair counts as duplicate until now.
        accepted: bool, whether the opinion is that it is one; heard only where the check on the text allows it.
        refused: bool, whether the opinion is that it is none.
        duplicate: str, the type it then has.
        parameters: bars of the check on the text.
    """
    return (
        pl.when(removed & refused).then(pl.lit(RedundancyType.F))
        .when(~removed & accepted & _safe(parameters)).then(duplicate)
        .otherwise("type")
    )  # fmt: skip


def _safe(parameters: Parameters) -> pl.Expr:
    """Do the texts differ so little, above all in facts, that an opinion may remove one of them?"""
    bars = parameters.verify
    if bars.decider == "fixed":  # Facts are not looked for.
        return pl.lit(False)
    alike = one_sided(parameters.containment.min_ratio) | ((pl.col("share") >= bars.min_share) & few_places(bars))
    content = (pl.col("goes_a") & holds_own(bars, "a")) | (pl.col("goes_b") & holds_own(bars, "b"))
    return (faithful(bars) & alike & content) | same_words(bars)


def verdict_of_type() -> pl.Expr:
    """Verdict by the type of a pair and by whose content stands in the other (`goes_a`, `goes_b`)."""
    inside_b = (pl.col("ratio_a") >= pl.col("ratio_b")) & pl.col("goes_a")
    copies = pl.col("type").is_in(COPIES)
    return (
        pl.when(copies & pl.col("goes_a") & pl.col("goes_b")).then(pl.lit(Verdict.EITHER))
        .when(copies & pl.col("goes_a")).then(pl.lit(Verdict.IN_B))
        .when(copies & pl.col("goes_b")).then(pl.lit(Verdict.IN_A))
        .when((pl.col("type") == RedundancyType.D) & (inside_b | ~pl.col("goes_b"))).then(pl.lit(Verdict.IN_B))
        .when(pl.col("type") == RedundancyType.D).then(pl.lit(Verdict.IN_A))
        .when(pl.col("type") == RedundancyType.VARIANT).then(pl.lit(Verdict.VARIANT))
        .otherwise(pl.lit(Verdict.DISTINCT))
    )  # fmt: skip


def _probability(bars: Verify) -> pl.Expr:
    """Logistic in how far the deciding measure is above its threshold; every accepted pair lies above one half."""
    kind = pl.col("type")
    measure = (
        pl.when(kind == RedundancyType.C).then(pl.col("skeleton_similarity") - bars.tau_c)
        .when((kind == RedundancyType.D) & stands_in_by_lines()).then(pl.lit(0.1))
        .when(kind == RedundancyType.D).then(pl.max_horizontal("ratio_a", "ratio_b") - 0.9)
        .when(kind == RedundancyType.A).then(pl.max_horizontal("own_a", "own_b") - bars.tau_a)
        .when(kind.is_in(COPIES)).then(pl.col("share") - bars.tau_b)
        .otherwise(pl.min_horizontal(pl.col("content") - bars.tau_b, bars.max_edits - pl.col("edits"), -0.01))
    )  # fmt: skip
    return (1 / (1 + (measure * -STEEPNESS).exp())).cast(pl.Float32)
