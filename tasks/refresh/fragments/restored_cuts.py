"""Cuts of published documents that a refresh takes back, so that what is cut elsewhere still has a copy."""

import polars as pl

from models.lexical.fragments.nesting import within
from tasks.refresh.previous_snapshot import Base
from tasks.resolve.fragments.cuts import units_of
from tasks.storage.tables import TableRef, scan


def copies_of(base: Base, standing: TableRef) -> pl.DataFrame:
    """Published occurrences of viral fragments that were left whole: `fragment`, `doc_id`, and whether it `stands`."""
    viral = scan(base.fragments).filter(pl.col("action") == "cut").select("fragment")
    left = scan(base.fragment_spans).filter(~pl.col("cut")).select("fragment", "doc_id")
    stands = scan(standing).select("doc_id", stands=pl.lit(value=True))
    held = left.join(viral, on="fragment", how="semi").unique()
    return held.join(stands, on="doc_id", how="left").with_columns(pl.col("stands").fill_null(value=False)).collect()


def taken_back(
    base: Base, standing: TableRef, copies: pl.DataFrame, leaned_on: pl.Series, searched: pl.Series, min_chars: int
) -> pl.DataFrame:
    """Spans of published documents that are not searched and from now on are left whole: `fragment_spans` and `doc_id`.

    That is all that was cut of a document that stands for a removed one since tonight, and one document for each
    passage of which the last copy went with its document.

    Args:
        base: the published snapshot.
        standing: published documents that stay: `doc`, `doc_id`.
        copies: what `copies_of` gives; empty where none need be kept.
        leaned_on: documents that stand for removed ones.
        searched: documents that are searched tonight, where the search sees to it.
        min_chars: shortest passage.
    """
    stays = scan(standing).select("doc", "doc_id").filter(~pl.col("doc").is_in(searched.implode()))
    cuts = scan(base.fragment_spans).filter("cut").join(stays, on="doc_id").sort("fragment", "doc", "start").collect()
    lost = _lost(base, copies, cuts["fragment"].unique(), min_chars)
    ranked = _as_it_is(base, cuts.join(lost, on="fragment", how="semi", maintain_order="left"))
    last = ranked.unique("fragment", keep="first", maintain_order=True)["doc"]
    whole = pl.col("doc").is_in(last.implode()) | pl.col("doc").is_in(leaned_on.implode())
    back = cuts.filter(whole)["doc"].unique()
    every = scan(base.fragment_spans).join(stays, on="doc_id").filter(pl.col("doc").is_in(back.implode()))
    return every.with_columns(cut=pl.lit(value=False)).collect()


def _as_it_is(base: Base, cuts: pl.DataFrame) -> pl.DataFrame:
    """Cuts by fragment, before altered copies of it those that hold it as it is."""
    passages = scan(base.fragments).select("fragment", passage="text").collect()
    told = cuts.hstack(units_of(cuts["text"].to_list()).select("written"))
    exact = pl.col("passage").str.contains(pl.col("written"), literal=True)
    ranked = told.join(passages, on="fragment", maintain_order="left").sort(~exact, maintain_order=True)
    return ranked.sort("fragment", maintain_order=True).select(cuts.columns)


def _lost(base: Base, copies: pl.DataFrame, cut: pl.Series, min_chars: int) -> pl.DataFrame:
    """Of these fragments those that stood in a copy which went, and stand in none that is left: `fragment`."""
    gone = copies.filter(~pl.col("stands"))["fragment"].unique()
    if gone.is_empty():
        return pl.DataFrame({"fragment": []}, schema={"fragment": pl.Int64})
    named = scan(base.fragments).select("fragment", "text").collect()
    asked = named.filter(pl.col("fragment").is_in(cut.implode()))

    def held(holders: pl.Series) -> pl.Series:
        texts = named.filter(pl.col("fragment").is_in(holders.implode()))["text"]
        part, _ = within(asked["text"], texts, min_chars)
        return asked["fragment"].gather(part).unique()

    still = held(copies.filter("stands")["fragment"].unique())
    lost = held(gone)
    return lost.filter(~lost.is_in(still.implode())).to_frame("fragment")
