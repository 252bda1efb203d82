"""What the planted documents say against the labels: canaries.py TABLE [TABLE ...] [--ship]

Each TABLE is a folder that `semhash-llm benchmark SPLIT --out TABLE` wrote. Prints per type the score by the labels of
the split and the estimate by its planted documents, both with 95 % intervals, and how far apart they are. With --ship
the estimates of all tables together become `models/evaluation/shipped.json`, the figures that every run is held to.
"""

import argparse
import json
import sys
from pathlib import Path

from models.evaluation.intervals import wilson

SHIPPED = Path(__file__).resolve().parents[3] / "models" / "evaluation" / "shipped.json"


def compared(table: Path) -> list[str]:
    """A line per score that both know."""
    row = json.loads((table / "benchmark.json").read_text())["rows"][0]
    lines = [f"{table.name}: score, by labels, by planted documents, points apart"]
    for fate in row["canaries"]:
        if fate["score"] in row["figures"] and fate["share"] is not None:
            value, low, high = row["figures"][fate["score"]]
            apart = 100 * (fate["share"] - value)
            lines.append(
                f"  {fate['score']:<13} {value:.3f} ({low:.3f}-{high:.3f})  {fate['share']:.3f} "
                f"({fate['low']:.3f}-{fate['high']:.3f}, {fate['right']} of {fate['cases']})  {apart:+.1f}"
            )
    return lines


def pooled(tables: list[Path]) -> dict[str, float]:
    """Estimates of several tables together."""
    sums: dict[str, tuple[int, int]] = {}
    for table in tables:
        for fate in json.loads((table / "benchmark.json").read_text())["rows"][0]["canaries"]:
            right, cases = sums.get(fate["score"], (0, 0))
            sums[fate["score"]] = right + fate["right"], cases + fate["cases"]
    rates = {score: wilson(*counted) for score, counted in sums.items()}
    return {score: round(rate.share, 4) for score, rate in rates.items() if rate}


def main() -> None:
    """Compare, and maybe ship."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("tables", nargs="+", type=Path)
    given.add_argument("--ship", action="store_true")
    asked = given.parse_args()
    for table in asked.tables:
        sys.stdout.write("\n".join([*compared(table), ""]))
    if asked.ship:
        command = (
            "semhash-llm benchmark SPLIT --out TABLE, then python -m tests.benchmarks.quality.canaries TABLE ... --ship"
        )
        told = {"command": command, "splits": [table.name for table in asked.tables], "scores": pooled(asked.tables)}
        SHIPPED.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main()
