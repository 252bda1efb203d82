"""Known fragments: passages are rated and placed beside what earlier nights found of them."""

from collections import ChainMap
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple, cast

import polars as pl

from data_contracts.schemas import FRAGMENTS, SPANS
from models.lexical.fragments.nesting import within
from tasks.parallel.map_parts import map_rows
from tasks.resolve.altered_copies import find_altered
from tasks.resolve.fragments.cuts import place, wholes, without_surroundings
from tasks.resolve.fragments.virality import RATED, Corpus, Parts, rate
from tasks.resolve.fragments.windows import Reads
from tasks.storage.document_store import texts_at_hand
from tasks.storage.spill import spilled
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef


class Known(NamedTuple):
    """Fragments that were published before.

    Attributes:
        fragments: rows of `fragments` near the documents that are searched.
        free: first number of a new one.
        standing: numbers of those of which a published document that stays holds a whole copy.
        due: numbers of those that are rated again, since all their published hosts are searched.
    """

    fragments: pl.DataFrame
    free: int
    standing: pl.Series
    due: pl.Series


def nothing_known(free: int) -> Known:
    """What `curate` knows of fragments before it searches."""
    nobody = pl.Series("fragment", [], pl.Int64)
    return Known(pl.DataFrame(schema=FRAGMENTS.schema), free, nobody, nobody)


class Rated(NamedTuple):
    """Passages that were judged.

    Attributes:
        found: rows of `fragments` of the passages that were searched, known ones first.
        every: the same and known ones of which a copy stands elsewhere.
        parts: where they stand, and what may be cut there.
        ties: `fragment`, `doc`, `tie`, as `place` takes them.
        standing: numbers of those of which a copy stands elsewhere.
    """

    found: pl.DataFrame
    every: pl.DataFrame
    parts: Parts
    ties: pl.DataFrame
    standing: list[int]


def rate_known(
    stage: Stage,
    corpus: Corpus,
    passages: pl.DataFrame,
    places: pl.DataFrame,
    texts: Mapping[int, str],
    known: Known,
) -> Rated:
    """Say which passages are viral.

    Args:
        stage: the table of fragments; the `fragment` section of its run counts.
        corpus: words and sources of all documents.
        passages: as `search` gives them; a known fragment keeps its number, others are numbered from `known.free` on.
        places: where they stand, likewise.
        texts: originals by document.
        known: what was rated of a known fragment stays, and holds for its parts, unless it is due.
    """
    run, over = stage.run, partial(map_rows, stage)
    bounds = run.parameters.fragment
    stored = known.fragments.select("text", number="fragment")
    named = passages.join(stored, on="text", how="left", maintain_order="left").with_columns(
        new=pl.col("number").is_null()
    )
    named = named.with_columns(pl.col("number").fill_null(known.free - 1 + pl.col("new").cum_sum().cast(pl.Int64)))
    places = places.join(named.select("fragment", "number"), on="fragment", maintain_order="left")
    parts = wholes(places.select("doc", "start", "end", fragment="number"), texts, bounds.min_chars, over)
    parts = Parts(*(spilled(stage.path, rows) for rows in parts))
    del places
    run.make_room()
    numbered = named.select(pl.col("number").alias("fragment"), pl.exclude("fragment", "number", "new"))
    fresh, ties = rate(run, corpus, numbered, parts, texts, over)
    fresh = FRAGMENTS.shape(_as_known(fresh, known, bounds.min_chars))
    found = pl.concat([fresh.filter(~named["new"]), fresh.filter(named["new"])])
    copied = known.fragments.join(known.standing.to_frame("fragment"), on="fragment", how="semi", maintain_order="left")
    every = pl.concat([found, FRAGMENTS.shape(copied.join(found, on="fragment", how="anti", maintain_order="left"))])
    return Rated(found, every, parts, ties, copied["fragment"].to_list())


@contextmanager
def placed_spans(
    stage: Stage, documents: TableRef, reads: Reads, rated: Rated, texts: Mapping[int, str], guarded: pl.Series
) -> Iterator[tuple[pl.DataFrame, Mapping[int, str]]]:
    """Say where passages are cut, altered copies of them and those within longer ones included.

    Args:
        stage: see `rate_known`.
        documents: those that are searched.
        reads: see `find_altered`.
        rated: what is viral.
        texts: originals by document, of those where passages stand.
        guarded: documents that are not cut.

    Yields:
        Rows of `fragment_spans` without text, and the originals of all documents in them.
    """
    _, every, parts, ties, standing = rated
    bounds, over = stage.run.parameters.fragment, partial(map_rows, stage)
    parts = without_surroundings(parts, every, bounds.min_chars)
    altered = find_altered(stage, reads, every, parts, texts, guarded)
    with texts_at_hand(stage, documents, altered["doc"]) as more:
        both = ChainMap(*(cast("MutableMapping[int, str]", some) for some in (texts, more)))
        spans = place(bounds, every, parts, both, guarded, ties, standing, over, altered)
        yield spans.cast(SPANS.schema), both


def _as_known(fresh: pl.DataFrame, known: Known, min_chars: int) -> pl.DataFrame:
    """Passages with what was rated before of the known fragment in which they stand, if any: that with most hosts.

    Where that one is due, what was found tonight stands; its next rating waits for twice the hosts that it has had.
    """
    before = known.fragments
    if before.is_empty():
        return fresh
    told = ("hosts", *RATED)
    part, holder = within(fresh["text"], before["text"], min_chars)
    stored = before.select(pl.col("fragment").alias("known"), *(pl.col(name).alias(f"{name}_known") for name in told))
    held = pl.DataFrame({"fragment": fresh["fragment"].gather(part)}).hstack(stored[holder])
    itself = pl.col("known") == pl.col("fragment")
    ranked = held.sort(itself, "hosts_known", "known", descending=[True, True, False])
    best = ranked.unique("fragment", keep="first", maintain_order=True)
    joined = fresh.join(best, on="fragment", how="left", maintain_order="left")
    again = pl.col("known").is_in(known.due.implode())
    joined = joined.with_columns(
        rated_hosts=pl.when(again).then(pl.max_horizontal("rated_hosts", "hosts_known")).otherwise("rated_hosts")
    )
    rated = pl.col("action_known").is_not_null() & ~again
    return joined.with_columns(pl.when(rated).then(f"{name}_known").otherwise(name).alias(name) for name in RATED)
