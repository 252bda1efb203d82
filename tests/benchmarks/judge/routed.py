"""What the judge adds to a run: automatic, judge and fused probability on pairs that a run really asks about.

    semhash-llm curate SPLIT/documents.parquet --out DIR --set judge.backend=local --set judge.max_pairs=0
    python -m tests.benchmarks.judge.routed DIR SPLIT [DIR SPLIT …] --keep DIR [--most 150] [--seed 1]

SPLIT is labelled in the benchmark's format. A run that may ask 0 pairs verifies as one with a judge does; the pairs
that it would ask about under the default budget are chosen here by the functions of the run, and a sample of them is
asked about. A pair is a duplicate where both are of one group of type A, B, C or P, or child and parent of type D.
Planted documents, whose labels a run knows, are a source of their own; pairs of unlabelled ones are not scored.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import polars as pl

from models.bundle import load
from models.decision.llm_judge.ensemble import borderline, ensemble, p_llm, route
from models.decision.llm_judge.fuse import PROBABILITIES, changeable, fused
from models.decision.llm_judge.injection_filter import suspicion
from models.decision.llm_judge.local import LocalJudge
from models.decision.types import REMOVES
from models.parameters import Parameters
from tests.benchmarks.judge.quality import differences, mean, queries, score, table

PARAMETERS = Parameters()
METHODS = ("automatic", "judge", "fused")
COPIES = ("A", "B", "C", "P")
UNSCORED, PLANTED = "unlabelled", "planted"


def routed(run: Path, split: Path) -> pl.DataFrame:
    """Pairs that the run asks about, in the order in which it asks, with texts, `kind` and `duplicate`."""
    verified, documents = (_table(run, name) for name in ("verified", "documents"))
    unsure = verified.filter(borderline(PARAMETERS), changeable(PARAMETERS))
    told = documents.join(pl.read_parquet(split / "truth.parquet"), on="doc_id", how="left").select(
        *("doc", "text", "text_hash", "canary"),
        form=pl.coalesce(_planted(0), "type"),
        group_id=pl.coalesce(pl.col("canary").str.extract(r"^([^/]*/[^/]*)/"), "group_id"),
        role=pl.coalesce(_planted(2).str.strip_chars("0123456789"), "role"),
    )
    for side in ("a", "b"):
        unsure = unsure.join(
            told.rename({name: f"{name}_{side}" for name in told.columns[1:]}), left_on=side, right_on="doc"
        )
    chosen = route(unsure, PARAMETERS, verified.filter(round=0).height)
    same = (pl.col("group_id_a") == pl.col("group_id_b")) & (pl.col("form_a") == pl.col("form_b"))
    nested = same & (pl.col("form_a") == "D") & ((pl.col("role_a") == "parent") != (pl.col("role_b") == "parent"))
    kind_of = (
        pl.when(pl.any_horizontal(pl.col("form_a", "form_b") == "F"))
        .then(pl.lit("F"))
        .when(nested | (same & pl.col("form_a").is_in(COPIES)))
        .then("form_a")
        .when(pl.all_horizontal(pl.col("form_a", "form_b") == "background"))
        .then(pl.lit(UNSCORED))
        .otherwise(pl.lit("other groups"))
    )
    source_of = pl.when(pl.col("canary_a").is_null()).then(pl.lit(split.name)).otherwise(pl.lit(PLANTED))
    print(f"{split.name}: {verified.height:,} pairs verified, {unsure.height:,} that an answer can change", end="")
    print(f", {chosen.height:,} asked about", flush=True)
    listed = chosen.with_columns(kind=kind_of.fill_null("other groups"), split=source_of)
    for source, kind, number in listed.group_by("split", "kind").len().sort("split", "kind").iter_rows():
        print(f"  {source}, {kind}: {number}", flush=True)
    return listed.with_columns(duplicate=pl.col("kind").is_in([*COPIES, "D"]))


def _planted(part: int) -> pl.Expr:
    """A part of what is known of a planted document: its type, its group, its role in that."""
    return pl.col("canary").str.split("/").list.get(part)


def _table(run: Path, name: str) -> pl.DataFrame:
    [made] = (run / "workspace" / "tables").glob(f"{name}-*")
    return pl.read_parquet(sorted(made.glob("part-*.parquet")))


def asked(pairs: pl.DataFrame, judge: LocalJudge) -> pl.DataFrame:
    """The pairs with the probability of each of `METHODS`, and what the answer makes of the verdict."""
    began = time.process_time()
    answers = judge.ask(queries(pairs))
    spent = (time.process_time() - began) / max(1, pairs.height)
    p, removes = p_llm(answers), pl.col("verdict").is_in(REMOVES)
    columns = {name: pl.Series(answers[:, at]) for at, name in enumerate(PROBABILITIES)}
    after = fused(pairs.with_columns(**columns, judge_model=pl.lit(judge.model)), PARAMETERS)
    return pairs.with_columns(
        automatic="p_dup",
        judge=pl.Series(p),
        fused=pl.Series(ensemble(pairs["p_dup"], pairs["sigma"], p)),
        cpu_s=pl.lit(spent),
        before=removes,
        after=after.select(removes).to_series(),
    )


def by_kind(pairs: pl.DataFrame) -> str:
    """Per source and kind: how many are asked about, how often each is right, and which verdicts move."""
    lines = [
        "| source | pairs | of these | duplicates | automatic right | judge | fused | now may go | now stay |",
        "| --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    right = {name: ((pl.col(name) >= 0.5) == pl.col("duplicate")).mean() for name in METHODS}
    moved = {
        "to_removal": (pl.col("after") & ~pl.col("before")).sum(),
        "to_keeping": (pl.col("before") & ~pl.col("after")).sum(),
    }
    found = pairs.group_by("split", "kind", "duplicate", maintain_order=True).agg(pl.len(), **right, **moved)
    for row in found.sort("split", "kind").iter_rows(named=True):
        shares = " | ".join("–" if row["kind"] == UNSCORED else f"{row[name]:.2f}" for name in METHODS)
        lines.append(
            f"| {row['split']} | {row['kind']} | {row['len']} | {'yes' if row['duplicate'] else 'no'} | {shares} | "
            f"{row['to_removal']} | {row['to_keeping']} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", metavar="DIR SPLIT")
    parser.add_argument("--most", type=int, default=150, help="pairs asked about per split")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, required=True, help="folder of answers; what is there is not asked again")
    given = parser.parse_args()
    learned = load()
    judge = LocalJudge.load(learned.judge, learned.judge_settings, threads=1)
    several = []
    for run, split in zip(given.runs[::2], given.runs[1::2], strict=True):
        kept = given.keep / f"{split.name}.parquet"
        if not kept.exists():
            pairs = routed(run, split)
            drawn = pairs.sample(min(given.most, pairs.height), seed=given.seed)
            quiet = [not (suspicion(a) or suspicion(b)) for a, b in drawn.select("text_a", "text_b").iter_rows()]
            given.keep.mkdir(exist_ok=True)
            asked(drawn.filter(pl.Series(quiet, dtype=pl.Boolean)), judge).write_parquet(kept)
        several.append(pl.read_parquet(kept))
        told = several[-1]
        print(f"{split.name}: {told.height} asked about, {told['cpu_s'][0]:.2f} CPU s a verdict", flush=True)
    pairs = pl.concat(several, how="diagonal_relaxed")
    print(f"\njudge {judge.model}, seed {given.seed}\n\n{by_kind(pairs)}\n")
    parts = pairs.filter(pl.col("kind") != UNSCORED).partition_by("split", as_dict=True, maintain_order=True)
    each = {name: score(part, number, METHODS) for number, ((name,), part) in enumerate(parts.items())}
    scored = {**each, "mean of sources": mean(list(each.values()))}
    print(table(scored, METHODS), "Fused minus automatic:", differences(scored), sep="\n\n")


if __name__ == "__main__":
    np.seterr(invalid="ignore")
    main()
