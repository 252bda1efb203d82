"""Course: what every training learns from and where to, and the documents that it begins with."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from flows.options import Limits
from models.parameters import Parameters
from tasks.ingest.columns import resolve_columns
from tasks.ingest.exact_duplicates import collapse
from tasks.ingest.extract import extract
from tasks.ingest.formats import NAMES
from tasks.runtime.run import Run
from tasks.snapshots.locks import writing
from tasks.storage.tables import TableRef
from tasks.training.pack import claim
from tasks.training.passages import choose


class Material(NamedTuple):
    """Tables that a training begins with: all documents, and those that may be learned from."""

    documents: TableRef
    rejects: TableRef
    copies: TableRef
    chosen: TableRef


class Course(Limits):
    """Parameters that all trainings have."""

    inputs: list[str] = Field(description=f"files, folders or globs of {NAMES}")
    bundle: Path = Field(description="folder that receives the bundle, or what is learned anew of one")
    workspace: Path | None = Field(None, description="folder for tables between steps; default BUNDLE-workspace")
    exclude_sources: list[str] = Field([], description="sources that must not be learned from")
    seed: int = Field(1, ge=0, description="of every random choice; one seed gives one bundle")
    parameters: Parameters = Field(Parameters(), description="how documents are read and weighed")

    def claim(self) -> Path:
        """Folder of the bundle; raises `InputError` where it cannot become one."""
        bundle = self.bundle.resolve()
        claim(bundle, self._workspace())
        return bundle

    @contextmanager
    def material(self) -> Iterator[tuple[Run, Material]]:
        """Hold the workspace while the block runs; yields the run and what it learns from."""
        unplanted = self.parameters.with_settings(["gate.canaries=false"])
        run = self.begin(self._workspace(), resolve_columns(unplanted, self.inputs))
        with writing(run.workspace, role="workspace"):
            documents, _, rejects = extract(run, self.inputs, None)
            copies = collapse(run, documents)
            yield (
                run,
                Material(documents, rejects, copies, choose(run, documents, copies, sorted(self.exclude_sources))),
            )

    def _workspace(self) -> Path:
        bundle = self.bundle.resolve()
        return (self.workspace or bundle.with_name(f"{bundle.name}-workspace")).resolve()
