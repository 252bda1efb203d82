"""Whether the turns of a large corpus (`turns.py`) are alike and apart: what a run of `curate` did with each of them.

python -m tests.benchmarks.scale.turns_apart OUT [--document docs/scale.md]
"""

import argparse
from pathlib import Path

import polars as pl

from tests.benchmarks.common.pages import replace_section

TURN = pl.col("doc_id").str.extract(r"^turn(\d+)/").cast(pl.Int32).fill_null(0)
FATES = {"kept": "keep", "shortened": "edit", "removed": "remove"}
ROUTES = ("lexical", "both", "semantic", "containment")


def table(out: Path, name: str) -> pl.LazyFrame:
    """One table of the workspace."""
    folders = (path for path in (out / "workspace" / "tables").iterdir() if path.name.rsplit("-", 1)[0] == name)
    return pl.scan_parquet(next(folders) / "part-*.parquet")


def told(out: Path) -> str:
    """A row for each turn, and how many pairs of documents come from two of them."""
    documents = table(out, "decisions").filter(pl.col("canary").is_null()).select("doc", "action", turn=TURN)
    pairs = table(out, "candidates").select("a", "b", "route")
    for side in ("a", "b"):
        pairs = pairs.join(documents.select("doc", pl.col("turn").alias(f"of_{side}")), left_on=side, right_on="doc")
    within = pl.col("of_a") == pl.col("of_b")
    routes = pairs.filter(within).group_by(turn="of_a").agg(pl.col("route").eq(one).sum().alias(one) for one in ROUTES)
    fates = documents.group_by("turn").agg(pl.col("action").eq(one).sum().alias(name) for name, one in FATES.items())
    spans = table(out, "fragment_spans").join(documents, on="doc").group_by("turn").agg(passages=pl.len())
    rows = fates.join(spans, on="turn").join(routes, on="turn").sort("turn").collect()
    across = pairs.filter(~within).select(pl.len()).collect().item()
    heads = ["turn", *FATES, "passages", *(f"pairs, {route}" for route in ROUTES)]
    lines = [f"| {' | '.join(heads)} |", "|" + " ---: |" * len(heads)]
    lines += ["| " + " | ".join(f"{value:,}" for value in row) + " |" for row in rows.rows()]
    return "\n".join(lines) + f"\n\nPairs of documents of two turns: {across:,}."


def main() -> None:
    """Count, tell, write."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("out", metavar="OUT", type=Path)
    asked.add_argument("--document", type=Path, help="page to write")
    given = asked.parse_args()
    text = f"`python -m tests.benchmarks.scale.turns_apart OUT`\n\n{told(given.out)}"
    print(text)
    if given.document:
        replace_section(given.document, "turns", text)


if __name__ == "__main__":
    main()
