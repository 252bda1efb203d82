"""Training flow of the judge: a corpus and a bundle → the bundle with an adapter, trained on pairs and calibrated."""

from pathlib import Path

from prefect import flow
from pydantic import Field

from flows.training.course import Course
from tasks.training.judge import (
    JUDGE_PAIRS,
    add_judge,
    calibrate_judge,
    learn_judge,
    make_judge_pairs,
    require_bundle,
    require_packages,
)


class JudgeCourse(Course):
    """Parameters of the flow: what the judge learns from; all else in its bundle stays."""

    reviews: Path | None = Field(None, description="pairs that people reviewed: reviews.parquet of an output folder")
    pairs: int = Field(JUDGE_PAIRS, ge=200, description="labelled pairs made of the corpus")


@flow(name="train-judge", flow_run_name="train-judge-{course.bundle.name}")
def train_judge(course: JudgeCourse) -> str:
    """Train the local judge and put it into the bundle; returns the adapter's id."""
    bundle = course.claim()
    require_bundle(bundle)
    require_packages()
    with course.material() as (run, material):
        pairs = make_judge_pairs(run, material.chosen, course.reviews, course.pairs, course.seed)
        adapter = learn_judge(run, pairs, course.seed)
        calibration = calibrate_judge(run, pairs, adapter)
        return add_judge(bundle, pairs, adapter, calibration, course.seed)
