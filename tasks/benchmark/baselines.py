"""Baselines on a labelled corpus: fine-tuned, tuned, and run under their usual and their best threshold."""

from pathlib import Path
from typing import NamedTuple

import polars as pl
from prefect import task
from safetensors.numpy import load_file, save_file

from models.evaluation.baselines.parts.links import Links
from models.evaluation.baselines.parts.tuning import tune
from models.evaluation.baselines.protocol import Baseline, Corpus, Prepared
from models.evaluation.baselines.simhash import WithinRadius
from models.evaluation.synthesis import TYPES, synthesise
from tasks.benchmark.methods import METHODS, SEED, Method, Tensors
from tasks.benchmark.split import fingerprint, frame
from tasks.benchmark.table_row import Scored, cost, scored
from tasks.benchmark.vectors import embed_texts, vectors
from tasks.candidates.pairs import all_pairs
from tasks.pipeline.registry import BASELINE_FIT, BASELINE_PAIRS, BASELINE_RUN, BASELINE_TUNE
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.storage.atomic import atomic_path
from tasks.storage.parquet import write_part
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about, scan

PAIRS = 8000
"""Synthetic pairs that a baseline is fine-tuned on."""
TENSORS = "tensors.safetensors"


class Fitted(NamedTuple):
    """Fine-tuned tensors of a method; `table` is None where it learns nothing."""

    key: str
    table: TableRef | None

    @property
    def method(self) -> Method:
        """The method itself."""
        return next(method for method in METHODS if method.key == self.key)

    @property
    def baseline(self) -> Baseline:
        """The method, ready to run."""
        tensors: Tensors = load_file(Path(self.table.path) / TENSORS) if self.table else {}
        return self.method.make(tensors)


@task(task_run_name="make training pairs")
def make_pairs(run: Run, documents: TableRef, copies: TableRef) -> TableRef:
    """Make synthetic pairs from the distinct texts of a corpus."""
    with Stage(run, BASELINE_PAIRS, [documents, copies], extra=[PAIRS, SEED]) as stage:
        if not stage.finished:
            repeated = scan(copies).select("doc")
            texts = scan(documents).join(repeated, on="doc", how="anti").sort("doc").collect()["text"]
            with stage.progress(PAIRS, unit="pairs") as bar:
                pairs = synthesise(texts, PAIRS, SEED, weights=dict.fromkeys(TYPES, 1.0))
                stage.write(0, pairs.select("text_a", "text_b", "duplicate"))
                bar.advance(pairs.height)
    return stage.ref


@task(task_run_name="fine-tune {key}")
def fit(run: Run, key: str, pairs: TableRef | None) -> Fitted:
    """Fine-tune a method that learns; any other is ready as it is."""
    method = Fitted(key, None).method
    if method.fit is None or pairs is None:
        return Fitted(key, None)
    with Stage(run, BASELINE_FIT, [pairs], extra=[key, SEED]) as stage:
        if not stage.finished:
            examples = scan(pairs).collect()
            with stage_progress(f"fine-tune {key}", None) as bar:
                tensors = method.fit(run, examples, pairs.fingerprint)
                bar.advance(0)
            with atomic_path(stage.path / TENSORS) as temporary:
                save_file(tensors, temporary)
            stage.write(0, pl.DataFrame({"tensor": list(tensors)}))
    return Fitted(key, stage.ref)


@task(task_run_name="tune {fitted.key}")
def best_threshold(run: Run, fitted: Fitted, split: Path) -> float:
    """Choose the threshold on a tuning split."""
    extra = [fitted.key, fingerprint(split)]
    with Stage(run, BASELINE_TUNE, _inputs(fitted), extra=extra) as stage:
        if not stage.finished:
            baseline = fitted.baseline
            with stage_progress(f"tune {fitted.key}", None):
                prepared = baseline.prepare(_corpus(run, fitted.method, split)[0])
                found = tune(prepared, baseline.grid, frame(split, "truth"), frame(split, "fragments"))
            stage.write(0, pl.DataFrame({"threshold": [found]}))
    threshold: float = scan(stage.ref).collect().item()
    return threshold


@task(task_run_name="run {fitted.key}")
def apply(run: Run, fitted: Fitted, split: Path, tuned: float | None, tuned_on: str) -> list[Scored]:
    """Run a method on a split under its usual threshold and, where it has any and was tuned, under the tuned one."""
    method, baseline = fitted.method, fitted.baseline
    labels = {"usual": baseline.usual}
    if tuned is not None and len(baseline.grid) > 1:
        labels[f"tuned on {tuned_on}"] = tuned
    outcomes, tables = _outcomes(run, fitted, split, sorted(set(labels.values())))
    rows = []
    for label, threshold in labels.items():
        decisions, spans = (
            pl.read_parquet(Path(outcomes.path) / f"{name}.parquet").filter(threshold=threshold).drop("threshold")
            for name in ("decisions", "spans")
        )
        pairs = about(outcomes)["facts"]["pairs"]
        spent = cost(tables, all_pairs(decisions.height), pairs, pairs if method.neural else 0)
        name = f"{baseline.name}, {label} {threshold:g}" if len(baseline.grid) > 1 else baseline.name
        details = {"method": baseline.name, "threshold": threshold}
        rows.append(scored(split, (decisions, spans), spent, name, "baseline", method.says, details))
    return rows


def _outcomes(run: Run, fitted: Fitted, split: Path, thresholds: list[float]) -> tuple[TableRef, list[TableRef]]:
    """Outcomes of a method at each threshold, side by side, and all tables that this costs."""
    baseline = fitted.baseline
    corpus, costing = _corpus(run, fitted.method, split)
    extra = [fitted.key, fingerprint(split), thresholds]
    with Stage(run, BASELINE_RUN, _inputs(fitted), extra=extra) as stage:
        if not stage.finished:
            with stage_progress(baseline.name, corpus.documents.height) as bar:
                prepared = baseline.prepare(corpus)
                made = [prepared.outcome(threshold) for threshold in thresholds]
                bar.advance(corpus.documents.height)
            for name in ("decisions", "spans"):
                frames = [
                    getattr(outcome, name).with_columns(threshold=pl.lit(threshold))
                    for outcome, threshold in zip(made, thresholds, strict=True)
                ]
                with atomic_path(stage.path / f"{name}.parquet") as temporary:
                    write_part(pl.concat(frames), temporary)
            stage.write(0, pl.DataFrame({"threshold": thresholds}))
            stage.facts = {"pairs": _pairs(prepared)}
    return stage.ref, [*costing, stage.ref]


def _corpus(run: Run, method: Method, split: Path) -> tuple[Corpus, list[TableRef]]:
    documents = frame(split, "documents").select("doc_id", "text")
    if not method.embedded:
        return Corpus(documents), []
    table = embed_texts(run, documents["text"], fingerprint(split))
    return Corpus(documents, vectors(table)), [table]


def _pairs(prepared: Prepared) -> int | None:
    """Pairs that were looked at one by one, where the method says."""
    links = prepared.links if isinstance(prepared, WithinRadius) else prepared
    return len(links.a) if isinstance(links, Links) else None


def _inputs(fitted: Fitted) -> list[TableRef]:
    return [fitted.table] if fitted.table else []
