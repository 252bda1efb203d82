"""Training flow of the verifier: a corpus and a bundle → the bundle with another verifier."""

from prefect import flow
from pydantic import Field

from flows.training.course import Course
from tasks.ingest.document_frequencies import count
from tasks.training.pairs import check_families, measure_pairs, synthesise_pairs
from tasks.training.verifier import learn_verifier
from tasks.training.verifier_alone import repack, source_of, take_encoder


class VerifierCourse(Course):
    """Parameters of the flow: what the verifier learns from, and what stays as it is."""

    source: str = Field("default", description="bundle that encoder, hashes and judge come from: shipped, or a folder")
    leave_out: list[str] = Field([], description="families of operators that no pair is made with")
    pairs: int = Field(40_000, ge=500, description="labelled pairs that the verifier learns from")


@flow(name="train-verifier", flow_run_name="train-verifier-{course.bundle.name}")
def train_verifier(course: VerifierCourse) -> str:
    """Train the verifier on the vectors of an encoder that stays; returns the id of the bundle."""
    bundle = course.claim()
    source = source_of(course.source)
    check_families(course.leave_out)
    with course.material() as (run, (_, _, copies, material)):
        student = take_encoder(run, source)
        frequencies = count(run, material, copies)
        pairs = synthesise_pairs(run, material, course.pairs, course.seed, sorted(course.leave_out))
        measured = measure_pairs(run, pairs, frequencies, student)
        verifier = learn_verifier(run, pairs, measured, student, course.seed)
        learned = {"frequencies": frequencies, "pairs": pairs, "measured": measured, "verifier": verifier}
        return repack(run, source, bundle, material, learned, course.seed)
