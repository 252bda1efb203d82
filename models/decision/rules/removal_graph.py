"""Removal graph: permissions of compared pairs, the documents that survive them, and pairs still to be compared."""

import numpy as np
import polars as pl

from models.decision.rules.survivors import settle
from models.decision.types import RedundancyType, Verdict

SLOTS = ("slot", "fill_a", "fill_b")
"""Columns of verified pairs that tell where two texts have other words, and which."""
COMPARED = ("a", "b", "verdict", "p_dup", "fuller", "general", "worn", *SLOTS)
"""Columns of compared pairs that permissions are made of."""

FAMILY = 3
"""Look-alikes that make a short text one of a family, in which a word put in or a letter makes another record; and
texts that fill in one place otherwise, by which it is a slot of a form."""

ALIKE_FILLED = 2 / 3
"""Share of the pairs of a document that differ in one place, from which that is a slot."""

LITTLE_TEXT = 2
"""Words of running text in a row, such as "read more", by which a text says no more than another one."""


def fuller() -> pl.Expr:
    """Column `fuller` of verified pairs: int8, above 0 where a says more than b, below 0 where b does.

    It is 2 where a alone has running text that the other side lacks, more than `LITTLE_TEXT` in a row, and 1 where more
    of its words are lacking there. Where both have such text, nobody knows which of the two is worth more.
    """
    text = (pl.col("text_run_a") > LITTLE_TEXT).cast(pl.Int8) - (pl.col("text_run_b") > LITTLE_TEXT).cast(pl.Int8)
    words = (pl.col("lacking_a") - pl.col("lacking_b")).sign().cast(pl.Int8)
    return pl.when(text == 0).then(words).otherwise(2 * text).alias("fuller")


def general() -> pl.Expr:
    """Column `general` of verified pairs: bool, does a short text lack but words that the other has put in?

    Not of pairs that a person has compared: what they say stands.
    """
    return (_short_by_rules() & (pl.col("says_more") > 0)).alias("general")


def worn() -> pl.Expr:
    """Column `worn` of verified pairs: bool, are two short texts copies because a word of one is a slip of another?

    Not where more than that differs, as in texts in disguise; nor of pairs that a person has compared.
    """
    replaced, forgiven = pl.col("replaced_words"), pl.col("typographic")
    slip = ((replaced > 0) & (forgiven == 0)) | ((replaced == 0) & (forgiven == 1))
    return (_short_by_rules() & slip).alias("worn")


def _short_by_rules() -> pl.Expr:
    """Are two short texts copies by the rules, and no person has said so?"""
    return (pl.col("type") == RedundancyType.C) & ~pl.col("judge_source").eq_missing("review")


def as_compared(verified: pl.LazyFrame) -> pl.LazyFrame:
    """Rows of `verified` with the columns `COMPARED`; of what a person said of a pair no slot counts."""
    told = pl.col("judge_source").eq_missing("review")
    return verified.with_columns(fuller(), general(), worn(), slot=pl.when(told).then(0).otherwise("slot")).select(
        COMPARED
    )


def edges(compared: pl.DataFrame) -> pl.DataFrame:
    """Directed permissions out of `COMPARED` of pairs.

    Returns:
        `loser`, `winner`, `score`, `more`: int8, `fuller` of the loser against the winner, `general`, and `worn`.
    """
    ways = ((Verdict.IN_B, "a", "b", pl.col("fuller")), (Verdict.IN_A, "b", "a", -pl.col("fuller")))
    return pl.concat(
        compared.filter(pl.col("verdict").is_in([Verdict.EITHER, inside])).select(
            loser=loser, winner=winner, score="p_dup", more=more, general="general", worn="worn"
        )
        for inside, loser, winner, more in ways
    )


def outside_forms(compared: pl.DataFrame) -> pl.DataFrame:
    """Compared pairs without those that differ in a slot of a form: a place where other texts have yet other words.

    Copies of one text differ each in another place, and often only in what one of them has put in. Where most of the
    texts that may go for one, or it for them, differ from it in the same place, `FAMILY` of them each in its own way,
    they are records of their own, like it: instructions that share all but what they are to be done with. Words that no
    other document has make no form, since mails sent to many end so; in a form they are as good as others.

    Args:
        compared: pairs with `SLOTS`.
    """
    places = compared.with_columns(place=pl.col("slot").abs())
    ends = pl.concat(
        places.select("slot", "place", doc=doc, fill=fill) for doc, fill in (("a", "fill_b"), ("b", "fill_a"))
    ).with_columns(pairs=pl.len().over("doc"))
    found = ends.filter(pl.col("place") != 0).group_by("doc", "place")
    fills = pl.col("fill").filter(pl.col("slot") > 0).n_unique()
    forms = found.agg(fills=fills, share=pl.len() / pl.col("pairs").first())
    forms = forms.filter(pl.col("fills") >= FAMILY, pl.col("share") >= ALIKE_FILLED).select("doc", "place")
    outside = places.join(forms, left_on=["a", "place"], right_on=["doc", "place"], how="anti")
    return outside.join(forms, left_on=["b", "place"], right_on=["doc", "place"], how="anti").drop("place")


def outside_families(permissions: pl.DataFrame, lookalikes: pl.DataFrame) -> pl.DataFrame:
    """Permissions without those that rest on a word put in, or on a slip, where one of the short texts is of a family.

    Args:
        permissions: what `edges` gives.
        lookalikes: pairs `a`, `b` of short texts, none in disguise, that one word or fact tells apart.

    Returns:
        The others, without `worn`.
    """
    ends = pl.concat([lookalikes.select(doc="a"), lookalikes.select(doc="b")])
    families = ends.group_by("doc").len().filter(pl.col("len") >= FAMILY)["doc"]
    of_a_family = pl.any_horizontal(pl.col("loser", "winner").is_in(families.implode()))
    doubtful = pl.col("general") | pl.col("worn")
    return permissions.filter(~(doubtful & of_a_family)).drop("worn")


def survivors(permissions: pl.DataFrame, claims: pl.DataFrame) -> pl.DataFrame:
    """Settle who stays.

    A short text that may go, since it only lacks words, in favour of several that all stay is what these have in
    common and a copy of none of them: "burn of the wrist" beside the right and the left one. Such permissions count
    for nothing.

    Args:
        permissions: what `edges` gives.
        claims: one row per document in the order of `doc`: `doc`, `protected` (never goes), `tier` (protected and
            source, lower is better), `published` (comes before those that are not), `completeness` (higher is better),
            `disguised` (characters in disguise), `mass` (weight of its shingles).
            Among documents of equal claim the one in whose favour most others may go comes first: were it to go, those
            that resemble nothing else would stay. Then the one that lacks no running text of most of them, then
            the more complete, then the one with no fewer words, then that with fewer characters in disguise, then that
            of less mass (slips make rare, heavy shingles), then the earlier.

    Returns:
        `doc`, `survivor` (int64, null where the document is kept), in the order of `doc`.
    """
    settled = _settled(permissions, claims)
    stay = settled.filter(pl.col("survivor").is_null())["doc"]
    of_those = permissions.filter("general", pl.col("winner").is_in(stay.implode()))
    shared = of_those.group_by("loser").agg(several=pl.col("winner").n_unique() > 1).filter("several")["loser"]
    if shared.is_empty():
        return settled
    return _settled(permissions.filter(~(pl.col("general") & pl.col("loser").is_in(shared.implode()))), claims)


def _settled(permissions: pl.DataFrame, claims: pl.DataFrame) -> pl.DataFrame:
    guarded = claims.filter("protected")["doc"]
    permissions = permissions.filter(~pl.col("loser").is_in(guarded.implode()))
    supported = permissions.group_by(doc="winner").agg(
        support=pl.col("loser").n_unique(),
        text=pl.col("loser").filter(pl.col("more") < 2).n_unique(),
        words=pl.col("loser").filter(pl.col("more") <= 0).n_unique(),
    )
    ranked = (
        claims.join(supported, on="doc", how="left", maintain_order="left")
        .with_row_index("place")
        .sort(
            "tier",
            ~pl.col("published"),
            *(pl.col(name).fill_null(0).cast(pl.Int64).neg() for name in ("support", "text")),
            pl.col("completeness").neg(),
            pl.col("words").fill_null(0).cast(pl.Int64).neg(),
            "disguised",
            "mass",
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


def orphans(compared: pl.DataFrame, claims: pl.DataFrame) -> pl.DataFrame:
    """Pairs a < b, not compared yet, of a kept document and the survivor of a document that it matched.

    Star links and the refusal to chain leave such documents standing although a direct check would remove them.
    """
    permissions = edges(compared)
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
    return proposed.join(compared, on=["a", "b"], how="anti").sort("a", "b")
