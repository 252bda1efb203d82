"""A corpus and an existing bundle → the bundle with a judge: make pairs, train an adapter, calibrate it."""

from pathlib import Path

from prefect import flow
from pydantic import Field

from flows.options import Limits
from models.parameters import Parameters
from tasks.ingest.exact_duplicates import collapse
from tasks.ingest.extract import extract, resolve_columns
from tasks.snapshots.layout import writing
from tasks.training.judge import (
    JUDGE_PAIRS,
    add_judge,
    calibrate_judge,
    learn_judge,
    make_judge_pairs,
    require_bundle,
    require_packages,
)
from tasks.training.pack import claim
from tasks.training.passages import choose


class JudgeCourse(Limits):
    """What the judge learns from, and which bundle receives it."""

    inputs: list[str] = Field(description="files, folders or globs of jsonl(.gz, .zst), parquet, csv, tsv, txt")
    bundle: Path = Field(description="folder of the bundle that receives the judge; all else in it stays")
    workspace: Path | None = Field(None, description="folder for tables between steps; default BUNDLE-workspace")
    exclude_sources: list[str] = Field([], description="sources that must not be learned from")
    reviews: Path | None = Field(None, description="pairs that people reviewed: reviews.parquet of an output folder")
    pairs: int = Field(JUDGE_PAIRS, ge=200, description="labelled pairs made of the corpus")
    seed: int = Field(1, ge=0, description="of every random choice; one seed gives one judge")
    parameters: Parameters = Field(Parameters(), description="how documents are read")


@flow(name="train-judge", flow_run_name="train-judge-{course.bundle.name}")
def train_judge(course: JudgeCourse) -> str:
    """Train the local judge and put it into the bundle; returns the adapter's id."""
    bundle = course.bundle.resolve()
    workspace = (course.workspace or bundle.with_name(f"{bundle.name}-workspace")).resolve()
    claim(bundle, workspace)
    require_bundle(bundle)
    require_packages()
    unplanted = course.parameters.with_settings(["gate.canaries=false"])
    run = course.begin(workspace, resolve_columns(unplanted, course.inputs))
    with writing(workspace, role="workspace"):
        documents, _, _ = extract(run, course.inputs, None)
        copies = collapse(run, documents)
        material = choose(run, documents, copies, sorted(course.exclude_sources))
        pairs = make_judge_pairs(run, material, course.reviews, course.pairs, course.seed)
        adapter = learn_judge(run, pairs, course.seed)
        calibration = calibrate_judge(run, pairs, adapter)
        return add_judge(bundle, pairs, adapter, calibration, course.seed)
