"""What a pair of documents is: redundancy type, probability and which of the two may go.

This is the seat of cascade stage 4: rules on the text (`models.decision.rules.thresholds`) and the verification network
meet here and turn the evidence on a pair into `type`, `p_dup` and `verdict`; the rest of the workflow knows only these
columns.
"""

import numpy as np
import polars as pl

from models.decision.rules.survivors import settle
from models.decision.rules.thresholds import (
    SHORT,
    faithful,
    few_places,
    form,
    may_go,
    one_sided,
    same_words,
    type_by_fixed_thresholds,
    type_by_rules,
    volatile_only,
)
from models.parameters import Parameters, Verify

EITHER, IN_A, IN_B = "either", "b_in_a", "a_in_b"
VARIANT, DISTINCT = "variant", "distinct"
REMOVES = (EITHER, IN_A, IN_B)
STEEPNESS = 20.0
"""Of the logistic that stands in for a probability where no network judges: 0.1 above a threshold gives 0.88."""
SURE = 2.0
"""Standard deviations of `eq:uncertainty` by which the network must clear a bar to overrule a rule."""


def judge(found: pl.DataFrame, parameters: Parameters) -> pl.DataFrame:
    """Say what each pair is: by rules on the text, and by the network where it is there.

    With `decider` network the rules decide, and the network overrules them: to remove what a rule keeps it must be
    sure (`eq:uncertainty`), to keep what a rule removes its doubt is enough. With `decider` paper it decides by
    itself, at the threshold of `eq:margin`. In neither case may it let a pair pass whose facts or sentences differ
    more than a rule allows: the check on the text is for safety.

    Args:
        found: what `measure` gives, one row per pair a < b; for the network also its `p_dup`, `sigma` and `tau`.
        parameters: thresholds per type.

    Returns:
        The same with `type` (A to D, F, `variant` or `none`), `verdict`, and, where no network judged, `p_dup`
        (logistic in the distance from the threshold, not calibrated), `sigma` (0) and `tau` (0.5).
    """
    bars = parameters.verify
    fixed = bars.decider == "fixed"
    ruled = type_by_fixed_thresholds(bars) if fixed else type_by_rules(bars, parameters.containment)
    typed = found.with_columns(type=ruled, **_goers(bars))
    if bars.decider in ("rules", "fixed"):
        told = {"p_dup": _probability(bars), "sigma": pl.lit(0, pl.Float32), "tau": pl.lit(0.5, pl.Float32)}
        typed = typed.with_columns(**told)
    else:
        typed = typed.with_columns(type=_by_network(parameters))
    return settled(typed, bars)


def _goers(bars: Verify) -> dict[str, pl.Expr]:
    """Columns `goes_a` and `goes_b`: may this side go, as far as its content is concerned?"""
    every = pl.lit(bars.decider == "fixed")  # its content is not looked for
    return {f"goes_{side}": every | may_go(bars, side) for side in ("a", "b")}


def settled(typed: pl.DataFrame, bars: Verify) -> pl.DataFrame:
    """Add `verdict` to typed pairs; a duplicate of which neither side may go is a look-alike."""
    held = pl.col("type").is_in(["A", "B", "C", "D"]) & ~pl.col("goes_a") & ~pl.col("goes_b")
    kept = typed.with_columns(type=pl.when(held).then(pl.lit("F")).otherwise("type"))
    return kept.with_columns(verdict=verdict_of_type(bars))


def _by_network(parameters: Parameters) -> pl.Expr:
    """Type of a pair after the network had its say."""
    bars = parameters.verify
    if bars.decider == "paper":
        accepted, refused = pl.col("p_dup") >= pl.col("tau"), pl.col("p_dup") < pl.col("tau")
    else:
        accepted = pl.col("p_dup") - SURE * pl.col("sigma") >= bars.sure_duplicate
        refused = pl.col("p_dup") <= bars.sure_distinct
    removed = pl.col("type").is_in(["A", "B", "C", "D"])
    if bars.decider == "network":
        # On two short texts it knows less than chance: what their letters and facts say stands.
        accepted, refused = accepted & ~SHORT, refused & ~SHORT
    # The network knows no volatile places and takes two stamps for two records.
    refused = refused & ~volatile_only(bars)
    return overruled(removed, accepted, refused, form(parameters.containment.min_ratio, bars.tau_b), parameters)


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
        pl.when(removed & refused).then(pl.lit("F"))
        .when(~removed & accepted & _safe(parameters)).then(duplicate)
        .otherwise("type")
    )  # fmt: skip


def _safe(parameters: Parameters) -> pl.Expr:
    """Do the texts differ so little, above all in facts, that an opinion may remove one of them?"""
    bars = parameters.verify
    if bars.decider == "fixed":  # Facts are not looked for.
        return pl.lit(False)
    alike = one_sided(parameters.containment.min_ratio) | ((pl.col("share") >= bars.min_share) & few_places(bars))
    content = pl.col("goes_a") | pl.col("goes_b")
    return (faithful(bars) & alike & content) | same_words(bars)


def verdict_of_type(bars: Verify) -> pl.Expr:
    """What may go, by the type of a pair and by whose content stands in the other (`goes_a`, `goes_b`)."""
    variant = EITHER if bars.remove_semantic_variants else VARIANT
    inside_b = (pl.col("ratio_a") >= pl.col("ratio_b")) & pl.col("goes_a")
    copies = pl.col("type").is_in(["A", "B", "C"])
    return (
        pl.when(copies & pl.col("goes_a") & pl.col("goes_b")).then(pl.lit(EITHER))
        .when(copies & pl.col("goes_a")).then(pl.lit(IN_B))
        .when(copies & pl.col("goes_b")).then(pl.lit(IN_A))
        .when((pl.col("type") == "D") & (inside_b | ~pl.col("goes_b"))).then(pl.lit(IN_B))
        .when(pl.col("type") == "D").then(pl.lit(IN_A))
        .when(pl.col("type") == "variant").then(pl.lit(variant))
        .otherwise(pl.lit(DISTINCT))
    )  # fmt: skip


def measure(found: pl.DataFrame) -> pl.DataFrame:
    """Add what rules and network go by to the evidence on pairs.

    Args:
        found: the columns of `models.decision.evidence.pair_evidence` and `cosine`, one row per pair.

    Returns:
        The evidence with `share` (of the mass of the text that has more of its own), `content` (the same for prose
        alone), `edits` and `facts` (mass of changed words and facts over the shared mass), `ratio_a` and `ratio_b`
        (containment).
    """
    shared = pl.col("shared_mass").clip(1e-6)
    rest = pl.max_horizontal("rest_mass_a", "rest_mass_b")
    prose = pl.max_horizontal("rest_prose_a", "rest_prose_b")
    # Shingles of the two lanes never meet, so a short text in a long one is measured by its aligned words.
    mixed = (pl.col("containment_a") + pl.col("containment_b") == 0) & ~SHORT
    return found.with_columns(
        share=shared / (shared + rest),
        content=shared / (shared + prose),
        edits=pl.col("edited_mass") / shared,
        facts=pl.col("fact_mass") / shared,
        ratio_a=pl.when(mixed).then("aligned_a").otherwise("containment_a"),
        ratio_b=pl.when(mixed).then("aligned_b").otherwise("containment_b"),
    )


def _probability(bars: Verify) -> pl.Expr:
    """Logistic in how far the deciding measure is above its threshold; every accepted pair lies above one half."""
    kind = pl.col("type")
    measure = (
        pl.when(kind == "C").then(pl.col("skeleton_similarity") - bars.tau_c)
        .when(kind == "B").then(pl.col("share") - bars.tau_b)
        .when(kind == "D").then(pl.max_horizontal("ratio_a", "ratio_b") - 0.9)
        .when(kind == "A").then(pl.max_horizontal("own_a", "own_b") - bars.tau_a)
        .otherwise(pl.min_horizontal(pl.col("content") - bars.tau_b, bars.max_edits - pl.col("edits"), -0.01))
    )  # fmt: skip
    return (1 / (1 + (measure * -STEEPNESS).exp())).cast(pl.Float32)


def edges(judged: pl.DataFrame) -> pl.DataFrame:
    """Directed permissions `loser`, `winner`, `score` out of judged pairs (`a`, `b`, `verdict`, `p_dup`)."""
    forward = judged.filter(pl.col("verdict").is_in([EITHER, IN_B])).select(loser="a", winner="b", score="p_dup")
    backward = judged.filter(pl.col("verdict").is_in([EITHER, IN_A])).select(loser="b", winner="a", score="p_dup")
    return pl.concat([forward, backward])


def survivors(permissions: pl.DataFrame, claims: pl.DataFrame) -> pl.DataFrame:
    """Settle who stays.

    Args:
        permissions: what `edges` gives.
        claims: one row per document in the order of `doc`: `doc`, `protected` (never goes), `tier` (protected and
            source, lower is better), `published` (comes before those that are not), `completeness` (higher is better).
            Among documents of equal claim the one in whose favour most others may go comes first: it holds most of what
            they say, and were it to go, those that resemble nothing else would stay. Then the more complete, then the
            earlier.

    Returns:
        `doc`, `survivor` (int64, null where the document is kept), in the order of `doc`.
    """
    guarded = claims.filter("protected")["doc"]
    permissions = permissions.filter(~pl.col("loser").is_in(guarded.implode()))
    supported = permissions.group_by(doc="winner").agg(support=pl.col("loser").n_unique())
    ranked = (
        claims.join(supported, on="doc", how="left", maintain_order="left")
        .with_row_index("place")
        .sort(
            "tier",
            ~pl.col("published"),
            pl.col("support").fill_null(0).cast(pl.Int64).neg(),
            pl.col("completeness").neg(),
            "doc",
        )
        .with_row_index("rank")
        .sort("place")
    )
    doc = ranked["doc"].to_numpy()
    loser, winner = (np.searchsorted(doc, permissions[side].to_numpy()) for side in ("loser", "winner"))
    rank, tier = (ranked[name].cast(pl.Int64).to_numpy() for name in ("rank", "tier"))
    chosen = settle(len(doc), rank, loser, winner, permissions["score"].to_numpy(), tier)
    named = np.where(chosen < 0, -1, doc[chosen]) if len(doc) else chosen
    survivor = pl.Series("survivor", named)
    return pl.DataFrame({"doc": ranked["doc"], "survivor": survivor.set(survivor < 0, None)})


def orphans(judged: pl.DataFrame, claims: pl.DataFrame) -> pl.DataFrame:
    """Pairs a < b, not judged yet, of a kept document and the survivor of a document that it matched.

    Star links and the refusal to chain leave such documents standing although a direct check would remove them.
    """
    permissions = edges(judged)
    settled = survivors(permissions, claims)
    kept = settled.filter(pl.col("survivor").is_null()).select(loser="doc")
    proposed = (
        permissions.join(kept, on="loser", how="semi")
        .join(settled.drop_nulls("survivor"), left_on="winner", right_on="doc")
        .select(
            a=pl.min_horizontal("loser", "survivor"),
            b=pl.max_horizontal("loser", "survivor"),
        )
        .filter(pl.col("a") < pl.col("b"))
        .unique()
    )
    return proposed.join(judged, on=["a", "b"], how="anti").sort("a", "b")
