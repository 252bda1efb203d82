"""Human reviews of pairs, which count for more than any model and than the check on the text."""

import polars as pl

from models.decision.rules.thresholds import form
from models.decision.rules.verdict import verdict_of_type
from models.decision.types import RedundancyType
from models.parameters import Parameters


def reviewed(pairs: pl.DataFrame, parameters: Parameters) -> pl.DataFrame:
    """Decide by reviews: a duplicate may go in favour of either, what is contained in favour of the other.

    Args:
        pairs: rows of `verified` with `label` (`duplicate`, `distinct` or `contained`), which is about both documents;
            which of two is contained in the other says the larger containment ratio.
        parameters: shares from which a pair has which form.

    Returns:
        The same rows without `label`, with `type` and `verdict` as they are now, `judge_label`, `judge_p` and `p_final`
        (1 for what may go, else 0), `judge_confidence` (1) and `judge_source` (`review`).
    """
    shape = form(parameters.containment.min_ratio, parameters.verify.tau_b)
    certain = (pl.col("label") != "distinct").cast(pl.Float32)
    told = pairs.with_columns(
        judge_label="label",
        judge_p=certain,
        judge_confidence=pl.lit(1, pl.Float32),
        p_final=certain,
        judge_source=pl.lit("review"),
        type=pl.when(pl.col("label") == "distinct").then(pl.lit(RedundancyType.F))
        .when(pl.col("label") == "contained").then(pl.lit(RedundancyType.D))
        .when(shape == RedundancyType.D).then(pl.lit(RedundancyType.A))
        .otherwise(shape),
    )  # fmt: skip
    copied = pl.col("label") == "duplicate"
    allowed = told.with_columns(pl.col("goes_a") | copied, pl.col("goes_b") | copied)
    # The larger side of what is contained stays, whatever the check on the text says of either.
    contained = (pl.col("label") == "contained") & (pl.col("type") == RedundancyType.D)
    inside_a = contained & (pl.col("ratio_a") < pl.col("ratio_b"))
    directed = allowed.with_columns(
        goes_a=pl.when(contained).then(~inside_a).otherwise("goes_a"),
        goes_b=pl.when(contained).then(inside_a).otherwise("goes_b"),
    )
    return directed.with_columns(verdict=verdict_of_type()).drop("label")
