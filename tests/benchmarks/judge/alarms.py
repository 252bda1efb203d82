"""How many ordinary documents and pairs the judge is not asked about, because they seem to speak to it.

    python -m tests.benchmarks.judge.alarms CORPORA [--workspace DIR]

samples `EACH` texts of every table in a folder of Parquet files (`text`), and counts borderline pairs of a run whose
tables stand in a workspace: all of them, those that an answer can change, and the pairs asked about among these.
"""

import argparse
import time
from collections import Counter
from pathlib import Path

import polars as pl

from models.decision.llm_judge.ensemble import borderline, route
from models.decision.llm_judge.fuse import changeable
from models.decision.llm_judge.injection_filter import suspicion
from models.parameters import Parameters

EACH = 1000
PARAMETERS = Parameters()


def texts(folder: Path) -> None:
    found, read, chars, started = Counter[str | None](), 0, 0, time.process_time()
    for table in sorted(folder.glob("*.parquet")):
        rows = pl.read_parquet(table, columns=["text"])
        for text in rows.sample(min(EACH, rows.height), seed=0)["text"]:
            found[suspicion(text)] += 1
            read, chars = read + 1, chars + len(text)
    alarms = {kind: number for kind, number in found.items() if kind}
    spent = (time.process_time() - started) / chars * 1e6
    print(f"{sum(alarms.values())} of {read:,} texts {alarms}; {spent:.2f} CPU seconds per million characters")


def pairs(workspace: Path) -> None:
    def table(name: str, *columns: str) -> pl.DataFrame:
        [made] = (workspace / "tables").glob(f"{name}-*")
        return pl.read_parquet(sorted(made.glob("part-*.parquet")), columns=list(columns) or None)

    verified = table("verified")
    documents = table("documents", "doc", "text", "text_hash")
    unsure = verified.filter(borderline(PARAMETERS))
    for side in ("a", "b"):
        hashes = documents.select(pl.col("doc").alias(side), pl.col("text_hash").alias(f"text_hash_{side}"))
        unsure = unsure.join(hashes, on=side)
    wanted = pl.concat([unsure["a"], unsure["b"]]).unique().implode()
    met = documents.filter(pl.col("doc").is_in(wanted))
    loud = pl.Series([doc for doc, text in met.select("doc", "text").iter_rows() if suspicion(text)], dtype=pl.Int64)
    told = unsure.filter(changeable(PARAMETERS))
    chosen = route(told, PARAMETERS, verified.filter(round=0).height)
    for name, rows in {"borderline": unsure, "that an answer can change": told, "asked about": chosen}.items():
        lost = rows.filter(pl.any_horizontal(pl.col("a", "b").is_in(loud.implode()))).height
        print(f"{lost} of {rows.height:,} pairs {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--workspace", type=Path)
    given = parser.parse_args()
    if given.workspace:
        pairs(given.workspace)
    texts(given.corpora)


if __name__ == "__main__":
    main()
