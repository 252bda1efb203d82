"""Work of a run that workers may share: where it waits for them, whose source does it, and what they took."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tasks.runtime.run import Run


class Elsewhere(NamedTuple):
    """Work that workers did for a stage: CPU seconds, those of its longest part, and the peak of any of them in MB."""

    cpu: float = 0.0
    longest: float = 0.0
    memory_mb: float = 0.0

    def beside(self, other: "Elsewhere") -> "Elsewhere":
        """Both together."""
        longest, memory_mb = max(self.longest, other.longest), max(self.memory_mb, other.memory_mb)
        return Elsewhere(round(self.cpu + other.cpu, 3), round(longest, 3), memory_mb)


class Work:
    """Work of a run: a table in the making, or what makes none.

    Attributes:
        run: the run.
        name: what it is called.
        path: folder in the workspace for what passes to workers and back.
        made_by: names of the source that does it.
        elsewhere: what workers did of it.
    """

    def __init__(self, run: Run, name: str, path: Path, made_by: list[str]) -> None:
        self.run, self.name, self.path, self.made_by = run, name, path, made_by
        self.elsewhere = Elsewhere()


@contextmanager
def passing(run: Run, name: str, *made_by: str) -> Iterator[Work]:
    """Work that makes no table, while the block runs."""
    folder = run.workspace / "scratch" / f"{name}-{uuid.uuid4().hex}"
    folder.mkdir(parents=True)
    run.make_room()
    try:
        yield Work(run, name, folder, list(made_by))
    finally:
        shutil.rmtree(folder)
