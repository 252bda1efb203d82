"""How the stages grow with the corpus, and what far larger ones would take; the measured costs that `plan` grows on.

    python -m tests.benchmarks.common.processes LOG python -m flows curate CORPUS --memory-limit 6GB
        --out OUT > OUT.json
    python -m tests.benchmarks.scale.growth ALONE SPREAD SPREAD [--larger OUT] [--costs tasks/plan/costs.json]
        [--document docs/scale.md]

Each is what one run of `curate` left, with its workspace, with what the whole processes cost beside it (OUT.json):
ALONE in one process, both SPREAD with `--runner processes` on corpora of two sizes, `--larger` in one process on a
larger corpus of the same density of duplicates (`corpora.py` makes such): from that follow the exponents, which else
stay as they are shipped. `--costs` writes what is shipped, `--document` the tables of that page.
"""

import argparse
import json
import math
import re
from pathlib import Path

from tasks.plan.costs import REST, SHIPPED, Measured, Taken, taken
from tasks.plan.forecast import HEAD, Machines, forecast, stage_lines
from tests.benchmarks.common.pages import machine, replace_section

GOALS = {"100 GB": (100e9, Machines(1, 16)), "10 TB": (10e12, Machines(64, 16))}
"""Bytes of text, and on what."""
NIGHT = 12.0
"""Hours that there are."""
LEAST_CPU = 2.0
"""Seconds that a stage must take on the smaller of two corpora before its growth is read off."""


def read(out: Path) -> Taken:
    """What a run took, with the memory of its whole processes."""
    return taken(out)._replace(memory_mb=round(json.loads(out.with_name(f"{out.name}.json").read_text())["memory_mb"]))


def handed_out(one: Taken, other: Taken) -> dict[str, float]:
    """Share of the growth of each stage between two runs that was in workers: what begins once is no part of it."""
    found = {}
    for stage, large in other.stages.items():
        small = one.stages[stage]
        if large.elsewhere:
            grown, elsewhere = large.cpu - small.cpu, large.elsewhere - small.elsewhere
            found[stage] = round(min(1.0, max(0.0, elsewhere / grown)), 3) if grown > 0 else 1.0
    return {stage: share for stage, share in found.items() if share}


def powers(small: Taken, large: Taken) -> dict[str, float]:
    """Exponents of CPU by text above linear, of stages that took long enough."""
    text = math.log(large.text_mb / small.text_mb)
    found = {
        stage: round(math.log(large.stages[stage].cpu / cost.cpu) / text, 3)
        for stage, cost in small.stages.items()
        if cost.cpu >= LEAST_CPU and stage != REST
    }
    return {stage: power for stage, power in found.items() if power > 1}


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


def shared(spread: Taken) -> str:
    """What workers do of each stage, and how even its parts are."""
    lines = [
        "| stage | CPU s | of these in workers | longest part, share of the run | MB of a worker "
        "| MB of the process of the run |",
        f"| --- |{' ---: |' * 5}",
    ]
    for stage, cost in spread.stages.items():
        part = f"{cost.longest / spread.cpu:.1%}" if cost.longest else ""
        peak = f"{cost.worker_mb:,.0f}" if cost.worker_mb else ""
        memory = f"{cost.memory_mb:,.0f}" if cost.memory_mb else ""
        share = cost.elsewhere / cost.cpu if cost.cpu else 0.0
        lines.append(f"| {stage} | {cost.cpu:.1f} | {share:.0%} | {part} | {peak} | {memory} |")
    elsewhere = sum(cost.elsewhere for cost in spread.stages.values())
    lines.append(f"| **all** | {spread.cpu:.1f} | {elsewhere / spread.cpu:.0%} | | | |")
    return "\n".join(lines) + f"\n\n{spread.documents:,} documents, {spread.text_mb:,.0f} MB of text."


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
            f"{_number(enough)} would do within {NIGHT:.0f} hours. "
            f"{plan.table_gb:,.0f} GB of tables, {plan.disk_gb:,.0f} GB of disk in all, {plan.requests:,.0f} requests "
            f"to a store, {plan.conductor_gb:,.0f} GB at least in the process of the run."
        )
    return "\n".join([*lines, "", *notes])


def _number(machines: int | None) -> str:
    return "no number of machines" if machines is None else f"{machines:,} machine{'s' * (machines > 1)}"


def _bytes(measured: Measured) -> float:
    """Of the text of a document."""
    return measured.run.text_mb * 1e6 / measured.run.documents


def main() -> None:
    """Read, tell, write."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("alone", metavar="ALONE", type=Path)
    asked.add_argument("spread", metavar="SPREAD", nargs=2, type=Path)
    asked.add_argument("--larger", metavar="OUT", type=Path, help="how costs grow")
    asked.add_argument("--costs", type=Path, help="write the costs that are shipped")
    asked.add_argument("--document", type=Path, help="page to write")
    given = asked.parse_args()
    alone, larger = read(given.alone), read(given.larger) if given.larger else None
    small, spread = sorted(map(read, given.spread), key=lambda run: run.text_mb)
    shares = handed_out(small, spread)
    worker_mb = max(cost.worker_mb for cost in spread.stages.values())
    grows = powers(alone, larger) if larger else json.loads(SHIPPED.read_text())["powers"]
    measured = Measured(machine(), alone, shares, worker_mb, grows)
    if given.costs:
        plain = measured._asdict() | {"run": alone._asdict()}
        rows = re.sub(r"\[\s+([^\]]*?)\s+\]", lambda row: f"[{' '.join(row[1].split())}]", json.dumps(plain, indent=1))
        given.costs.write_text(f"{rows}\n")
    command = "`python -m tests.benchmarks.scale.growth ALONE SPREAD SPREAD" + (" --larger OUT`" if larger else "`")
    command = f"{command}; {measured.machine}."
    told = {"shared": f"{command}\n\n{shared(spread)}", "plan": goals(measured)}
    if larger:
        told["growth"] = f"{command}\n\n{growth(alone, larger)}"
    for name, text in told.items():
        print(f"\n{text}")
        if given.document:
            replace_section(given.document, name, text)


if __name__ == "__main__":
    main()
