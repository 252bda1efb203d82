"""A labelled corpus → the paper's table: baselines, the method and its ablations, with intervals and costs."""

import uuid
from pathlib import Path

from prefect import flow

from flows.curate import stages
from models.parameters import Parameters
from tasks.benchmark.baselines import apply, best_threshold, fit, make_pairs
from tasks.benchmark.chosen import chosen
from tasks.benchmark.methods import METHODS, Method, fittable
from tasks.benchmark.scored import Scored
from tasks.benchmark.split import apart, check
from tasks.benchmark.variants import ABLATIONS, OURS
from tasks.collapse import collapse
from tasks.extract import extract, resolve_columns
from tasks.progress import stage_progress
from tasks.run import Run
from tasks.score import score, tabulate
from tasks.snapshot import writing


@flow(name="benchmark")
def benchmark(
    split: Path,
    out: Path,
    parameters: Parameters | None = None,
    threads: int = 2,
    methods: str = "none",
    ablations: str = "none",
    tune_on: Path | None = None,
    train_on: list[str] | None = None,
) -> str:
    """Score the method on `split`; returns the table as text and leaves it under `out` as markdown, JSON and SVG.

    All rows share one workspace, so each stage is made once for all rows that agree on its settings, and a repeated
    call only makes what is missing.
    """
    baselines, left_out = fittable(chosen("methods", methods, METHODS), bool(train_on))
    variants = [OURS, *chosen("ablations", ablations, ABLATIONS)]
    for folder in (split, tune_on):
        if folder:
            check(folder)
            apart(train_on or [], folder)
    inputs = [str(split / "documents.parquet")]
    run = Run(
        workspace=out.absolute() / "workspace",
        parameters=resolve_columns(parameters or Parameters(), inputs),
        threads=threads,
        token=uuid.uuid4().hex,
    )
    settled = [(variant, _under(run, run.parameters.with_settings(list(variant.settings)))) for variant in variants]
    with writing(out, role="output"):
        rows = _baselines(run, baselines, split, tune_on, train_on or [])
        for number, (variant, changed) in enumerate(settled, start=1):
            with stage_progress(f"variant {number} of {len(settled)}, {variant.name}", None):
                rows.append(score(changed, split, variant, stages(changed, inputs, protected=None)))
        return tabulate(split, out, rows, left_out)


def _under(run: Run, parameters: Parameters) -> Run:
    return run.model_copy(update={"parameters": parameters})


def _baselines(run: Run, methods: list[Method], split: Path, tune_on: Path | None, train_on: list[str]) -> list[Scored]:
    pairs = None
    if any(method.fit for method in methods):
        plain = _under(run, resolve_columns(Parameters().with_settings(["gate.canaries=false"]), train_on))
        documents, _, _ = extract(plain, train_on, None)
        pairs = make_pairs(plain, documents, collapse(plain, documents))
    rows: list[Scored] = []
    for number, method in enumerate(methods, start=1):
        with stage_progress(f"baseline {number} of {len(methods)}, {method.key}", None):
            fitted = fit(run, method.key, pairs)
            tuned = best_threshold(run, fitted, tune_on) if tune_on else None
            rows += apply(run, fitted, split, tuned, tune_on.name if tune_on else "")
    return rows
