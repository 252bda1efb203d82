"""How well a cross-encoder tells rewrites from look-alikes: what the verifier of words is measured against.

    python -m tests.benchmarks.meaning.cross_encoder CORPORA SPLIT [--pairs 4000] [--tokens 128]
        [--without-lookalikes VERSION]

Fine-tunes the packaged MiniLM as the baseline DedupLM does, for one pass over pairs of the group `open` of
`learn_rewrites.py`, from which the shipped verifier learned, too. Then both score the candidates of SPLIT as
`rewrites.py` does. It reads so many tokens of a pair, and nothing of it ships.
"""

import argparse
import time
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
from sklearn.metrics import roc_auc_score

from models.bundle import load
from models.decision.meaning.bags import bags
from models.decision.meaning.numbers import compare_numbers
from models.decision.meaning.rewrite_features import rewrite_features
from models.decision.meaning.verifier import examine, vetoed
from models.decision.meaning.word_vectors import word_vectors
from models.evaluation.baselines.parts import cross_encoder
from models.semantic.encoder.student import Student
from tests.benchmarks.meaning.learn_rewrites import given, made, passages, pieces
from tests.benchmarks.meaning.rewrites import LEVELS, Split, best_at, compared

HELD_OUT = 400
"""Pairs that are not learned from, to see whether learning came anywhere."""


def drawn(pairs: pl.DataFrame, number: int) -> pl.DataFrame:
    """Pairs in random order; of a source, label and kind of change that has many, fewer of all."""
    kind = pl.when(pl.col("kind").str.starts_with("swap")).then(pl.lit("swap")).otherwise("kind")
    size = pairs.select(pl.len().over("source", "label", kind)).to_series().to_numpy()
    chance = size**-0.6 / (size**-0.6).sum()
    rows = np.random.default_rng(0).choice(len(pairs), min(number, len(pairs)), replace=False, p=chance)
    return pairs[rows].with_columns(duplicate=pl.col("label") == 1)


def learned(corpora: Path, student: Student, number: int) -> cross_encoder.CrossEncoder:
    """The model after so many pairs; prints what it makes of others of the same kind."""
    rng = Random(1)
    pairs = given(corpora)
    own = made(pairs, passages(corpora, rng), pieces(corpora, rng), student, rng)
    several = drawn(pl.concat([pairs, own]).filter(pl.col("licence_group") == "open"), number + HELD_OUT)
    began = time.process_time()
    model = cross_encoder.CrossEncoder(cross_encoder.fine_tune(several[HELD_OUT:], seed=0))
    print(f"{several.height - HELD_OUT:,} pairs learned in {time.process_time() - began:.0f} CPU s", flush=True)
    others = several[:HELD_OUT]
    p = model.probability(others["text_a"].to_list(), others["text_b"].to_list())
    print(f"area under the curve on {HELD_OUT:,} others: {roc_auc_score(others['label'], p):.3f}", flush=True)
    return model


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("corpora", type=Path)
    options.add_argument("split", type=Path)
    options.add_argument("--pairs", type=int, default=4000)
    options.add_argument("--tokens", type=int, default=128)
    options.add_argument("--without-lookalikes", default="", metavar="VERSION")
    told = options.parse_args()
    cross_encoder.PAIR_TOKENS = told.tokens
    student, split = Student(load("default").student), Split(told.split)
    model = learned(told.corpora, student, told.pairs)
    held = bags(split.texts, student.vocabulary)
    a, b, cosine = compared(student.embed(split.texts.to_list()), held)
    began = time.process_time()
    p = model.probability(split.texts.gather(a).to_list(), split.texts.gather(b).to_list())
    print(f"{len(a):,} pairs scored in {time.process_time() - began:.0f} CPU s\n", flush=True)
    shipped, _ = examine(held, word_vectors(student), cosine, a, b)
    refused = vetoed(rewrite_features(held, word_vectors(student), cosine, a, b))
    numbers = compare_numbers(held.numbers, a, b)
    same = (numbers[:, 1] == 0) & (numbers[:, 2] == 0)
    methods = {
        "shipped verifier": shipped,
        "cross-encoder": p,
        "cross-encoder, same numbers": np.where(same, p, 0),
        "cross-encoder, the verifier's vetoes": np.where(refused, 0, p),
        "mean of both, the verifier's vetoes": np.where(refused, 0, (p + shipped) / 2),
    }
    print("| labels | method | " + " | ".join(f"recall at precision >= {level}" for level in LEVELS) + " |")
    print("| --- " * (2 + len(LEVELS)) + "|")
    for scope, looked_at in split.scopes(told.without_lookalikes).items():
        here = looked_at[a] & looked_at[b]
        for name, scores in methods.items():
            some = scores[here].astype(np.float32)
            found = [best_at(split, a[here], b[here], some, level, looked_at) for level in LEVELS]
            print(f"| {scope} | {name} | " + " | ".join(found) + " |", flush=True)


if __name__ == "__main__":
    main()
