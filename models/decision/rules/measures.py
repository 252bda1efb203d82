"""Measures of pairs that rules and network go by, from the evidence on them."""

import polars as pl

from models.decision.rules.thresholds import SHORT


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
