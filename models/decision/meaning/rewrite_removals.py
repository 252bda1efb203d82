"""Removals of rewrites: the fullest of those that say the same stays, and nothing goes through a chain."""

import numpy as np
import polars as pl

from models.decision.rules.survivors import KEPT, settle


def rewrite_removals(rewrites: pl.DataFrame, claims: pl.DataFrame) -> pl.DataFrame:
    """Choose what goes.

    Args:
        rewrites: pairs `a`, `b` of kept documents with `p_same`.
        claims: one row per document of these pairs: `doc`, `guarded` (never goes: protected, or others went in its
            favour), `tier` (lower is better), `n_chars`.

    Returns:
        `doc` and `survivor` of those that go, in the order of `doc`. Every survivor stays, and was compared with what
        goes in its favour.
    """
    ranked = (
        claims.sort(~pl.col("guarded"), "tier", -pl.col("n_chars").cast(pl.Int64), "doc")
        .with_row_index("rank")
        .sort("doc")
    )
    doc = ranked["doc"].to_numpy()
    a, b = (np.searchsorted(doc, rewrites[side].to_numpy()) for side in ("a", "b"))
    loser, winner = np.concatenate([a, b]), np.concatenate([b, a])
    score = np.concatenate([rewrites["p_same"].to_numpy()] * 2).astype(np.float32)
    free = ~ranked["guarded"].to_numpy()[loser]
    rank = ranked["rank"].cast(pl.Int64).to_numpy()
    # Ranks as tiers: on the second look, too, nothing goes in favour of a text that says less.
    chosen = settle(len(doc), rank, loser[free], winner[free], score[free], rank)
    gone = chosen != KEPT
    return pl.DataFrame(
        {"doc": doc[gone], "survivor": doc[chosen[gone]]}, schema={"doc": pl.Int64, "survivor": pl.Int64}
    )
