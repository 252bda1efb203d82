"""Costs of the stages as runs left them behind: what a run took, and the measured costs that ship as `costs.json`.

`python -m tests.benchmarks.scale.growth` makes that file. Every figure of a plan is grown on from it.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self

import polars as pl

from tasks.pipeline.registry import STAGES
from tasks.runtime.errors import InputError
from tasks.snapshots.layout import manifest, published
from tasks.storage.work import Elsewhere

SHIPPED = Path(__file__).with_name("costs.json")
REST = "publish"
"""What belongs to no stage: contracts, snapshot, conservation, gate and report."""


class Cost(NamedTuple):
    """What a stage took.

    Attributes:
        cpu: seconds of all processes.
        elsewhere: those of them that workers did.
        longest: seconds of the longest part that a worker did.
        memory_mb: peak of the process of the run.
        worker_mb: largest peak of a worker.
        disk_mb: of its tables.
        files: of its tables.
    """

    cpu: float
    elsewhere: float
    longest: float
    memory_mb: float
    worker_mb: float
    disk_mb: float
    files: int


class Taken(NamedTuple):
    """What one run took.

    Attributes:
        documents: of the user, without canaries.
        text_mb: MB of their texts.
        stages: cost by stage.
        published_mb: MB of the snapshot, what it shares with others counted in.
        memory_mb: largest sum over all processes, 0 where nobody measured it.
    """

    documents: int
    text_mb: float
    stages: dict[str, Cost]
    published_mb: float
    memory_mb: float = 0.0

    @classmethod
    def read(cls, told: dict[str, Any]) -> Self:
        """Out of JSON, where a tuple is a list."""
        return cls(**{**told, "stages": {name: Cost(*cost) for name, cost in told["stages"].items()}})

    @property
    def cpu(self) -> float:
        """CPU seconds of all stages."""
        return sum(cost.cpu for cost in self.stages.values())


class Measured(NamedTuple):
    """What a plan grows on.

    Attributes:
        machine: what it was measured on.
        run: a run in one process.
        spread: share of each stage's CPU seconds that workers did in a run with `--runner processes`.
        worker_mb: memory of one of these workers.
        powers: exponents by which CPU grew with the text; stages that are not named grow linearly.
    """

    machine: str
    run: Taken
    spread: dict[str, float]
    worker_mb: float
    powers: dict[str, float]


@cache
def shipped() -> Measured:
    """The measured costs of this version."""
    told = json.loads(SHIPPED.read_text())
    return Measured(**{**told, "run": Taken.read(told["run"])})


def taken(out: Path) -> Taken:
    """What the run took that made the published snapshot.

    Raises:
        InputError: its workspace is gone, or a refresh made it.
    """
    snapshot = published(out)
    tables = {name: Path(path) for name, path in manifest(snapshot)["tables"].items()}
    records = {row.name: tables[row.names[0]] / "_table.json" for row in STAGES if row.names[0] in tables}
    gone = [str(path.parent) for path in records.values() if not path.exists()]
    if gone or "documents" not in tables:
        raise InputError(f"{out}: the tables of its run are not there any more, for example {[*gone, 'documents'][0]}")
    stages = {
        row.name: _cost(json.loads(records[row.name].read_text()), [tables[name] for name in row.names])
        for row in STAGES
        if row.name in records and (row.names[0] != "judged" or tables["judged"] != tables["verified"])
    }
    texts = pl.scan_parquet(tables["documents"] / "part-*.parquet").filter(pl.col("canary").is_null())
    rows, size = texts.select(pl.len(), pl.col("text").str.len_bytes().cast(pl.Int64).sum()).collect().row(0)
    own = sum(cost.cpu - cost.elsewhere for cost in stages.values())
    rest = max(0.0, manifest(snapshot).get("cpu_seconds", 0.0) - own)
    cpu, longest, memory_mb = Elsewhere(**manifest(snapshot).get("elsewhere", {}))
    stages[REST] = Cost(round(rest + cpu, 3), cpu, longest, 0.0, memory_mb, 0.0, 0)
    return Taken(rows, size / 1e6, stages, _size_mb([snapshot])[0])


def _cost(record: dict[str, Any], folders: list[Path]) -> Cost:
    disk, files = _size_mb(folders)
    cpu, longest, memory_mb = Elsewhere(**record["elsewhere"])
    return Cost(record["cpu_seconds"], cpu, longest, record["peak_memory_mb"], memory_mb, round(disk, 1), files)


def _size_mb(folders: list[Path]) -> tuple[float, int]:
    """MB and number of all files in some folders."""
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return sum(path.stat().st_size for path in files) / 1e6, len(files)
