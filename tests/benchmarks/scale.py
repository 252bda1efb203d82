"""How the stages grow with the corpus, and what far larger ones would take; the measured costs that `plan` grows on.

    python tests/benchmarks/processes.py LOG python -m flows curate CORPUS --memory-limit 6GB --out OUT > OUT.json
    python tests/benchmarks/scale.py SMALL LARGE SPREAD [--costs tasks/plan/costs.json] [--document docs/scale.md]

Each is what one run of `curate` left, with its workspace, on corpora of `corpora.py`, with what the whole processes
cost beside it (OUT.json): SMALL and LARGE in one process, SPREAD with `--runner processes`. `--costs` writes what is
shipped, `--document` the tables of that page.
"""

import argparse
import json
import math
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from nightly_cost import machine, replace_section

from tasks.plan.costs import LEAST_CPU, REST, Cost, Measured, Taken, taken
from tasks.plan.forecast import HEAD, Machines, forecast, stage_lines

GOALS = {"100 GB": (100e9, Machines(1, 16)), "10 TB": (10e12, Machines(64, 16))}
"""Bytes of text, and on what."""
NIGHT = 12.0
"""Hours that there are."""


def read(out: Path) -> Taken:
    """What a run took, with what of its whole processes is in no stage."""
    run = taken(out)
    whole = json.loads(out.with_name(f"{out.name}.json").read_text())
    run.stages[REST] = Cost(round(whole["cpu"] - run.cpu, 3), 0.0, 0.0, 0.0, 0.0, 0.0, 0)
    return run._replace(memory_mb=round(whole["memory_mb"]))


def exponent(small: Taken, large: Taken, one: float, other: float) -> float:
    """Of the number of documents, by which something grows from one run to the other."""
    return math.log(other / one) / math.log(large.documents / small.documents)


def growth(small: Taken, large: Taken) -> str:
    """CPU seconds and peaks of every stage by size, and how they grow."""
    columns = " | ".join(f"{run.documents:,}: CPU s, MB" for run in (small, large))
    lines = [f"| stage | {columns} | CPU ms a document | grows, CPU | grows, MB |", f"| --- |{' ---: |' * 5}"]
    for stage, other in large.stages.items():
        one = small.stages[stage]
        cells = [f"{cost.cpu:,.1f}" + (f", {cost.memory_mb:,.0f}" if cost.memory_mb else "") for cost in (one, other)]
        cpu = f"{exponent(small, large, one.cpu, other.cpu):.2f}" if one.cpu >= LEAST_CPU else ""
        memory = f"{exponent(small, large, one.memory_mb, other.memory_mb):.2f}" if one.memory_mb else ""
        each = 1000 * other.cpu / large.documents
        lines.append(f"| {stage} | {' | '.join(cells)} | {each:.3f} | {cpu} | {memory} |")
    cells = [f"{run.cpu:,.1f}, {run.memory_mb:,.0f}" for run in (small, large)]
    cpu, memory = exponent(small, large, small.cpu, large.cpu), exponent(small, large, small.memory_mb, large.memory_mb)
    each = 1000 * large.cpu / large.documents
    lines.append(f"| **whole processes** | {' | '.join(cells)} | {each:.3f} | {cpu:.2f} | {memory:.2f} |")
    disk = [
        f"{sum(cost.disk_mb for cost in run.stages.values()):,.0f} MB for {run.text_mb:,.0f} MB of text"
        for run in (small, large)
    ]
    return "\n".join(lines) + f"\n\nTables on disk: {'; '.join(disk)}."


def shared(alone: Taken, spread: Taken) -> str:
    """What workers do of each stage, and how even its parts are."""
    lines = [
        "| stage | CPU s in one process | with workers | of these in workers | longest part, share of the run "
        "| MB of a worker | MB of the process of the run |",
        f"| --- |{' ---: |' * 6}",
    ]
    for stage, cost in spread.stages.items():
        part = f"{cost.longest / spread.cpu:.1%}" if cost.longest else ""
        peak = f"{cost.worker_mb:,.0f}" if cost.worker_mb else ""
        memory = f"{cost.memory_mb:,.0f}" if cost.memory_mb else ""
        lines.append(
            f"| {stage} | {alone.stages[stage].cpu:.1f} | {cost.cpu:.1f} | {cost.elsewhere / cost.cpu:.0%} | {part} "
            f"| {peak} | {memory} |"
        )
    elsewhere = sum(cost.elsewhere for cost in spread.stages.values())
    lines.append(f"| **whole processes** | {alone.cpu:.1f} | {spread.cpu:.1f} | {elsewhere / spread.cpu:.0%} | | | |")
    return "\n".join(lines)


def goals(measured: Measured) -> str:
    """What the goals would take: CPU hours, hours and disk, stage by stage."""
    heads = " | ".join(f"{name}: {' | '.join(HEAD[1:])}" for name in GOALS)
    plans = {name: forecast(size / _bytes(measured), size, measured) for name, (size, _) in GOALS.items()}
    rows = [stage_lines(plans[name], machines) for name, (_, machines) in GOALS.items()]
    lines = [f"| stage | {heads} |", "| --- |" + " ---: |" * (len(HEAD) - 1) * len(GOALS)]
    for several in zip(*rows, strict=True):
        lines.append(f"| {several[0][0]} | {' | '.join(' | '.join(row[1:]) for row in several)} |")
    notes = []
    for name, (_, machines) in GOALS.items():
        plan = plans[name]
        longest = sorted(plan.stages, key=lambda stage: stage.cpu * (stage.spread - 1))[:3]
        alone = ", ".join(f"{stage.stage} {stage.cpu * (1 - stage.spread):,.1f} h" for stage in longest)
        enough = plan.enough(NIGHT, machines.cores)
        notes.append(
            f"- **{name}** on {machines.number} machine{'s' * (machines.number > 1)} of {machines.cores} cores: "
            f"{plan.hours(machines):,.1f} hours, {plan.alone:,.1f} of them in one process (most: {alone}); "
            f"{f'{enough:,} machines' if enough else 'no number of machines'} would do within {NIGHT:.0f} hours. "
            f"{plan.table_gb:,.0f} GB of tables, {plan.disk_gb:,.0f} GB of disk in all, {plan.requests:,.0f} requests "
            f"to a store, {plan.conductor_gb:,.0f} GB at least in the process of the run."
        )
    return "\n".join([*lines, "", *notes])


def _bytes(measured: Measured) -> float:
    """Of the text of a document, in the larger corpus."""
    return measured.large.text_mb * 1e6 / measured.large.documents


def main() -> None:
    """Read, tell, write."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("small", "large", "spread"):
        asked.add_argument(name, metavar=name.upper(), type=Path)
    asked.add_argument("--costs", type=Path, help="write the costs that are shipped")
    asked.add_argument("--document", type=Path, help="page to write")
    given = asked.parse_args()
    small, large, spread = read(given.small), read(given.large), read(given.spread)
    shares = {stage: round(cost.elsewhere / cost.cpu, 4) for stage, cost in spread.stages.items() if cost.elsewhere}
    worker_mb = max(cost.worker_mb for cost in spread.stages.values())
    measured = Measured(machine(), small, large, shares, worker_mb)
    if given.costs:
        plain = measured._asdict() | {"small": small._asdict(), "large": large._asdict()}
        rows = re.sub(r"\[\s+([^\]]*?)\s+\]", lambda row: f"[{' '.join(row[1].split())}]", json.dumps(plain, indent=1))
        given.costs.write_text(f"{rows}\n")
    command = f"`python tests/benchmarks/scale.py SMALL LARGE SPREAD`; {measured.machine}."
    told = {
        "growth": f"{command}\n\n{growth(small, large)}",
        "shared": f"{command}\n\n{shared(small, spread)}",
        "plan": goals(measured),
    }
    for name, text in told.items():
        print(f"\n{text}")
        if given.document:
            replace_section(given.document, name, text)


if __name__ == "__main__":
    main()
