"""A corpus and a bundle → the bundle with another verifier: make pairs, measure them, learn from them."""

from pathlib import Path

from prefect import flow
from pydantic import Field

from flows.options import Limits
from models.parameters import Parameters
from tasks.ingest.document_frequencies import count
from tasks.ingest.exact_duplicates import collapse
from tasks.ingest.extract import extract, resolve_columns
from tasks.snapshots.layout import writing
from tasks.training.pack import claim
from tasks.training.pairs import check_families, measure_pairs, synthesise_pairs
from tasks.training.passages import choose
from tasks.training.verifier import learn_verifier
from tasks.training.verifier_alone import repack, source_of, take_encoder


class VerifierCourse(Limits):
    """What the verifier learns from, and what stays as it is."""

    inputs: list[str] = Field(description="files, folders or globs of jsonl(.gz, .zst), parquet, csv, tsv, txt")
    bundle: Path = Field(description="folder that receives the bundle")
    source: str = Field("default", description="bundle that encoder, hashes and judge come from: shipped, or a folder")
    workspace: Path | None = Field(None, description="folder for tables between steps; default BUNDLE-workspace")
    exclude_sources: list[str] = Field([], description="sources that must not be learned from")
    leave_out: list[str] = Field([], description="families of operators that no pair is made with")
    pairs: int = Field(40_000, ge=500, description="labelled pairs that the verifier learns from")
    seed: int = Field(1, ge=0, description="of every random choice; one seed gives one verifier")
    parameters: Parameters = Field(Parameters(), description="how documents are read and weighed")


@flow(name="train-verifier", flow_run_name="train-verifier-{course.bundle.name}")
def train_verifier(course: VerifierCourse) -> str:
    """Train the verifier on the vectors of an encoder that stays; returns the id of the bundle."""
    bundle = course.bundle.resolve()
    workspace = (course.workspace or bundle.with_name(f"{bundle.name}-workspace")).resolve()
    claim(bundle, workspace)
    source = source_of(course.source)
    check_families(course.leave_out)
    unplanted = course.parameters.with_settings(["gate.canaries=false"])
    run = course.begin(workspace, resolve_columns(unplanted, course.inputs))
    with writing(workspace, role="workspace"):
        documents, _, _ = extract(run, course.inputs, None)
        copies = collapse(run, documents)
        material = choose(run, documents, copies, sorted(course.exclude_sources))
        student = take_encoder(run, source)
        frequencies = count(run, material, copies)
        pairs = synthesise_pairs(run, material, course.pairs, course.seed, sorted(course.leave_out))
        measured = measure_pairs(run, pairs, frequencies, student)
        verifier = learn_verifier(run, pairs, measured, student, course.seed)
        learned = {"frequencies": frequencies, "pairs": pairs, "measured": measured, "verifier": verifier}
        return repack(run, source, bundle, material, learned, course.seed)
