"""Learn which repeated passages are viral, and how well that holds on splits and sources that were left out.

    python -m tests.benchmarks.quality.fragment_classifier SPLIT [...] [--sheet PARQUET]
        [--without SPLIT/SOURCE] [--write]

A SPLIT is a folder with documents.parquet, truth.parquet and fragments.parquet in the benchmark's format. All its
documents but duplicates (types A to C, whose templates nobody labelled) are searched as a run does; a passage is viral
where four fifths of what would be cut of it are labelled, and not where less than a fifth is. A sheet holds passages
that a reader judged: `source`, `viral`, and a column for each of the features. Every group of labels (a split, a sheet)
weighs the same, viral passages and the others of each, too. A source may be left out whose labels call the frame of
one manual's pages viral, which is their template. `--write` puts the weights where the package reads them.

Splits that were learned from are development splits from then on.
"""

import argparse
import json
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.lexical.fragments.hosts.virality import FEATURES, WEIGHTS
from models.lexical.sketch.features import Frequencies
from models.lexical.sketch.weights import count_documents, distinct_per_document
from models.lexical.text import normalise, split_words
from models.parameters import Parameters
from tasks.resolve.fragments.cuts import wholes
from tasks.resolve.fragments.search import Batch, search
from tasks.resolve.fragments.virality import Corpus, weigh
from tasks.runtime.run import Run

RIDGE = 3.0
ALIKE = ("relevance", "likeness", "kinship", "wording", "covered", "share")
"""Features that are large where hosts are alike, or are about the passage."""
FEW = 3
"""Labels of either kind that a group must have to be told apart."""


def split(folder: Path) -> pl.DataFrame:
    """Features of the passages of a labelled split, with `source` and `viral`."""
    truth = pl.read_parquet(folder / "truth.parquet").select("doc_id", "type")
    documents = pl.read_parquet(folder / "documents.parquet").join(truth, on="doc_id")
    documents = documents.filter(~pl.col("type").is_in(["A", "B", "C"])).unique("text", maintain_order=True)
    given = documents.with_row_index("doc").with_columns(pl.col("doc").cast(pl.Int64))
    texts = dict(given.select("doc", "text").iter_rows())
    with tempfile.TemporaryDirectory() as workspace:
        every = Parameters().with_settings(["fragment.min_viral=0"])  # so that kinship is asked of all passages
        run = Run(workspace=Path(workspace), parameters=every)
        characters = int(given["text"].str.len_chars().sum())
        passages, places = search(run, [Batch(lambda: given.select("doc", "text"))], characters)
        parts = wholes(places, texts, run.parameters.fragment.min_chars)
        features = weigh(
            run, Corpus(partial(_counted, given["text"]), given.select("doc", "source")), passages, parts, texts
        ).features
    labels = pl.read_parquet(folder / "fragments.parquet").select("doc_id", low="start", high="end")
    cut = parts.places.drop_nulls("unit").join(given.select("doc", "doc_id", "source"), on="doc").with_row_index("at")
    both = pl.min_horizontal("last", "high") - pl.max_horizontal("first", "low")
    shared = cut.join(labels, on="doc_id").with_columns(shared=both.clip(0)).group_by("at").agg(pl.sum("shared"))
    length = pl.col("last") - pl.col("first")
    told = cut.join(shared, on="at", how="left").group_by("fragment").agg(
        source=pl.col("source").mode().sort().first(), labelled=pl.col("shared").fill_null(0).sum() / length.sum()
    )  # fmt: skip
    clear = features.join(told, on="fragment").filter((pl.col("labelled") >= 0.8) | (pl.col("labelled") < 0.2))
    return clear.select(*FEATURES, "source", viral=pl.col("labelled") >= 0.8)


def _counted(texts: pl.Series) -> Frequencies:
    """Documents that hold each word."""
    words = np.zeros(1 << 20, np.uint32)
    for begin in range(0, len(texts), 2048):
        found = split_words(normalise(texts[begin : begin + 2048]))
        count_documents(words, distinct_per_document(found.hash, found.pointers))
    return Frequencies(np.zeros(1, np.uint32), words, len(texts))


def fit(x: NDArray[np.float64], y: NDArray[np.bool_], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logistic regression with a ridge, by Newton's method: weights of the scaled features, and the bias.

    What makes hosts alike never speaks for a passage: a weight that would say so is none.
    """
    bound, free = np.array([name in ALIKE for name in FEATURES] + [False]), np.ones(x.shape[1] + 1, bool)
    wide, ridge = np.column_stack([x, np.ones(len(x))]), np.array([RIDGE] * x.shape[1] + [0.0])
    while True:
        found, here = np.zeros(len(free)), wide[:, free]
        for _ in range(50):
            p = 1 / (1 + np.exp(-wide @ found))
            slope = here.T @ (weight * (p - y)) + ridge[free] * found[free]
            found[free] -= np.linalg.solve(
                (here * (weight * p * (1 - p))[:, None]).T @ here + np.diag(ridge[free]), slope
            )
        wrong = bound & (found > 0)
        if not wrong.any():
            return found
        free &= ~wrong


class Labels:
    """Passages with labels, and what is learned from some of them."""

    def __init__(self, frame: pl.DataFrame) -> None:
        known = frame.filter(pl.col("likeness").is_not_nan() & pl.col("relevance").is_not_nan())
        x = known.select(FEATURES).to_numpy()
        self.x = np.where(np.isnan(x), np.nanmedian(x, axis=0), x)
        self.y = known["viral"].to_numpy()
        self.group, self.source = known["group"].to_numpy(), (known["group"] + "/" + known["source"]).to_numpy()
        sizes = known.select(pl.len().over("group", "viral")).to_series().to_numpy()
        self.weight = len(self.y) / sizes / len(np.unique(self.group)) / 2

    def learn(self, chosen: NDArray[np.bool_]) -> dict[str, list[float] | float]:
        x = self.x[chosen]
        mean, scale = x.mean(0), x.std(0)
        *weight, bias = fit((x - mean) / scale, self.y[chosen], self.weight[chosen]).tolist()
        low, high = np.quantile(x, (0.005, 0.995), axis=0)
        arrays = {"mean": mean, "scale": scale, "low": low, "high": high}
        return {name: array.tolist() for name, array in arrays.items()} | {"weight": weight, "bias": bias}

    def left_out(self, groups: NDArray[np.str_]) -> None:
        """Print how well each group is told apart by what was learned from the others, the mean and the worst."""
        areas = {}
        for group in np.unique(groups):
            here = groups == group
            found = self.learn(~here)
            p = ((self.x[here] - found["mean"]) / found["scale"]) @ np.array(found["weight"])
            y = self.y[here]
            if min(y.sum(), (~y).sum()) > FEW:
                above = p[y][:, None] - p[~y][None, :]
                areas[group] = float((above > 0).mean() + (above == 0).mean() / 2)
                print(f"  {group}: {areas[group]:.3f} ({y.sum()} viral, {(~y).sum()} not)")
        print(f"  mean {np.mean(list(areas.values())):.3f}, worst {min(areas.values()):.3f}")


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("splits", nargs="+", type=Path)
    options.add_argument("--sheet", type=Path)
    options.add_argument("--without", nargs="*", default=[], metavar="SPLIT/SOURCE", help="whose labels say nothing")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    frames = [split(folder).with_columns(group=pl.lit(folder.name)) for folder in given.splits]
    if given.sheet:
        frames.append(pl.read_parquet(given.sheet).with_columns(group=pl.lit("read")).select(frames[0].columns))
    every = pl.concat(frames).filter(~(pl.col("group") + "/" + pl.col("source")).is_in(given.without))
    labels = Labels(every)
    for name, groups in (("splits", labels.group), ("sources", labels.source)):
        print(f"area under the curve, {name} left out")
        labels.left_out(groups)
    learned = labels.learn(np.ones(len(labels.y), bool))
    print(dict(zip(FEATURES, np.round(learned["weight"], 2).tolist(), strict=True)))
    if given.write:
        WEIGHTS.write_text(json.dumps({"features": FEATURES, **learned}, indent=1) + "\n")


if __name__ == "__main__":
    main()
