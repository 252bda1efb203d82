"""Benchmark flow: a labelled corpus → the paper's table of baselines, method and ablations, with intervals."""

from pathlib import Path

from prefect import flow
from pydantic import Field

from flows.curate import stages
from flows.forms import form
from flows.options import Limits
from models.parameters import Parameters
from tasks.benchmark.baselines import apply, best_threshold, fit, make_pairs
from tasks.benchmark.methods import METHODS, Method, fittable
from tasks.benchmark.row_selection import chosen
from tasks.benchmark.score import score, tabulate
from tasks.benchmark.split import apart, check
from tasks.benchmark.table_row import Scored
from tasks.benchmark.variants import ABLATIONS, OURS
from tasks.ingest.columns import resolve_columns
from tasks.ingest.exact_duplicates import collapse
from tasks.ingest.extract import extract
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.snapshots.locks import writing


class Labelled(Limits):
    """Parameters of the flow: a labelled corpus, and what to score on it."""

    split: Path = Field(description="folder with documents, truth and fragments.parquet")
    out: Path = Field(description="folder of the table; finished stages in it are used again")
    methods: str = Field("none", description="baselines to run beside: all, none or names separated by commas")
    ablations: str = Field("none", description="the method with one part off or back: all, none or names with commas")
    tune_on: Path | None = Field(None, description="another such folder, on which baselines choose their threshold")
    train_on: list[str] = Field([], description="files, folders or globs that baselines with a network learn from")
    parameters: Parameters = Field(Parameters(), description="every number that changes the answer, by section")


@flow(name="benchmark", flow_run_name="benchmark-{labelled.out.name}")
def benchmark(labelled: Labelled) -> str:
    """Score the method on a split; returns the table as text and leaves it under `out` as markdown, JSON and SVG.

    All rows share one workspace, so each stage is made once for all rows that agree on its settings, and a repeated
    call only makes what is missing.
    """
    split, out = labelled.split, labelled.out
    baselines, left_out = fittable(chosen("methods", labelled.methods, METHODS), bool(labelled.train_on))
    variants = [OURS, *chosen("ablations", labelled.ablations, ABLATIONS)]
    for folder in (split, labelled.tune_on):
        if folder:
            check(folder)
            apart(labelled.train_on, folder)
    inputs = [str(split / "documents.parquet")]
    run = labelled.begin(out.absolute() / "workspace", resolve_columns(labelled.parameters, inputs))
    settled = [(variant, _under(run, run.parameters.with_settings(list(variant.settings)))) for variant in variants]
    with writing(out, role="output"):
        rows = _baselines(run, baselines, split, labelled.tune_on, labelled.train_on)
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


deployed = form(benchmark)
