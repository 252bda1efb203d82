"""How the stages grow with the corpus, and what far larger ones would take; writes the tables of docs/scale.md.

    python tests/benchmarks/processes.py LOG python -m flows curate CORPUS --memory-limit 6GB --out OUT > OUT.json
    python tests/benchmarks/scale.py OUT... [--document docs/scale.md]

Each OUT is what one run of `curate` left, with its workspace, best on corpora of `corpora.py` of several sizes; what
the whole processes cost is read from OUT.json where it stands. Of a run that has not ended its finished stages count.
"""

import argparse
import json
import math
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import polars as pl
from nightly_cost import machine, replace_section, size_mb

from tasks.pipeline.registry import STAGES

SPREADS = ("embed", "sign", "describe", "verify")
"""Stages that work part by part, or batch by batch, and could do so on any number of machines."""
LEAST_CPU = 2.0
"""Seconds that a stage must take on the smaller of two corpora before its growth is read off."""
CORES, USED, NIGHT = 16, 0.7, 12.0
"""The assumed machine, the share of its cores that a stage which spreads keeps busy, and the hours there are."""
GOALS = {"100 GB": 100e9, "10 TB": 10e12}
"""Bytes of text."""


class Cost(NamedTuple):
    """Of a stage: CPU and wall seconds, peak of the process in MB, MB of its tables."""

    cpu: float
    seconds: float
    memory_mb: float
    disk_mb: float


class Taken(NamedTuple):
    """One run: `whole` has CPU seconds, wall seconds and peak MB of all processes, or None."""

    documents: int
    megabytes: float
    stages: dict[str, Cost]
    workspace_mb: float
    whole: tuple[float, float, float] | None


def taken(out: Path) -> Taken:
    """Read what a run left behind."""
    tables = {path.name.rsplit("-", 1)[0]: path for path in (out / "workspace" / "tables").iterdir()}
    stages = {}
    for row in STAGES:
        name = row.names[0]
        if name not in tables or not (tables[name] / "_table.json").exists():
            continue  # the run has not come so far
        record = json.loads((tables[name] / "_table.json").read_text())
        disk = sum(size_mb(tables[one]) for one in row.names)
        stages[row.name] = Cost(record["cpu_seconds"], record["seconds"], record["peak_memory_mb"], disk)
    texts = pl.scan_parquet(tables["documents"] / "part-*.parquet").filter(pl.col("canary").is_null())
    rows, size = texts.select(pl.len(), pl.col("text").str.len_bytes().cast(pl.Int64).sum()).collect().row(0)
    told = out.with_name(f"{out.name}.json")
    cost = json.loads(told.read_text()) if told.exists() else None
    whole = (cost["cpu"], cost["wall"], cost["memory_mb"]) if cost else None
    return Taken(rows, size / 1e6, stages, size_mb(out / "workspace"), whole)


def exponent(small: Taken, large: Taken, one: float, other: float) -> float:
    """Of the number of documents, by which something grows from one run to the other."""
    return math.log(other / one) / math.log(large.documents / small.documents)


def made(runs: list[Taken]) -> list[str]:
    """The stages that any run finished; the judge is one only where it is switched on."""
    return [row.name for row in STAGES if any(row.name in run.stages for run in runs)]


def last_two(runs: list[Taken], stage: str) -> tuple[Taken, Taken]:
    """The two largest runs that finished a stage."""
    finished = [run for run in runs if stage in run.stages]
    if len(finished) < 2:
        raise SystemExit(f"growth takes two runs of different sizes that finished {stage}")
    return finished[-2], finished[-1]


def measured(runs: list[Taken]) -> str:
    """CPU seconds and peaks of every stage by size, and how they grow between the two largest that finished it."""
    columns = " | ".join(f"{run.documents:,}: CPU s, MB" for run in runs)
    lines = [
        f"| stage | {columns} | CPU ms a document | grows, CPU | grows, MB |",
        "| --- |" + " ---: |" * (len(runs) + 3),
    ]
    for stage in made(runs):
        costs = [run.stages.get(stage) for run in runs]
        cells = [f"{cost.cpu:,.1f}, {cost.memory_mb:,.0f}" if cost else "" for cost in costs]
        small, large = last_two(runs, stage)
        one, other = small.stages[stage], large.stages[stage]
        cpu = f"{exponent(small, large, one.cpu, other.cpu):.2f}" if one.cpu >= LEAST_CPU else ""
        memory = f"{exponent(small, large, one.memory_mb, other.memory_mb):.2f}"
        each = 1000 * other.cpu / large.documents
        lines.append(f"| {stage} | {' | '.join(cells)} | {each:.3f} | {cpu} | {memory} |")
    done = [run for run in runs if run.whole]
    told = [f"{run.whole[0]:,.1f}, {run.whole[2]:,.0f}" if run.whole else "" for run in runs]
    if len(done) > 1:
        (cpu, _, memory), (more_cpu, _, more_memory) = (run.whole for run in done[-2:] if run.whole)
        grown = [exponent(*done[-2:], *pair) for pair in ((cpu, more_cpu), (memory, more_memory))]
        each = 1000 * more_cpu / done[-1].documents
        lines.append(f"| **whole processes** | {' | '.join(told)} | {each:.3f} | {grown[0]:.2f} | {grown[1]:.2f} |")
    disk = [f"{run.workspace_mb:,.0f} MB for {run.megabytes:,.0f} MB of text" for run in runs]
    return "\n".join(lines) + f"\n\nWorkspace on disk: {'; '.join(disk)}."


def cpu_hours(runs: list[Taken], stage: str, size: float) -> float:
    """CPU hours of a stage on that many bytes of text, grown on from its two largest runs, never below linear."""
    small, large = last_two(runs, stage)
    one, other = small.stages[stage].cpu, large.stages[stage].cpu
    power = max(1.0, exponent(small, large, one, other)) if one >= LEAST_CPU else 1.0
    return other / 3600 * (size / 1e6 / large.megabytes) ** power


def table_gb(runs: list[Taken], stage: str, size: float) -> float:
    """GB of the tables that a stage writes."""
    large = last_two(runs, stage)[1]
    return large.stages[stage].disk_mb / large.megabytes * size / 1e9


def planned(runs: list[Taken]) -> str:
    """What the goals would take: CPU hours, hours on one machine and disk, stage by stage."""
    heads = " | ".join(f"{name}: CPU h | h on one machine | GB of tables" for name in GOALS)
    lines = [f"| stage | {heads} |", "| --- |" + " ---: |" * (3 * len(GOALS))]
    notes = []
    for stage in made(runs):
        cells = []
        for size in GOALS.values():
            cpu = cpu_hours(runs, stage, size)
            hours = cpu / (CORES * USED) if stage in SPREADS else cpu
            cells += [f"{cpu:,.1f}", f"{hours:,.1f}", f"{table_gb(runs, stage, size):,.0f}"]
        lines.append(f"| {stage}{' *' if stage in SPREADS else ''} | {' | '.join(cells)} |")
    for name, size in GOALS.items():
        spread = sum(cpu_hours(runs, stage, size) for stage in SPREADS) / (CORES * USED)
        alone = {stage: cpu_hours(runs, stage, size) for stage in made(runs) if stage not in SPREADS}
        slowest = max(alone, key=lambda stage: alone[stage])
        left = NIGHT - sum(alone.values())
        machines = math.ceil(spread / left) if left > 0 else 0
        enough = (
            f"{machines:,} machine{'s' * (machines > 1)} would do" if machines else "no number of machines would do"
        )
        tables = sum(table_gb(runs, stage, size) for stage in made(runs))
        notes.append(
            f"- **{name}**: {sum(alone.values()):,.1f} hours in stages that stay on one machine, the longest {slowest} "
            f"({alone[slowest]:,.1f} h), and {spread:,.1f} machine hours in those marked *: {enough} within "
            f"{NIGHT:.0f} hours. {tables:,.0f} GB of tables, and the text twice more while it is sorted."
        )
    return "\n".join([*lines, "", *notes])


def main() -> None:
    """Read, tell, write."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("outs", metavar="OUT", nargs="+", type=Path, help="at least two")
    asked.add_argument("--document", type=Path, help="page to write")
    given = asked.parse_args()
    runs = sorted((taken(out) for out in given.outs), key=lambda run: run.documents)
    if len(runs) < 2:
        asked.error("growth takes two runs of different sizes")
    command = f"`python tests/benchmarks/scale.py {' '.join('OUT' for _ in runs)}`; {machine()}."
    for name, text in {"growth": f"{command}\n\n{measured(runs)}", "plan": planned(runs)}.items():
        print(f"\n{text}")
        if given.document:
            replace_section(given.document, name, text)


if __name__ == "__main__":
    main()
