"""Stage: a table in the making, under a content-addressed name that follows from everything that makes it.

A table's folder is named after its inputs, parameters and the source that makes it, so finding it finished means that
making it again would give the same bytes. Parts appear by one atomic rename each; `_table.json` is written last and
names every file of the table, also those that stand beside the parts.
"""

import hashlib
import json
import time
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypedDict

import polars as pl
import pyarrow.parquet as pq
from pydantic import BaseModel

from tasks.pipeline.registry import Row
from tasks.pipeline.versions import ours, version
from tasks.remote.object_mirror import DONE, discard, give, mirror, take
from tasks.runtime.memory import peak_memory_mb, reset_peak_memory
from tasks.runtime.progress import Bar, stage_progress
from tasks.runtime.run import Run
from tasks.storage.atomic import atomic_path, write_json
from tasks.storage.checksums import File, file_of
from tasks.storage.parquet import write_part
from tasks.storage.tables import TableRef, part_name, sealed
from tasks.storage.work import Work


class Counts(TypedDict, total=False):
    """Counts of what a stage took in and let through, for the pass rates."""

    documents_in: int
    documents_out: int
    pairs_in: int
    pairs_out: int


class Stage(Work):
    """Table in the making: `with Stage(run, PRESCREEN, [documents], run.parameters.prescreen) as stage: …`.

    The source of the task that its row names, of what that uses and of its contract is part of its name. On entry the
    stage is either `finished` (nothing to do) or open; parts that an interrupted run left behind count as done. On a
    clean exit the table is sealed.
    """

    def __init__(
        self,
        run: Run,
        row: Row,
        inputs: list[TableRef],
        *sections: BaseModel,
        extra: object = None,
        table: str = "",
    ) -> None:
        """Name one of the tables of a row, the first if `table` does not say which.

        Raises:
            LookupError: the row names no such table.
        """
        self.row = row
        self.table = row.table(table)
        name, made_by = self.table.name, _made_by(row, sections)
        recipe = [
            name,
            self.table.types,
            version(*made_by),
            [ref.fingerprint for ref in inputs],
            [section.model_dump(mode="json") for section in sections],
            extra,
        ]
        self.fingerprint = hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()[:24]
        super().__init__(run, name, run.workspace / "tables" / f"{name}-{self.fingerprint}", made_by)
        self.counts: Counts = {}
        self.facts: dict[str, Any] = {}
        self.finished = False
        self.seconds_before = self.cpu_before = self.memory_before = 0.0
        self._named: set[Path] = set()

    def __enter__(self) -> Self:
        self.path.mkdir(parents=True, exist_ok=True)
        for leftover in self.path.glob(".*.tmp"):
            leftover.unlink()
        take(self.path)
        self.finished = self._intact()
        if self.finished:
            give(self.path)
            if self.table is self.row.tables[0]:
                with self.progress(None) as bar:
                    bar.reused()
        else:
            for record in self.path.glob("_*.json"):
                discard(record)
            self.run.make_room()
            reset_peak_memory()
            self._started, self._cpu_started = time.monotonic(), time.process_time()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and not self.finished:
            self._seal()

    def progress(self, total: int | None, unit: str = "documents") -> AbstractContextManager[Bar]:
        """Show the progress of the stage while the block runs; see `stage_progress`."""
        return stage_progress(self.row.name, total, unit)

    def part(self, index: int) -> Path:
        """Path of part `index`, which belongs to the table from now on."""
        path = self.path / part_name(index)
        self._named.add(path)
        return path

    def missing(self, parts: int) -> list[int]:
        """Indices below `parts` that are not on disk yet."""
        return [index for index in range(parts) if not self.part(index).exists()]

    def write(self, index: int, frame: pl.DataFrame, group: int | None = None, *, dense: bool = False) -> None:
        """Write one part, in row groups of `group` rows; readers see it whole or not at all.

        What is `dense`, such as hashes, is written as it is: compressing it would save an eighth.
        """
        with atomic_path(self.part(index)) as temporary:
            write_part(frame, temporary, group, dense=dense)
        mirror(self.part(index))

    @property
    def ref(self) -> TableRef:
        """Reference to the sealed table."""
        return sealed(self.path)

    def _intact(self) -> bool:
        done = self.path / DONE
        if not done.exists():
            return False
        try:
            files = {name: File(*told) for name, told in json.loads(done.read_text()).get("files", {}).items()}
        except (ValueError, TypeError):
            return False
        for name, told in files.items():
            path = self.path / name
            if path.exists() and file_of(path) != told:
                discard(path)
        return bool(files) and all((self.path / name).exists() for name in files)

    def _seal(self) -> None:
        for stale in set(self.path.glob("part-*.parquet")) - self._named:
            discard(stale)  # an interrupted run may have cut its rows otherwise
        for leftover in self.path.glob(".*.tmp"):
            leftover.unlink(missing_ok=True)  # of a worker that was killed
        parts = sorted(self.path.glob("part-*.parquet"))
        for part in parts:
            self.table.hold(pl.read_parquet_schema(part))
        files = sorted(path for path in self.path.iterdir() if not path.name.startswith(("_", ".")))
        write_json(
            self.path / DONE,
            {
                "name": self.name,
                "rows": sum(pq.read_metadata(part).num_rows for part in parts),
                "files": {path.name: file_of(path) for path in files},
                "counts": self.counts,
                "facts": self.facts,
                "token": self.run.token,
                "seconds": round(time.monotonic() - self._started + self.seconds_before, 3),
                "cpu_seconds": round(time.process_time() - self._cpu_started + self.cpu_before + self.elsewhere.cpu, 3),
                "elsewhere": self.elsewhere._asdict(),
                "peak_memory_mb": max(peak_memory_mb(), self.memory_before),
            },
        )
        give(self.path)


def _made_by(row: Row, sections: tuple[BaseModel, ...]) -> list[str]:
    """Names of the source that a table follows from."""
    classes = (type(section) for section in sections)
    held = [f"data_contracts.contracts:{row.contract.name.upper()}"] if row.contract else []
    return ours(row.task, *(f"{one.__module__}:{one.__name__}" for one in classes), *held)
