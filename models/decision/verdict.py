"""What a pair of documents is: redundancy type, probability and which of the two may go.

This is the seat of cascade stage 4. Whatever sits here (the thresholds below, later a network) turns the evidence on a
pair into `type`, `p_dup` and `verdict`; the rest of the workflow knows only these three columns.
"""

import numpy as np
import polars as pl

from models.decision.survivors import settle
from models.parameters import Parameters, Verify

EITHER, IN_A, IN_B = "either", "b_in_a", "a_in_b"
VARIANT, DISTINCT = "variant", "distinct"
REMOVES = (EITHER, IN_A, IN_B)
LOOKALIKE = 0.5
"""Pairs that share this much and differ by words inside matched sentences are look-alikes (type F)."""
STEEPNESS = 20.0
"""Of the logistic: 0.1 above a threshold gives 0.88."""


def judge(found: pl.DataFrame, parameters: Parameters) -> pl.DataFrame:
    """Add what a pair is to the evidence on it.

    What decides for long texts is where they differ. Words changed inside matched sentences (`edits`) make another
    version of the document; a template, a header or a section of its own (the rest) does not, as long as little of it
    is prose. For short texts letters decide, and a changed word counts as a slip only beside slips that are beyond
    doubt.

    Args:
        found: the columns of `models.decision.evidence` and `cosine`, one row per pair a < b.
        parameters: thresholds per type.

    Returns:
        The evidence with `share` (of the mass of the text that has more of its own), `content` (the same for prose
        alone), `edits` and `facts` (mass of changed words and facts over the shared mass), `ratio_a` and `ratio_b`
        (containment), `type`, `p_dup` (logistic in the distance from the threshold, not calibrated) and `verdict`.
    """
    bars, ratio = parameters.verify, parameters.containment.min_ratio
    measured = _measure(found)
    short, unmoved = pl.col("short"), pl.col("moved") == 0
    excused = (pl.col("typographic") > 0) & (pl.col("spelling") >= bars.min_spelling) & (pl.col("hard_facts") == 0)
    untouched = (pl.col("edited") == 0) & (pl.col("share") >= bars.min_share_c)
    perturbed = short & unmoved & (untouched | excused) & (pl.col("skeleton_similarity") >= bars.tau_c)

    def faithful_within(slack: float) -> pl.Expr:
        return ~short & (pl.col("edits") <= slack * bars.max_edits) & (pl.col("facts") <= slack * bars.max_facts)

    faithful = faithful_within(1)
    # One name changed in thirty places weighs little in a long text, and yet makes it the page of something else.
    few = (pl.col("runs") <= bars.max_places) | (pl.col("share") >= bars.whole)
    edited = faithful & few & (pl.col("share") >= bars.tau_b)
    in_b = faithful & ~edited & (pl.col("ratio_a") >= ratio) & (pl.col("ratio_b") < ratio)
    in_a = faithful & ~edited & (pl.col("ratio_b") >= ratio) & (pl.col("ratio_a") < ratio)
    whole = (pl.col("runs") <= bars.max_runs) & (pl.col("longest_run") >= bars.min_run)
    templated = (
        faithful_within(bars.slack_a)
        & ~edited
        & whole
        & (pl.col("content") >= bars.tau_a)
        & (pl.col("share") >= bars.min_share)
    )
    alike = (pl.col("share") >= LOOKALIKE) & (pl.col("edited") > 0)
    close = pl.col("cosine") >= bars.tau_semantic
    kind = (
        pl.when(perturbed).then(pl.lit("C"))
        .when(edited).then(pl.lit("B"))
        .when(in_a | in_b).then(pl.lit("D"))
        .when(templated).then(pl.lit("A"))
        .when(alike).then(pl.lit("F"))
        .when(close).then(pl.lit("variant"))
        .otherwise(pl.lit("none"))
    )  # fmt: skip
    verdict = (
        pl.when(perturbed | edited).then(pl.lit(EITHER))
        .when(in_b).then(pl.lit(IN_B))
        .when(in_a).then(pl.lit(IN_A))
        .when(templated).then(pl.lit(EITHER))
        .when(alike).then(pl.lit(DISTINCT))
        .when(close).then(pl.lit(EITHER if bars.remove_semantic_variants else VARIANT))
        .otherwise(pl.lit(DISTINCT))
    )  # fmt: skip
    return measured.with_columns(type=kind, verdict=verdict, p_dup=_probability(kind, bars)).drop("short")


def _measure(found: pl.DataFrame) -> pl.DataFrame:
    shared = pl.col("shared_mass").clip(1e-6)
    rest = pl.max_horizontal("rest_mass_a", "rest_mass_b")
    prose = pl.max_horizontal("rest_prose_a", "rest_prose_b")
    # Shingles of the two lanes never meet, so a short text in a long one is measured by its aligned words.
    mixed = (pl.col("containment_a") + pl.col("containment_b") == 0) & pl.col("skeleton_similarity").is_nan()
    return found.with_columns(
        short=pl.col("skeleton_similarity").is_not_nan(),
        share=shared / (shared + rest),
        content=shared / (shared + prose),
        edits=pl.col("edited_mass") / shared,
        facts=pl.col("fact_mass") / shared,
        ratio_a=pl.when(mixed).then("aligned_a").otherwise("containment_a"),
        ratio_b=pl.when(mixed).then("aligned_b").otherwise("containment_b"),
    )


def _probability(kind: pl.Expr, bars: Verify) -> pl.Expr:
    """Logistic in how far the deciding measure is above its threshold; every accepted pair lies above one half."""
    measure = (
        pl.when(kind == "C").then(pl.col("skeleton_similarity") - bars.tau_c)
        .when(kind == "B").then(pl.col("share") - bars.tau_b)
        .when(kind == "D").then(pl.max_horizontal("ratio_a", "ratio_b") - 0.9)
        .when(kind == "A").then(pl.col("content") - bars.tau_a)
        .otherwise(pl.min_horizontal(pl.col("content") - bars.tau_a, bars.max_edits - pl.col("edits"), -0.01))
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
        claims: one row per document in the order of `doc`: `doc`, `tier` (protected and source, lower is better),
            `completeness` (higher is better). Among documents of equal claim the one in whose favour most others may
            go comes first, then the earlier.

    Returns:
        `doc`, `survivor` (int64, null where the document is kept), in the order of `doc`.
    """
    supported = permissions.group_by(doc="winner").agg(support=pl.col("loser").n_unique())
    ranked = (
        claims.join(supported, on="doc", how="left", maintain_order="left")
        .with_row_index("place")
        .sort("tier", pl.col("completeness").neg(), pl.col("support").fill_null(0).cast(pl.Int64).neg(), "doc")
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
