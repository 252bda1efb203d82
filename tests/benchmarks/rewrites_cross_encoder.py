"""How well a cross-encoder tells rewrites from look-alikes: what the verifier of words is measured against.

    python tests/benchmarks/rewrites_cross_encoder.py CORPORA SPLIT [--pairs 4000] [--without-lookalikes VERSION]

Fine-tunes the packaged MiniLM as the baseline DedupLM does, but on pairs of `learn_rewrites.py` of all licences, for
one pass, then scores the candidates of SPLIT as `rewrites.py` does. It reads the first 128 tokens of a pair, and
nothing of it ships.
"""

import argparse
import sys
import time
from pathlib import Path
from random import Random

import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

from learn_rewrites import given, made, passages, pieces
from rewrites import LEVELS, Split, best_at, compared

from models.bundle import load
from models.decision.meaning.bags import bags
from models.decision.meaning.numbers import compare_numbers
from models.evaluation.baselines.parts.cross_encoder import CrossEncoder, fine_tune
from models.semantic.encoder.student import Student


def drawn(pairs: pl.DataFrame, number: int) -> pl.DataFrame:
    """Pairs of which sources, labels and kinds of change are heard alike, rare ones more often."""
    kind = pl.when(pl.col("kind").str.starts_with("swap")).then(pl.lit("swap")).otherwise("kind")
    size = pairs.select(pl.len().over("source", "label", kind)).to_series().to_numpy()
    chance = size**-0.6 / (size**-0.6).sum()
    rows = np.random.default_rng(0).choice(len(pairs), number, replace=False, p=chance)
    return pairs[rows].with_columns(duplicate=pl.col("label") == 1)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("corpora", type=Path)
    options.add_argument("split", type=Path)
    options.add_argument("--pairs", type=int, default=4000)
    options.add_argument("--without-lookalikes", default="", metavar="VERSION")
    told = options.parse_args()
    rng, student = Random(1), Student(load("default").student)
    pairs = given(told.corpora)
    own = made(pairs, passages(told.corpora, rng), pieces(told.corpora, rng), student, rng)
    began = time.process_time()
    model = CrossEncoder(fine_tune(drawn(pl.concat([pairs, own]), told.pairs), seed=0))
    print(f"{told.pairs:,} pairs learned in {time.process_time() - began:.0f} CPU s", flush=True)
    split = Split(told.split)
    held = bags(split.texts, student.vocabulary)
    a, b, _ = compared(student.embed(split.texts.to_list()), held)
    began = time.process_time()
    p = model.probability(split.texts.gather(a).to_list(), split.texts.gather(b).to_list())
    print(f"{len(a):,} pairs scored in {time.process_time() - began:.0f} CPU s", flush=True)
    numbers = compare_numbers(held.numbers, a, b)
    same = (numbers[:, 1] == 0) & (numbers[:, 2] == 0)
    for scope, looked_at in split.scopes(told.without_lookalikes).items():
        here = looked_at[a] & looked_at[b]
        for name, scores in {"cross-encoder": p, "cross-encoder, same numbers": np.where(same, p, 0)}.items():
            found = [best_at(split, a[here], b[here], scores[here], level, looked_at) for level in LEVELS]
            print(f"| {scope} | {name} | " + " | ".join(found) + " |", flush=True)


if __name__ == "__main__":
    main()
