"""Skewed corpus: one document copied with edits many times (one band, one component), one passage in many others.

    python -m tests.benchmarks.scale.skew [CORPORA] --out PARQUET [--documents 60000] [--copies 50000] [--hosts 50000]

What the largest part of a stage costs of it: curate it with and without workers, then `several_workers.py`.
"""

import argparse
from pathlib import Path
from random import Random

import polars as pl

from tests.benchmarks.common.corpora import corpus
from tests.benchmarks.scale.hot_spots import LENGTH, copies

PASSAGE = (
    "Readers who sign up before the end of the month receive the printed almanac at no charge. "
    "Write to the subscriptions desk and name the page on which you found this notice."
)


def main() -> None:
    """Make the corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path, nargs="?")
    parser.add_argument("--out", type=Path, required=True)
    for name, number in (("documents", 60_000), ("copies", 50_000), ("hosts", 50_000), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=number)
    given = parser.parse_args()
    rng = Random(given.seed)
    pieces = list(corpus(given.corpora, given.documents, given.seed))
    hot = rng.choice([piece.text for piece in pieces if LENGTH[0] <= len(piece.text) <= LENGTH[1]])
    hosts = set(rng.sample(range(len(pieces)), given.hosts))
    rows = [
        (piece.doc_id, piece.source, f"{piece.text}\n\n{PASSAGE}\n" if at in hosts else piece.text)
        for at, piece in enumerate(pieces)
    ]
    rows += [(f"hot/{at}", "hot", text) for at, text in enumerate(copies(hot, given.copies, rng))]
    rng.shuffle(rows)
    pl.DataFrame(rows, schema=["doc_id", "source", "text"], orient="row").write_parquet(given.out)


if __name__ == "__main__":
    main()
