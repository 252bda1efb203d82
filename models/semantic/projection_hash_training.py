"""Train a projection hash on the passages of a corpus and save it as a bundle.

`python -m models.semantic.projection_hash_training CORPUS.parquet... --bundle FOLDER`
"""

import argparse
import json
import logging
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray

from models import bundle
from models.semantic.encoder import Encoder
from models.semantic.projection_hash import random_hyperplanes
from models.semantic.projection_hash_learning import train
from models.semantic.projection_hash_quality import cosine_quantiles, quality
from models.semantic.teacher import Teacher

WORDS = 100
"""Words per passage."""

PER_DOCUMENT = 4
"""Passages taken of one document at most."""

log = logging.getLogger(__name__)


class Passages(NamedTuple):
    """Passages, and for each the number of its document."""

    texts: list[str]
    documents: NDArray[np.int64]


def sample(corpora: list[list[str]], count: int, random: np.random.Generator) -> Passages:
    """Take distinct passages, the same number from each corpus as far as it has them.

    Args:
        corpora: texts of the documents of each corpus; small corpora first, so that larger ones can make up for them.
        count: passages in all.
        random: draws documents and the passages of each.
    """
    chosen: dict[str, int] = {}
    document = 0
    for left, texts in zip(range(len(corpora), 0, -1), corpora, strict=True):
        goal = len(chosen) + (count - len(chosen)) // left
        for row in random.permutation(len(texts)):
            if len(chosen) >= goal:
                break
            words = texts[row].split()
            for start in WORDS * np.sort(random.permutation(-(-len(words) // WORDS))[:PER_DOCUMENT]):
                chosen.setdefault(" ".join(words[start : start + WORDS]), document)
            document += 1
    return Passages(list(chosen), np.fromiter(chosen.values(), np.int64))


def read(files: list[Path], column: str, excluded: list[str], random: np.random.Generator) -> list[list[list[str]]]:
    """Read the texts of each file and part its documents into two halves at random, smallest file first."""
    halves: list[list[list[str]]] = [[], []]
    for file in sorted(files, key=lambda file: file.stat().st_size):
        table = pl.read_parquet(file)
        if "source" in table.columns:
            table = table.filter(~pl.col("source").is_in(excluded))
        texts = table[column].drop_nulls().unique(maintain_order=True).to_list()
        order = random.permutation(len(texts))
        for half in (0, 1):
            halves[half].append([texts[row] for row in order[half::2]])
    return halves


def embed(encoder: Encoder, passages: Passages, name: str) -> NDArray[np.float32]:
    """Encode passages, telling how far it is."""
    parts, began = [], time.monotonic()
    for start in range(0, len(passages.texts), 2000):
        parts.append(encoder.embed(passages.texts[start : start + 2000]))
        done = min(start + 2000, len(passages.texts))
        log.info("%s: %d of %d passages, %.0f/s", name, done, len(passages.texts), done / (time.monotonic() - began))
    return np.concatenate(parts)


def main(arguments: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="projection_hash_training", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, help="parquet files, one document per row")
    parser.add_argument("--bundle", type=Path, required=True, help="folder to write")
    parser.add_argument("--text-column", default="text")
    parser.add_argument("--exclude-source", nargs="*", default=[], help="values of the column 'source' to leave out")
    parser.add_argument("--evaluate", nargs="*", type=Path, default=[], help="files that are measured on, not learned")
    parser.add_argument("--passages", type=int, default=20_000, help="to learn from, and again to measure on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")

    torch.set_num_threads(1)  # sums split over threads round differently: the same seed would give another hash
    began = time.monotonic()
    random = np.random.default_rng(options.seed)
    learned_from, held_out = read(options.corpora, options.text_column, options.exclude_source, random)
    sets = {"training": sample(learned_from, options.passages, random)}
    sets["held_out"] = sample(held_out, options.passages, random)
    if options.evaluate:
        other = read(options.evaluate, options.text_column, options.exclude_source, random)[0]
        sets["other_corpora"] = sample(other, options.passages // 2, random)
    encoder = Teacher(threads=options.threads)
    vectors = {name: embed(encoder, passages, name) for name, passages in sets.items()}
    projection, history = train(vectors["training"], options.seed)
    log.info("loss %.4f -> %.4f", np.mean(history[:20]), np.mean(history[-20:]))

    untrained = random_hyperplanes(encoder.dimensions, options.seed)
    metrics: dict[str, Any] = {}
    for name in list(sets)[1:]:
        metrics[name] = {
            "learned": quality(projection, vectors[name]),
            "random_hyperplanes": quality(untrained, vectors[name]),
            "cosine_quantiles": cosine_quantiles(vectors[name], sets[name].documents),
        }
    saved = bundle.save(
        options.bundle,
        projection,
        encoder.name,
        {
            "encoder": encoder.fingerprint,
            "trained_on": sorted(file.name for file in options.corpora),
            "without_sources": sorted(options.exclude_source),
            "measured_on": sorted(file.name for file in options.evaluate),
            "passages": {name: len(passages.texts) for name, passages in sets.items()},
            "seed": options.seed,
            "seconds": round(time.monotonic() - began),
            "loss": [round(float(np.mean(part)), 5) for part in np.array_split(history, 10)],
            "metrics": metrics,
        },
    )
    log.info("bundle %s in %s\n%s", saved.id, options.bundle, json.dumps(metrics, indent=2))


if __name__ == "__main__":
    main()
