"""What a pair of documents is: redundancy type, probability and which of the two may go.

This is the seat of cascade stage 4. Whatever sits here (the thresholds below, later a network) turns the evidence on a
pair into `type`, `p_dup` and `verdict`; the rest of the workflow knows only these three columns.
"""

import numpy as np
import polars as pl

from models.decision.survivors import settle
from models.parameters import Parameters

EITHER, IN_A, IN_B = "either", "b_in_a", "a_in_b"
VARIANT, DISTINCT = "variant", "distinct"
REMOVES = (EITHER, IN_A, IN_B)


def judge(found: pl.DataFrame, parameters: Parameters) -> pl.DataFrame:
    """Add `type`, `p_dup` and `verdict` to the evidence on pairs.

    Args:
        found: the columns of `models.decision.evidence` and `cosine`, one row per pair a < b.
        parameters: thresholds per type.
    """
    bars = parameters.verify
    shared = pl.col("shared_mass")
    share_a, share_b = shared / (shared + pl.col("rest_mass_a")), shared / (shared + pl.col("rest_mass_b"))
    prose_a, prose_b = shared / (shared + pl.col("rest_prose_a")), shared / (shared + pl.col("rest_prose_b"))
    measured = found.with_columns(
        share=pl.min_horizontal(share_a, share_b).fill_nan(0),
        prose=pl.min_horizontal(prose_a, prose_b).fill_nan(0),
        fact_share=(pl.col("fact_mass") / shared.clip(1e-6)),
        short=pl.col("skeleton_similarity").is_not_nan(),
    )
    unchanged = (pl.col("changed_facts") == 0) & (pl.col("replaced") == 0) & (pl.col("moved") == 0)
    perturbed = pl.col("short") & (pl.col("skeleton_similarity") >= bars.tau_c) & unchanged
    long = ~pl.col("short")
    minor = pl.col("fact_share") <= 0.02
    edited = long & minor & (pl.col("share") >= bars.tau_b)
    templated = (
        long & minor & (pl.col("prose") >= bars.tau_a) & (pl.col("share") >= 0.3) & (pl.col("longest_run") >= 40)
    )
    ratio = parameters.containment.min_ratio
    in_b = long & minor & (pl.col("containment_a") >= ratio) & (pl.col("containment_b") < ratio)
    in_a = long & minor & (pl.col("containment_b") >= ratio) & (pl.col("containment_a") < ratio)
    variant = (pl.col("cosine") >= bars.tau_semantic) & ~(perturbed | edited | templated)
    return measured.with_columns(
        type=pl.when(perturbed)
        .then(pl.lit("C"))
        .when(in_b | in_a)
        .then(pl.lit("D"))
        .when(edited)
        .then(pl.lit("B"))
        .when(templated)
        .then(pl.lit("A"))
        .when(variant)
        .then(pl.lit("variant"))
        .otherwise(pl.lit("none")),
        verdict=pl.when(perturbed)
        .then(pl.lit(EITHER))
        .when(in_b)
        .then(pl.lit(IN_B))
        .when(in_a)
        .then(pl.lit(IN_A))
        .when(edited | templated)
        .then(pl.lit(EITHER))
        .when(variant)
        .then(pl.lit(VARIANT))
        .otherwise(pl.lit(DISTINCT)),
        p_dup=(1 / (1 + (-(pl.col("share") - bars.tau_b) * 20).exp())).cast(pl.Float32),
    )


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
