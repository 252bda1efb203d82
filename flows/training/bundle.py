"""Training flow: a corpus → a bundle; student, hashes, labelled pairs, verifier, and the judge if asked."""

from pathlib import Path

from prefect import flow
from pydantic import Field

from flows.forms import form
from flows.training.course import Course
from tasks.ingest.document_frequencies import count
from tasks.training.hashes import learn_hashes
from tasks.training.judge import (
    JUDGE_PAIRS,
    add_judge,
    calibrate_judge,
    learn_judge,
    make_judge_pairs,
    require_packages,
)
from tasks.training.pack import Learned, pack
from tasks.training.pairs import measure_pairs, synthesise_pairs
from tasks.training.passages import draw_passages
from tasks.training.quality import measure_student
from tasks.training.student import distil_student
from tasks.training.teach import teach
from tasks.training.teacher import check_teacher
from tasks.training.verifier import learn_verifier
from tasks.training.words import choose_vocabulary


class BundleCourse(Course):
    """Parameters of the flow: how much is learned, and from which teacher."""

    teacher: Path | None = Field(None, description="folder of another transformers encoder; default the packaged one")
    passages: int = Field(600_000, ge=1_000, description="passages that the teacher reads for the student")
    words: int = Field(48_000, ge=100, le=500_000, description="words with a vector of their own")
    pairs: int = Field(40_000, ge=500, description="labelled pairs that the verifier learns from")
    judge: bool = Field(False, description="teach the local judge, too; it needs the extra packages and as long again")
    judge_pairs: int = Field(JUDGE_PAIRS, ge=200, description="labelled pairs made for the judge")
    reviews: Path | None = Field(None, description="pairs that people reviewed, for the judge")


@flow(name="train", flow_run_name="train-{course.bundle.name}")
def train(course: BundleCourse) -> str:
    """Train everything that is learned and write it as a bundle; returns its id."""
    bundle = course.claim()
    check_teacher(course.teacher)
    if course.judge:
        require_packages()
    with course.material() as (run, (documents, rejects, copies, material)):
        passages = draw_passages(run, material, course.passages, course.seed)
        taught = teach(run, passages, course.teacher)
        words = choose_vocabulary(run, passages, course.teacher, course.words)
        student = distil_student(run, passages, taught, words, course.seed)
        quality = measure_student(run, material, passages, taught, student, course.teacher)
        hashes = learn_hashes(run, passages, taught, student, course.seed)
        frequencies = count(run, material, copies)
        pairs = synthesise_pairs(run, material, course.pairs, course.seed)
        measured = measure_pairs(run, pairs, frequencies, student)
        verifier = learn_verifier(run, pairs, measured, student, course.seed)
        learned = Learned(
            documents, rejects, material, passages, taught, words, student, quality, hashes, frequencies, pairs,
            measured, verifier,
        )  # fmt: skip
        made = pack(run, bundle, learned, course.seed)
        if course.judge:
            judge_pairs = make_judge_pairs(run, material, course.reviews, course.judge_pairs, course.seed)
            adapter = learn_judge(run, judge_pairs, course.seed)
            calibration = calibrate_judge(run, judge_pairs, adapter)
            add_judge(bundle, judge_pairs, adapter, calibration, course.seed)
        return made


deployed = form(train)
