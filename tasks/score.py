"""Decisions on labelled documents → the paper's scores and the harm, as table and JSON."""

import dataclasses
from pathlib import Path

import polars as pl
from prefect import task

import sql
from models.evaluation.metrics import Evaluation, evaluate
from tasks.decide import fates
from tasks.errors import InputError
from tasks.ledger import Tables, fate_of_canaries, stage_metrics
from tasks.run import Run
from tasks.tables import atomic_path, glob, write_json


@task(task_run_name="score benchmark")
def score(run: Run, split: Path, out: Path, tables: Tables) -> str:
    """Write `benchmark.json` and `benchmark.md` under `out`; return the latter."""
    for name in ("truth", "fragments"):
        if not (split / f"{name}.parquet").exists():
            raise InputError(f"{split} is no labelled corpus: {name}.parquet is missing")
    truth, fragments = (pl.read_parquet(split / f"{name}.parquet") for name in ("truth", "fragments"))
    with run.connect() as con:
        spans = sql.run(con, "published_spans", spans=glob(tables.spans), decisions=glob(tables.decisions)).pl()
    found = evaluate(truth, fragments, fates(tables.decisions).collect(), spans)
    stages = stage_metrics(run, tables)
    write_json(
        out / "benchmark.json",
        {
            "split": split.name,
            "evaluation": dataclasses.asdict(found),
            "parameters": run.parameters.model_dump(mode="json"),
            "canaries": fate_of_canaries(tables),
            "stages": stages.to_dicts(),
        },
    )
    text = _table(split.name, found, stages)
    with atomic_path(out / "benchmark.md") as temporary:
        temporary.write_text(text)
    return text


def _table(split: str, found: Evaluation, stages: pl.DataFrame) -> str:
    scores = {f"S_{kind}": value for kind, value in found.scores.items()}
    figures = {**scores, "F kept": found.preservation, "Final": found.final}
    lines = [
        f"# SemHash-LLM on {split}",
        "",
        "| " + " | ".join(figures) + " |",
        "|" + " --- |" * len(figures),
        "| " + " | ".join("-" if value is None else f"{value:.4g}" for value in figures.values()) + " |",
        "",
        "| harm | value |",
        "| --- | --- |",
    ]
    for name, value in dataclasses.asdict(found.harm).items():
        shown = f"{value:.4%}" if name.endswith("share") and value is not None else str(value)
        lines.append(f"| {name.replace('_', ' ')} | {shown} |")
    lines += ["", "| stage | in | out | pass rate | seconds | peak MB |", "| --- | --- | --- | --- | --- | --- |"]
    for row in stages.iter_rows(named=True):
        kind = "documents" if row["pairs_in"] is None else "pairs"
        rate = "" if row["pass_rate"] is None else f"{row['pass_rate']:.4g}"
        entered, left = (f"{row[f'{kind}_{way}'] or 0:,} {kind}" for way in ("in", "out"))
        lines.append(f"| {row['stage']} | {entered} | {left} | {rate} | {row['seconds']} | {row['peak_memory_mb']} |")
    return "\n".join(lines) + "\n"
