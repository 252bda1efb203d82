"""A labelled split published piece by piece instead of at once: scores, and why documents fare otherwise.

    python -m tests.benchmarks.nights.pieces SPLIT --out DIR [--pieces 4] [--seed 1]

Curates SPLIT whole; then shuffles its documents, curates the first piece and refreshes with each of the others. Prints
both scores and, for every document that is kept in one and removed in the other, which rule of the refresh explains it:

- published: what it went for in the one was published before it in the other, or it before that;
- weights: the same pair was judged in both, and otherwise, because weights are frozen with the first piece;
- company: its pair came up in one of the two only (frozen weights and star links choose other candidates).
"""

import argparse
import json
import shutil
from pathlib import Path

import polars as pl

from flows.curate import Corpus, curate
from flows.refresh import Arrivals, refresh
from models.evaluation.metrics import evaluate
from models.parameters import Parameters
from tasks.benchmark.split import frame
from tasks.snapshots.layout import current

RULES = ("published", "weights", "company")
SETTINGS = ["extract.id_column=doc_id", "extract.source_column=source", "gate.max_content_lost=1"]


def table(snapshot: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(sorted((snapshot / name).glob("*.parquet")))


def whole(split: Path, out: Path) -> Path:
    corpus = Corpus(inputs=[str(split / "documents.parquet")], out=out, parameters=Parameters().with_settings(SETTINGS))
    return Path(curate(corpus))


def piecewise(split: Path, out: Path, pieces: int, seed: int) -> tuple[Path, pl.DataFrame]:
    """Publish in pieces; returns the last snapshot and the piece of every document."""
    documents = pl.read_parquet(split / "documents.parquet").sample(fraction=1, shuffle=True, seed=seed)
    numbered = documents.with_columns(piece=pl.int_range(pl.len()) * pieces // pl.len())
    folder = out / "pieces"
    folder.mkdir(parents=True, exist_ok=True)
    for piece, rows in enumerate(numbered.partition_by("piece", maintain_order=True, include_key=False)):
        path = folder / f"{piece}.parquet"
        rows.write_parquet(path)
        if piece:
            refresh(Arrivals(inputs=[str(path)], out=out, settings=["gate.max_published_loss=1"]))
        else:
            curate(Corpus(inputs=[str(path)], out=out, parameters=Parameters().with_settings(SETTINGS)))
    shown = current(out)
    assert shown is not None
    return shown, numbered.select("doc_id", "piece")


def scores(split: Path, snapshot: Path) -> dict[str, float | int | None]:
    found = evaluate(
        frame(split, "truth"),
        frame(split, "fragments"),
        table(snapshot, "decisions"),
        table(snapshot, "fragment_spans"),
    )
    return {
        **{name: found.scores[name] for name in sorted(found.scores)},
        "F": found.preservation,
        "Final": found.final,
        "background removed": found.harm.background_removed,
    }


def judged(snapshot: Path) -> pl.DataFrame:
    """Every judged pair in both orders, the last judgement of each."""
    pairs = table(snapshot, "verified").select("a_id", "b_id", "verdict").unique(["a_id", "b_id"], keep="last")
    swapped = pairs.select(a_id="b_id", b_id="a_id", verdict="verdict")
    return pl.concat([pairs, swapped]).unique(["a_id", "b_id"], keep="last")


def explained(one: Path, other: Path, pieces: pl.DataFrame) -> dict[str, int]:
    """Count documents that fare otherwise by the rule that explains it."""
    fates = [
        table(snapshot, "decisions").select("doc_id", survivor="survivor_id", gone=pl.col("action") == "remove")
        for snapshot in (one, other)
    ]
    both = fates[0].join(fates[1], on="doc_id", suffix="_b").filter(pl.col("gone") != pl.col("gone_b"))
    pair = both.select("doc_id", "gone", rival=pl.coalesce("survivor", "survivor_b"))
    placed = pair.join(pieces, on="doc_id").join(pieces.rename({"doc_id": "rival", "piece": "rival_piece"}), on="rival")
    pairs = [judged(snapshot).rename({"a_id": "doc_id", "b_id": "rival"}) for snapshot in (one, other)]
    told = placed.join(pairs[0], on=["doc_id", "rival"], how="left").join(
        pairs[1], on=["doc_id", "rival"], how="left", suffix="_b"
    )
    named = told.with_columns(
        rule=pl.when(pl.col("piece") < pl.col("rival_piece"))
        .then(pl.lit("published"))
        .when(pl.col("verdict").is_not_null() & pl.col("verdict_b").is_not_null())
        .then(pl.when(pl.col("verdict") == pl.col("verdict_b")).then(pl.lit("published")).otherwise(pl.lit("weights")))
        .otherwise(pl.lit("company"))
    )
    return dict.fromkeys(RULES, 0) | dict(named.group_by("rule").len().iter_rows())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("split", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pieces", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    shutil.rmtree(given.out, ignore_errors=True)
    at_once = whole(given.split, given.out / "whole")
    in_pieces, pieces = piecewise(given.split, given.out / "refreshed", given.pieces, given.seed)
    found = {"at once": scores(given.split, at_once), f"in {given.pieces} pieces": scores(given.split, in_pieces)}
    for name, row in found.items():
        print(name, json.dumps(row))
    print(f"of {pieces.height} documents fare otherwise:", json.dumps(explained(at_once, in_pieces, pieces)))


if __name__ == "__main__":
    main()
