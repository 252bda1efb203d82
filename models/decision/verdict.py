"""What a pair of documents is: redundancy type, probability and which of the two may go.

This is the seat of cascade stage 4. Whatever sits here (the thresholds below, later a network) turns the evidence on a
pair into `type`, `p_dup` and `verdict`; the rest of the workflow knows only these three columns.
"""

import polars as pl

from models.decision.survivors import settle
from models.parameters import Parameters

EITHER, IN_A, IN_B = "either", "b_in_a", "a_in_b"
VARIANT, DISTINCT = "variant", "distinct"
REMOVES = (EITHER, IN_A, IN_B)


def edges(judged: pl.DataFrame) -> pl.DataFrame:
    """Directed permissions `loser`, `winner`, `score` out of judged pairs (`a`, `b`, `verdict`, `p_dup`)."""
    forward = judged.filter(pl.col("verdict").is_in([EITHER, IN_B])).select(loser="a", winner="b", score="p_dup")
    backward = judged.filter(pl.col("verdict").is_in([EITHER, IN_A])).select(loser="b", winner="a", score="p_dup")
    return pl.concat([forward, backward])


def survivors(permissions: pl.DataFrame, ranks: pl.DataFrame) -> pl.DataFrame:
    """Settle who stays: `doc`, `survivor` (int64, null where the document is kept) for every ranked document."""
    doc = ranks.sort("doc")
    place = {"loser": permissions["loser"], "winner": permissions["winner"]}
    index = {side: doc["doc"].search_sorted(column).cast(pl.Int64).to_numpy() for side, column in place.items()}
    chosen = settle(
        doc.height, doc["rank"].to_numpy(), index["loser"], index["winner"], permissions["score"].to_numpy()
    )
    names = doc["doc"].to_numpy()
    survivor = pl.Series("survivor", names[chosen]).set(pl.Series(chosen < 0), None)
    return doc.select("doc").with_columns(survivor)


def orphans(judged: pl.DataFrame, ranks: pl.DataFrame) -> pl.DataFrame:
    """Pairs a < b, not judged yet, of a kept document and the survivor of a document that it matched.

    Star links and the refusal to chain leave such documents standing although a direct check would remove them.
    """
    permissions = edges(judged)
    settled = survivors(permissions, ranks)
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
