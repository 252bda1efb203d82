"""Options that flows share: workspace, limits on threads and memory, task runner, dry run."""

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from models.parameters import Parameters
from tasks.parallel.runners import Runner, apart, workers
from tasks.quality.enforce_contracts import own_suites
from tasks.remote.object_mirror import Workspace, folder_of, mirrored
from tasks.runtime.compiling import compile_kernels
from tasks.runtime.machine import bytes_of, cores, memory_limit
from tasks.runtime.paths import hold_output
from tasks.runtime.progress import say
from tasks.runtime.run import Memory, Run
from tasks.snapshots.locks import writing
from tasks.snapshots.store import shared
from tasks.storage.atomic import sweep

PER_CORE = 8
"""Threads at most; reading from far away they may wait for each other."""


def _shared_last(schema: dict[str, Any]) -> None:
    """Order the fields of a form: a flow's own before those that all flows share."""
    shared = PublishOptions.model_fields
    schema["properties"] = dict(sorted(schema["properties"].items(), key=lambda item: item[0] in shared))


def _fitting(threads: int) -> int:
    """No more threads than are of any use: thousands would take a minute to begin and all of the memory."""
    most = PER_CORE * (os.cpu_count() or 1)
    if threads > most:
        say(f"threads: {most} instead of {threads:,}, as this machine has {os.cpu_count()} cores")
    return min(threads, most)


Threads = Annotated[int, AfterValidator(_fitting)]


class Limits(BaseModel):
    """Limits of a run; they never change its result."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=_shared_last)

    threads: Threads = Field(cores(), ge=1, description="threads, by default all cores; they never change the result")
    memory_limit: Memory = Field(
        memory_limit(), description="bound for all processes together, by default half of the memory"
    )

    def begin(self, workspace: Path, parameters: Parameters, token: str = "") -> Run:
        """Begin a run in a workspace; `token` is its name, if it has one already."""
        return Run(
            workspace=workspace,
            parameters=parameters,
            threads=self.threads,
            memory_limit=self.memory_limit,
            token=token or uuid.uuid4().hex,
        )


class RunOptions(Limits):
    """Options of a run on a corpus: where it works, within which limits, and who makes its tables."""

    workspace: Workspace = None
    runner: Runner = Field("threads", description="who makes the parts of tables: this process, or several")
    cluster: str | None = Field(None, description="address of the scheduler of Dask, or of a node of Ray")

    @contextmanager
    def working(self, out: Path) -> Iterator[Callable[[Parameters], Run]]:
        """Hold output folder, workspace, their stores and workers while the block runs; yields what begins the run.

        What a run that was killed left unfinished goes first: nobody else is at work there now.
        """
        workspace, token = folder_of(self.workspace, out), uuid.uuid4().hex
        compile_kernels(self.threads, bytes_of(self.memory_limit))
        with writing(out, role="output"), shared(out), writing(workspace, role="workspace"):
            for folder in (out, workspace):
                sweep(folder)
            with (
                mirrored(self.workspace, workspace, token, apart=apart(self.runner, self.cluster)),
                workers(self.runner, self.cluster, self.threads, bytes_of(self.memory_limit)),
            ):
                yield lambda parameters: self.begin(workspace, parameters, token)


class PublishOptions(RunOptions):
    """Options of a run that decides about documents: what those must meet, and whether it publishes."""

    expectations: list[str] = Field(
        [], description="suites of Great Expectations that the published documents must meet, or decisions=FILE"
    )
    dry_run: bool = Field(False, description="do everything but publish")

    @contextmanager
    def working(self, out: Path) -> Iterator[Callable[[Parameters], Run]]:
        """As any run, with the suites of its own."""
        hold_output(out)
        suites = own_suites(self.expectations)
        with super().working(out) as begin:
            yield lambda parameters: begin(parameters).model_copy(update={"suites": suites})
