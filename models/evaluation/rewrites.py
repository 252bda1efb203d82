"""Score of rewrites, S_P: what goes, or would go, in favour of a text that says the same in other words.

It stands beside the paper's score and is no part of it.
"""

from typing import NamedTuple

import polars as pl

from models.decision.meaning.rewrite_removals import rewrite_removals


class RewriteScore(NamedTuple):
    """Score of the listed rewrites, as if all of them were removed.

    Attributes:
        recall: of the rewrites that could go, all but one of each group; the share that goes for one of its group.
        precision: share of what goes that goes for one of its group.
        lookalikes: share of the look-alikes (type F) that goes.
        listed: pairs.
        removed: documents that go.
    """

    recall: float
    precision: float | None
    lookalikes: float | None
    listed: int
    removed: int


def rewrite_score(truth: pl.DataFrame, rewrites: pl.DataFrame, sizes: pl.DataFrame) -> RewriteScore | None:
    """Score listed rewrites; None where the labels name none.

    Args:
        truth: doc_id, type, group_id of every labelled document; rewrites are of type P.
        rewrites: a_id, b_id, p_same.
        sizes: doc_id, n_chars; the fullest text stays.
    """
    possible = truth.filter(pl.col("type") == "P").select(pl.len() - pl.col("group_id").n_unique()).item()
    if not possible:
        return None
    told = truth.join(sizes.select("doc_id", "n_chars"), on="doc_id")
    labels = told.with_row_index("doc").with_columns(pl.col("doc").cast(pl.Int64))
    numbers = labels.select("doc_id", "doc")
    pairs = rewrites.join(numbers, left_on="a_id", right_on="doc_id").rename({"doc": "a"})
    pairs = pairs.join(numbers, left_on="b_id", right_on="doc_id").rename({"doc": "b"})
    ends = pl.concat([pairs["a"], pairs["b"]]).unique().to_frame("doc")
    claims = labels.join(ends, on="doc", how="semi").with_columns(guarded=pl.lit(value=False), tier=pl.lit(0))
    gone = rewrite_removals(pairs, claims)
    group = labels.select("doc", "type", group="group_id")
    fates = gone.join(group, on="doc").join(
        group.drop("type"), left_on="survivor", right_on="doc", suffix="_of_survivor"
    )
    right = int(fates.select(((pl.col("type") == "P") & (pl.col("group") == pl.col("group_of_survivor"))).sum()).item())
    lookalikes = labels.filter(pl.col("type") == "F").height
    wrong = fates.filter(pl.col("type") == "F").height
    return RewriteScore(
        right / possible,
        right / gone.height if gone.height else None,
        wrong / lookalikes if lookalikes else None,
        pairs.height,
        gone.height,
    )
