"""A labelled corpus → the paper's table: curate it, then score what happened to the labelled documents."""

import uuid
from pathlib import Path

from prefect import flow

from flows.curate import stages
from models.parameters import Parameters
from tasks.extract import resolve_columns
from tasks.run import Run
from tasks.score import score
from tasks.snapshot import writing


@flow(name="benchmark")
def benchmark(split: Path, out: Path, parameters: Parameters | None = None, threads: int = 2) -> str:
    """Score the method on `split`; returns the table as text and leaves it under `out` as markdown and JSON."""
    inputs = [str(split / "documents.parquet")]
    run = Run(
        workspace=out.absolute() / "workspace",
        parameters=resolve_columns(parameters or Parameters(), inputs),
        threads=threads,
        token=uuid.uuid4().hex,
    )
    with writing(out, role="output"):
        tables = stages(run, inputs, protected=None)
        return score(run, split, out, tables)
