"""What is known of repeated passages and of the documents around them, and what follows: to be cut or left."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.lexical.fragments import relevance
from models.lexical.nesting import within
from models.lexical.virality import FEATURES, common_words, likeness, shipped
from models.semantic.encoder import Encoder
from tasks.embed import encoder
from tasks.progress import stage_progress
from tasks.run import Run

BATCH = 2048
"""Passages that are embedded together, and whose relevance is."""
REST_CHARS = 1000
"""Of a host without the passage; the encoder reads about half of it."""
AROUND = 120
"""Code points on either side whose wording is compared."""


class Weighed(NamedTuple):
    """What was found out.

    Attributes:
        features: `fragment` and one column for each of `FEATURES`.
        ties: `fragment`, `doc`, `tie`: how much a fragment has to do with each of the compared hosts.
    """

    features: pl.DataFrame
    ties: pl.DataFrame


def flat(texts: list[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Code points of texts one after another, and where each begins."""
    pointers = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in texts], out=pointers[1:])
    return np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32), pointers


def weigh(run: Run, passages: pl.DataFrame, places: pl.DataFrame, texts: Mapping[int, str]) -> Weighed:
    """Compare passages with their hosts, and these with each other.

    Args:
        run: its `fragment` section says how many hosts are compared.
        passages: `fragment`, `text`, `chars`, `hosts`, of those asked about.
        places: `fragment`, `doc`, `start`, `end` of all passages.
        texts: originals by document.
    """
    asked = compared(passages, places, run.parameters.fragment.relevance_hosts, run.parameters.fragment.min_chars)
    others = places.group_by("doc").agg(taken=(pl.col("end") - pl.col("start")).sum().cast(pl.Int64))
    asked = asked.join(others, on="doc", how="left", maintain_order="left")
    model = encoder(run.parameters.encoder, run.threads)
    rows = asked["row"].cast(pl.Int64).to_numpy()
    made, ties = [], [np.empty(0, np.float32)]
    with stage_progress("relevance", passages.height, unit="passages") as bar:
        for begin in range(0, passages.height, BATCH):
            here = slice(*np.searchsorted(rows, (begin, begin + BATCH)).tolist())
            batch, hosts = passages[begin : begin + BATCH], asked[here]
            figures, tie = _figures(model, batch, hosts.with_columns(pl.col("row") - begin), texts)
            made.append(figures)
            ties.append(tie)
            bar.advance(batch.height)
    schema = {"fragment": pl.Int64} | dict.fromkeys(FEATURES, pl.Float64)
    tied = asked.select(fragment=passages["fragment"].gather(asked["row"]), doc="doc", tie=np.concatenate(ties))
    return Weighed(pl.concat([pl.DataFrame(schema=schema), *made], how="vertical_relaxed"), tied)


def compared(passages: pl.DataFrame, places: pl.DataFrame, most: int, min_chars: int) -> pl.DataFrame:
    """Hosts of each passage, evenly chosen where there are more: `row` of the passage, `doc`, `start`, `end`.

    A host holds the passage by itself or inside a longer one, which then is what is left out of it.
    """
    codes, pointers = flat(passages["text"].to_list())
    named = places.select("fragment").unique().sort("fragment")
    every = passages.select("fragment", "text").join(named, on="fragment", how="semi")
    part, holder = within(codes, pointers, *flat(every["text"].to_list()), min_chars)
    held = pl.DataFrame({"row": part, "fragment": every["fragment"].gather(holder)})
    own = passages.select("fragment").with_row_index("row").cast(pl.Int64)
    pairs = pl.concat([own.select("row", "fragment"), held]).unique()
    found = pairs.join(places.select("fragment", "doc", "start", "end"), on="fragment")
    found = found.sort("row", "doc", "start").unique(["row", "doc"], keep="first", maintain_order=True)
    nth, of = pl.int_range(pl.len()).over("row"), pl.len().over("row")
    chosen = (nth + 1) * most // of > nth * most // of
    return found.filter((of <= most) | chosen).select("row", "doc", "start", "end")


def _figures(
    model: Encoder, passages: pl.DataFrame, hosts: pl.DataFrame, texts: Mapping[int, str]
) -> tuple[pl.DataFrame, NDArray[np.float32]]:
    """Features of some passages, and the cosine between each and its hosts."""
    count, row = passages.height, hosts["row"].to_numpy()
    rests, around, measured = [], [], np.empty((hosts.height, 2))
    for at, (doc, start, end, taken) in enumerate(hosts.select("doc", "start", "end", "taken").iter_rows()):
        text, size = texts[doc], end - start
        rests.append((text[: min(start, REST_CHARS)] + text[end : end + REST_CHARS])[:REST_CHARS])
        around.append(text[max(0, start - AROUND) : start] + "\n" + text[end : end + AROUND])
        measured[at] = (taken - size) / max(len(text) - size, 1), size / len(text)
    vectors = _embed(model, rests)
    vector = _embed(model, passages["text"].to_list())
    tie = (vector[row] * vectors).sum(1).astype(np.float32)
    total = np.maximum(np.bincount(row, minlength=count), 1)

    def mean(values: NDArray[np.floating]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(row, weights=values, minlength=count) / total)

    written = passages["text"]
    figures = {
        "relevance": relevance(vector, vectors, row),
        "likeness": likeness(vectors, row, count),
        "wording": common_words(*flat(around), row, count),
        "covered": mean(measured[:, 0].clip(0, 1)),
        "share": mean(measured[:, 1]),
        "hosts": passages["hosts"].log(),
        "chars": passages["chars"].log(),
        "letters": written.str.count_matches(r"[\p{L}\p{M} ]") / passages["chars"],
        "stops": written.str.count_matches(r"[.!?。！？…]( |$)") / (1 + written.str.count_matches(" ", literal=True)),
    }
    return pl.DataFrame({"fragment": passages["fragment"]} | figures).cast(dict.fromkeys(FEATURES, pl.Float64)), tie


def _embed(model: Encoder, passages: list[str]) -> NDArray[np.float32]:
    """Vectors of passages; equal ones, such as beginnings that a late cut leaves alone, are embedded once."""
    distinct = list(dict.fromkeys(passages))
    place = {passage: index for index, passage in enumerate(distinct)}
    vectors = [np.empty((0, model.dimensions), np.float32)]
    vectors += [model.embed(distinct[begin : begin + BATCH]) for begin in range(0, len(distinct), BATCH)]
    return np.concatenate(vectors)[[place[passage] for passage in passages]]


def viral(features: pl.DataFrame) -> NDArray[np.float32]:
    """The judge's probability that each passage is viral."""
    return shipped().probability(features.select(FEATURES).to_numpy())
