"""Rules on the measures of a pair: its redundancy type, by thresholds per type or by the fixed ones of the paper."""

import polars as pl

from models.parameters import Containment, Verify

LOOKALIKE = 0.5
"""Pairs that share this much and differ by words inside matched sentences are look-alikes (type F)."""
FIXED_JACCARD, FIXED_CONTAINMENT = 0.8, 0.9
"""The thresholds that the paper names as usual."""

SHORT = pl.col("skeleton_similarity").is_not_nan()


def faithful(bars: Verify, edits: float, facts: float) -> pl.Expr:
    """Do two long texts say the same where they match? `edits` and `facts` multiply what may have been changed.

    Beyond them one exchanged fact makes another record of a text of any length, unless it is volatile by nature.
    """
    return (
        same_facts()
        & ~SHORT
        & (pl.col("edits") <= edits * bars.max_edits)
        & (pl.col("facts") <= facts * bars.max_facts)
    )


def same_facts() -> pl.Expr:
    """Do two texts agree on every number, name, negation and the like in the sentences that they share?"""
    return pl.col("other_facts") == 0


def volatile_only(bars: Verify) -> pl.Expr:
    """Do two texts differ in nothing but what is volatile by nature, as a stamp or a counter?"""
    untouched = same_facts() & (pl.col("edited") == 0) & (pl.col("moved") == 0)
    return untouched & (pl.col("volatile") > 0) & (pl.col("share") >= bars.whole)


def same_words(bars: Verify) -> pl.Expr:
    """Do two short texts say the same, but for slips of the keyboard?

    Hard facts are no slips, words in another order make another text, and a changed word counts as a slip only beside
    slips that are beyond doubt.
    """
    excused = (pl.col("typographic") > 0) & (pl.col("spelling") >= bars.min_spelling) & (pl.col("hard_facts") == 0)
    untouched = same_facts() & (pl.col("edited") == 0) & (pl.col("share") >= bars.min_share_c)
    return SHORT & (pl.col("moved") == 0) & (untouched | excused)


def type_by_rules(bars: Verify, containment: Containment) -> pl.Expr:
    """Type of a pair by thresholds per type: C, B, D, A; F for look-alikes, `variant` for paraphrases, or `none`.

    What decides for long texts is where they differ. Words changed inside matched sentences (`edits`) make another
    version of the document; a template, a header or a section of its own (the rest) does not, as long as little of it
    is prose.
    """
    perturbed = same_words(bars) & (pl.col("skeleton_similarity") >= bars.tau_c)
    edited = faithful(bars, 1, 1) & few_places(bars) & (pl.col("share") >= bars.tau_b)
    # Both pages hold the whole article, so an accidental inclusion of one in the other needs no look at the meaning.
    templated = (
        faithful(bars, bars.slack_a, bars.slack_a)
        & (pl.col("runs") <= bars.max_runs)
        & (pl.col("longest_run") >= bars.min_run)
        & (pl.col("content") >= bars.tau_a)
        & (pl.col("share") >= bars.min_share)
    )
    return (
        pl.when(perturbed).then(pl.lit("C"))
        .when(edited).then(pl.lit("B"))
        .when(templated).then(pl.lit("A"))
        .when(faithful(bars, 1, 1) & one_sided(containment.min_ratio)).then(pl.lit("D"))
        .otherwise(_unlike(bars))
    )  # fmt: skip


def type_by_fixed_thresholds(bars: Verify) -> pl.Expr:
    """Type of a pair by Jaccard 0.8 and containment 0.9 for all texts alike."""
    contained = pl.max_horizontal("ratio_a", "ratio_b") >= FIXED_CONTAINMENT
    return (
        pl.when(pl.col("jaccard") >= FIXED_JACCARD).then(pl.when(SHORT).then(pl.lit("C")).otherwise(pl.lit("B")))
        .when(contained).then(pl.lit("D"))
        .otherwise(_unlike(bars))
    )  # fmt: skip


def one_sided(ratio: float) -> pl.Expr:
    """Is one text contained in the other and not the other way round?"""
    return (pl.max_horizontal("ratio_a", "ratio_b") >= ratio) & (pl.min_horizontal("ratio_a", "ratio_b") < ratio)


def form(ratio: float, whole: float) -> pl.Expr:
    """Type that a pair would have as a duplicate, read off its measures alone.

    C where both texts are short, D where one is contained in the other and not the other way round, B where nearly all
    content of both is shared, A otherwise.

    Args:
        ratio: share of a side from which it counts as contained.
        whole: share of all content from which a pair counts as a copy with edits.
    """
    return (
        pl.when(SHORT).then(pl.lit("C"))
        .when(one_sided(ratio)).then(pl.lit("D"))
        .when(pl.col("share") >= whole).then(pl.lit("B"))
        .otherwise(pl.lit("A"))
    )  # fmt: skip


def few_places(bars: Verify) -> pl.Expr:
    """Do texts differ in few places, or hardly at all?

    One name changed in thirty places weighs little in a long text, and yet makes it the page of something else.
    """
    return (pl.col("runs") <= bars.max_places) | (pl.col("share") >= bars.whole)


def _unlike(bars: Verify) -> pl.Expr:
    alike = (pl.col("share") >= LOOKALIKE) & ((pl.col("edited") > 0) | ~same_facts())
    close = same_facts() & (pl.col("cosine") >= bars.tau_semantic)
    return pl.when(alike).then(pl.lit("F")).when(close).then(pl.lit("variant")).otherwise(pl.lit("none"))
