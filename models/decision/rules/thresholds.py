"""Rules on the measures of a pair: its redundancy type, by thresholds per type or by the fixed ones of the paper."""

from typing import TypeVar

import polars as pl

from models.decision.evidence.short_texts.containment import IN_A, IN_B
from models.decision.evidence.short_texts.differences import ONLY_A, ONLY_B
from models.decision.types import RedundancyType
from models.parameters import Containment, Verify

LOOKALIKE = 0.5
"""Pairs that share this much and differ by words inside matched sentences are look-alikes (type F)."""
FIXED_JACCARD, FIXED_CONTAINMENT = 0.8, 0.9
"""The thresholds that the paper names as usual."""

SAME_WORDS = 0.9
"""Share of the words of both texts that match in order from which they are no other words for the same."""

REPLACED, PER_REPLACED = 2, 8
"""Words that may be exchanged within sentences where a text has hardly any content of its own; none may that stand on
lines of their own: they may be all it says. And words of content that many texts have which a text has for each word
that is exchanged, at least: a page under a long menu may say no more than these."""

SLIP = 0.5
"""How alike the letters of one word must be to those of the other that stands in its place in a text without any prose:
"keywords" is a slip, and "union" for "enumeration" the page of something else."""

LINE = 0.03
"""Share of its words that a text without any content of its own in prose may have to itself: a line of a list is one of
its facts, as the one that tells the page of a keyword from those of all others."""

SENTENCE = 8
"""Words of running text in a row that a text may have to itself where it lacks hardly anything else: more are no frame
of a page, which lacks its menus, too, but a sentence that another version does not say."""

ALONE = 8
"""Words of prose that few documents have which a text may lack beside the frame of a page: more of them are a section
that another version, or the passage that stays, does not have."""

RARE_RUN = 0.5
"""Part of `verify.min_run` that is enough where the own content of a text is rare, so no clause that many use."""

STAMP_WORDS = 1
"""Words in a row that one of two texts may have beyond what is volatile between them: "at", in a stamp."""

MORE = {"a": ONLY_A, "b": ONLY_B}
"""`says_more` of two short texts where one side says more than the other."""

INSIDE = {"a": IN_B, "b": IN_A}
"""`stands_in` of two texts where this side stands whole in the other."""

Number = TypeVar("Number", pl.Expr, float)  # a column, or one value of it

SHORT = pl.col("skeleton_similarity").is_not_nan()


def faithful(bars: Verify) -> pl.Expr:
    """Do two long texts say the same where they match?

    Few words may have been changed in the sentences that they share, and one exchanged fact makes another record of a
    text of any length, unless it is volatile by nature.
    """
    return same_facts() & ~SHORT & (pl.col("edits") <= bars.max_edits) & (pl.col("facts") <= bars.max_facts)


def same_facts() -> pl.Expr:
    """Do two texts agree on every number, name, negation and content word in the sentences that they share?"""
    return (pl.col("other_facts") == 0) & (pl.col("other_words") == 0)


def settled_by_wording(bars: Verify) -> pl.Expr:
    """Does what the check by wording says of two texts stand, so that nobody asks whether they say the same otherwise?

    It does where a sentence of both states another fact (another word may say the same); where they hardly have other
    words (`SAME_WORDS`), so that what differs makes another version; and where they were laid side by side and one has
    running text to itself, or what differs are the same words in other places.
    """
    aligned = pl.min_horizontal("aligned_a", "aligned_b")
    alone = pl.max_horizontal("text_run_a", "text_run_b") > bars.max_text_run
    apart = (aligned >= bars.min_aligned) & (alone | (pl.col("moved") > 0))
    return (pl.col("other_facts") > 0) | (aligned >= SAME_WORDS) | apart


def volatile_only(bars: Verify) -> pl.Expr:
    """Do two texts differ in nothing but what is volatile by nature, as a stamp or a counter?"""
    return _only_volatile() & (pl.col("share") >= bars.whole)


def _only_volatile() -> pl.Expr:
    """Is all that differs where two texts match volatile?"""
    untouched = same_facts() & (pl.col("edited") == 0) & (pl.col("moved") == 0)
    return untouched & (pl.col("volatile") > 0)


def same_words(bars: Verify) -> pl.Expr:
    """Do two short texts say the same, but for slips, disguise, words around them and what is volatile?"""
    alike = (pl.col("differences") == 0) & (pl.col("skeleton_similarity") >= bars.tau_c)
    return SHORT & (alike | volatile_only(bars))


def stands_in(bars: Verify) -> pl.Expr:
    """Does one of two short texts stand in the other, whole sentences of it, while the two do not say the same?"""
    return SHORT & (pl.col("stands_in") > 0) & ~same_words(bars)


def stands_in_by_lines() -> pl.Expr:
    """Does one of two long texts stand in the other, all its lines in their order?"""
    return ~SHORT & (pl.col("stands_in") > 0)


def type_by_rules(bars: Verify, containment: Containment) -> pl.Expr:
    """Type of a pair by thresholds per type: C, B, D, A; F for look-alikes, `variant` for paraphrases, or `none`.

    What decides for long texts is where they differ. Words changed inside matched sentences (`edits`) make another
    version of the document, and so does prose of its own; a template or a header does not (`may_go`).
    """
    edited = faithful(bars) & few_places(bars) & (pl.col("share") >= bars.tau_b)
    templated = faithful(bars) & (in_a_template(bars, "a") | in_a_template(bars, "b"))
    # What was not laid side by side was not asked for facts, either.
    aligned = pl.max_horizontal("aligned_a", "aligned_b") >= bars.min_aligned
    contained = faithful(bars) & one_sided(containment.min_ratio) & aligned
    both = may_go(bars, "a") & may_go(bars, "b")
    return (
        pl.when(same_words(bars)).then(pl.lit(RedundancyType.C))
        .when(stands_in(bars)).then(pl.lit(RedundancyType.D))
        .when(edited).then(pl.lit(RedundancyType.B))
        .when(contained & ~both).then(pl.lit(RedundancyType.D))
        .when(templated).then(pl.lit(RedundancyType.A))
        .when(contained | stands_in_by_lines()).then(pl.lit(RedundancyType.D))
        .otherwise(_unlike(bars))
    )  # fmt: skip


def type_by_fixed_thresholds(bars: Verify) -> pl.Expr:
    """Type of a pair by Jaccard 0.8 and containment 0.9 for all texts alike."""
    contained = pl.max_horizontal("ratio_a", "ratio_b") >= FIXED_CONTAINMENT
    return (
        pl.when((pl.col("jaccard") >= FIXED_JACCARD) & SHORT).then(pl.lit(RedundancyType.C))
        .when(pl.col("jaccard") >= FIXED_JACCARD).then(pl.lit(RedundancyType.B))
        .when(contained).then(pl.lit(RedundancyType.D))
        .otherwise(_unlike(bars))
    )  # fmt: skip


def may_go(bars: Verify, side: str) -> pl.Expr:
    """Does the other text say what this side of a pair says, so that it may go?

    Either nearly all of its words stand there, its own content among them, and none of its lines is exchanged or
    missing if it is all menus and code, or nearly all of its own content (`models.decision.evidence.own_content`) does
    and the rest is menus, headlines and the like. Running text that only this side has is never given up, whoever else
    has it, but for a few words here and there, less than a sentence where the text is no page in a frame; none of these
    where they are one form of a clause and the other text has another one (`models.decision.evidence.phrases`), and
    no word of its title where both have titles of a kind. Nor does one go that has its marks, accents, letters or
    key, in favour of one that lost them.
    Of what is nearly all menus no words may have been exchanged: they may be the page. A text that stands in the other
    line by line lacks nothing there, unless it is a licence and the other puts a clause between. Of two short texts the
    one that says more stays, or in which the other stands.

    Args:
        bars: what nearly all is.
        side: `a` or `b`.
    """
    no_prose = (pl.col(f"own_words_{side}") == 0) & (pl.col(f"text_run_{side}") == 0)
    no_prose &= pl.min_horizontal("aligned_a", "aligned_b") >= bars.min_aligned  # no excerpt, which ends elsewhere
    listed = (pl.col("edited") == 0) | (no_prose & (pl.col("spelling") < SLIP))
    other_words = (pl.col("replaced_words") > REPLACED) | ((pl.col("replaced_words") > 0) & listed)
    exchanged = (pl.col(f"own_words_{side}") < bars.min_own) & other_words
    of_menus = (pl.col(f"rare_words_{side}") == 0) & (pl.col("replaced_words") > REPLACED) & ~_only_volatile()
    filled = of_menus & (pl.col(f"own_words_{side}") < PER_REPLACED * pl.col("replaced_words"))
    missing = (pl.col(f"own_words_{side}") == 0) & (pl.col(f"lacking_{side}") > LINE)
    # Under a long menu all that a page says may be a hundredth of its words.
    bereft = (pl.col(f"own_words_{side}") >= bars.min_own) & ~holds_own(bars, side)
    whole = (pl.col(f"lacking_{side}") <= bars.max_lacking) & (_only_volatile() | ~(exchanged | missing | bereft))
    stamped = _only_volatile() & (pl.col(f"text_run_{side}") <= pl.col("volatile") + STAMP_WORDS)
    few = (pl.col(f"lacking_text_{side}") <= bars.max_lacking_text) | stamped
    framed = pl.col(f"lacking_{side}") > bars.max_lacking
    run = pl.when(framed).then(bars.max_text_run).otherwise(min(SENTENCE, bars.max_text_run))
    told = few & (pl.col(f"text_run_{side}") <= run) & (pl.col(f"stock_words_{side}") == 0)
    told &= (pl.col(f"title_words_{side}") == 0) & (pl.col(f"code_words_{side}") == 0) & ~filled
    told &= (pl.col(f"intact_{side}") == 0) & (~framed | (pl.col(f"alone_{side}") <= ALONE))
    inside = (pl.col("stands_in") == INSIDE[side]) & (pl.col(f"stock_words_{side}") == 0)
    long = (pl.col(f"alone_run_{side}") <= bars.max_alone) & told & (whole | holds_own(bars, side)) | inside
    short = pl.when(stands_in(bars)).then(inside)
    return pl.when(SHORT).then(short.otherwise(pl.col("says_more") != MORE[side])).otherwise(long)


def holds_own(bars: Verify, side: str) -> pl.Expr:
    """Has this side content of its own, and does nearly all of it stand in the other text?"""
    return (pl.col(f"own_words_{side}") >= bars.min_own) & (pl.col(f"own_{side}") >= bars.tau_a)


def in_a_template(bars: Verify, side: str) -> pl.Expr:
    """Is this side the content of the other, be it in a template of its own?"""
    least = least_run(bars, pl.col(f"rare_words_{side}"))
    told = (pl.col(f"aligned_{side}") >= bars.min_aligned) & (pl.col("longest_run") >= least)
    return may_go(bars, side) & holds_own(bars, side) & told


def least_run(bars: Verify, rare_words: Number) -> Number:
    """Words of the longest passage in common from which a side with so many words of rare prose is in a template."""
    return bars.min_run * (1 - (rare_words >= bars.min_own) * (1 - RARE_RUN))


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
        pl.when(SHORT).then(pl.lit(RedundancyType.C))
        .when(one_sided(ratio)).then(pl.lit(RedundancyType.D))
        .when(pl.col("share") >= whole).then(pl.lit(RedundancyType.B))
        .otherwise(pl.lit(RedundancyType.A))
    )  # fmt: skip


def few_places(bars: Verify) -> pl.Expr:
    """Do texts differ in few places, or hardly at all?

    One name changed in thirty places weighs little in a long text, and yet makes it the page of something else.
    """
    return (pl.col("runs") <= bars.max_places) | (pl.col("share") >= bars.whole)


def _unlike(bars: Verify) -> pl.Expr:
    alike = (pl.col("share") >= LOOKALIKE) & ((pl.col("edited") > 0) | ~same_facts())
    close = same_facts() & (pl.col("cosine") >= bars.tau_semantic)
    return (
        pl.when(alike)
        .then(pl.lit(RedundancyType.F))
        .when(close)
        .then(pl.lit(RedundancyType.VARIANT))
        .otherwise(pl.lit(RedundancyType.NONE))
    )
