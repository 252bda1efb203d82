"""Forecast of a run: CPU hours, hours on so many machines, memory, disk, requests and money, stage by stage.

CPU grows with the text by the measured exponents, tables and files linearly. What workers do is
divided by machines and cores, all else is counted as one core of one machine: it stays in the process of the run.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from tasks.plan.corpus_sample import Sampled
from tasks.plan.costs import REST, Measured, Taken
from tasks.runtime.terminal_table import table

USED = 0.7
"""Share of the cores that a stage which is handed out keeps busy."""
REQUESTS = 4.3
"""Of an object store for each file of a table, where workers have folders of their own (docs/runners.md)."""
HELD_BYTES = 300
"""For a document in the process of the run, whatever its limit: codes, claims, permissions (docs/scale.md)."""
BASE_MB = 900
"""Of the process of the run and its server at 10,000 documents (docs/scale.md)."""
SORTED = 2
"""Times the text that lies on disk while it is read and numbered."""
MONTH_HOURS = 730


class Machines(NamedTuple):
    """Machines of one kind."""

    number: int = 1
    cores: int = 16

    def hours(self, cpu: float, spread: float) -> float:
        """Hours that CPU hours take, of which a share is handed out."""
        return cpu * (1 - spread) + cpu * spread / (self.number * self.cores * USED)


class Prices(NamedTuple):
    """Money in any currency; None where a price is not known."""

    hour: float | None = None
    gb_month: float | None = None
    million_requests: float | None = None

    def of(self, machine_hours: float, gigabytes: float, hours: float, requests: float) -> float | None:
        """Sum of what has a price; None where nothing has."""
        told = [
            price * amount
            for price, amount in (
                (self.hour, machine_hours),
                (self.gb_month, gigabytes * hours / MONTH_HOURS),
                (self.million_requests, requests / 1e6),
            )
            if price is not None
        ]
        return sum(told) if told else None


class StagePlan(NamedTuple):
    """What a stage will cost.

    Attributes:
        cpu: CPU hours.
        spread: share of them that workers do.
        power: exponent by which they grow with the text.
        table_gb: GB of its tables.
        files: of its tables.
    """

    stage: str
    cpu: float
    spread: float
    power: float
    table_gb: float
    files: float


class Forecast(NamedTuple):
    """What a corpus will cost."""

    documents: float
    text_gb: float
    stages: list[StagePlan]
    published_gb: float

    @property
    def cpu(self) -> float:
        """CPU hours of all stages."""
        return sum(stage.cpu for stage in self.stages)

    @property
    def alone(self) -> float:
        """Hours that stay in the process of the run, however many machines there are."""
        return sum(stage.cpu * (1 - stage.spread) for stage in self.stages)

    @property
    def table_gb(self) -> float:
        """GB of all tables."""
        return sum(stage.table_gb for stage in self.stages)

    @property
    def disk_gb(self) -> float:
        """GB that must be free: tables, snapshot, and the text while it is sorted."""
        return self.table_gb + self.published_gb + SORTED * self.text_gb

    @property
    def requests(self) -> float:
        """Of an object store, where the workspace is in one."""
        return REQUESTS * sum(stage.files for stage in self.stages)

    @property
    def conductor_gb(self) -> float:
        """GB that the process of the run needs at least, whatever its limit."""
        return (BASE_MB + self.documents * HELD_BYTES / 1e6) / 1e3

    def hours(self, machines: Machines) -> float:
        """Hours on some machines."""
        return sum(machines.hours(stage.cpu, stage.spread) for stage in self.stages)

    def enough(self, hours: float, cores: int) -> int | None:
        """Least number of machines that are done in so many hours; None where none are."""
        left = hours - self.alone
        return math.ceil((self.cpu - self.alone) / (cores * USED) / left) if left > 1e-9 else None


def forecast(documents: float, text_bytes: float, measured: Measured) -> Forecast:
    """Grow measured costs to a corpus."""
    run = measured.run
    grown = text_bytes / 1e6 / run.text_mb
    stages = []
    for stage, cost in run.stages.items():
        power = measured.powers.get(stage, 1.0)
        # What starts once does not shrink with the corpus: of that only `REST` has much.
        cpu = cost.cpu * (grown**power if stage != REST else max(grown, 1.0)) / 3600
        spread = measured.spread.get(stage, 0.0)
        disk = cost.disk_mb * grown / 1e3
        stages.append(StagePlan(stage, cpu, spread, power, disk, max(1.0, cost.files * grown)))
    return Forecast(documents, text_bytes / 1e9, stages, run.published_mb * grown / 1e3)


HEAD = ("stage", "CPU h", "by workers", "hours", "GB of tables")
SECONDS = ("stage", "CPU s", "by workers", "seconds", "GB of tables")
"""The same of a plan of less than a CPU hour."""


def stage_lines(plan: Forecast, machines: Machines, units: float = 1.0) -> Iterator[tuple[str, str, str, str, str]]:
    """Stages as `HEAD` names their columns, the sum last; an hour has so many units of time."""

    def line(name: str, cpu: float, spread: float, hours: float, table_gb: float) -> tuple[str, str, str, str, str]:
        return name, _short(cpu * units), f"{spread:.0%}", _short(hours * units), _short(table_gb)

    for stage in plan.stages:
        yield line(stage.stage, stage.cpu, stage.spread, machines.hours(stage.cpu, stage.spread), stage.table_gb)
    yield line("all", plan.cpu, 1 - plan.alone / plan.cpu, plan.hours(machines), plan.table_gb)


def told(
    sampled: Sampled, plan: Forecast, machines: Machines, prices: Prices, measured: Measured, within: float
) -> str:
    """The plan in words, with what it rests on."""
    kind = f"{machines.number:,} machine{'s' * (machines.number > 1)} of {machines.cores} cores"
    longest = max(plan.stages, key=lambda stage: stage.cpu * (1 - stage.spread))
    enough = plan.enough(within, machines.cores)
    within_told = f"{enough:,} of these machines" if enough else "no number of machines, as long as that stays so"
    rate = plan.text_gb * 1e9 / max(plan.documents, 1)
    hours = plan.hours(machines)
    unit, units = ("hours", 1.0) if plan.cpu >= 1 else ("seconds", 3600.0)
    lines = [
        f"corpus: about {plan.documents:,.0f} documents, {_short(plan.text_gb)} GB of text ({rate:,.0f} bytes each) in "
        f"{sampled.files:,} files of {_short(sampled.file_bytes / 1e9)} GB; {sampled.looked_at:,} documents looked at",
        "",
        table(HEAD if units == 1 else SECONDS, stage_lines(plan, machines, units), right=(1, 2, 3, 4)),
        "",
        f"time: {_short(hours * units)} {unit} on {kind}; {_short(plan.alone * units)} of them are work of one "
        f"process, which no machine more takes away, most of it {longest.stage} "
        f"({_short(longest.cpu * (1 - longest.spread) * units)})",
        f"within {within:g} hours: {within_told}",
        f"memory: {measured.worker_mb / 1e3:.1f} GB a worker (one a core), {_short(plan.conductor_gb)} GB at least for "
        "the process of the run; more lets it spill less",
        f"disk: {_short(plan.disk_gb)} GB: tables {_short(plan.table_gb)}, snapshot {_short(plan.published_gb)}, and "
        "twice the text while it is sorted",
        f"requests: {plan.requests:,.0f}, if the workspace is in an object store",
    ]
    money = prices.of(hours * machines.number, plan.table_gb + plan.published_gb, hours, plan.requests)
    lines.append(
        "money: name --price-hour, --price-gb-month or --price-requests" if money is None else f"money: {money:,.2f}"
    )
    lines += [
        "",
        f"Measured on {measured.machine}: {measured.run.documents:,} documents of "
        f"{measured.run.text_mb * 1e6 / measured.run.documents:,.0f} bytes. CPU is grown with the bytes of text; what "
        "compares pairs follows how much of a corpus is copied, which a sample cannot see. --out says afterwards how "
        "far it was off.",
    ]
    return "\n".join(lines)


def plain(
    plan: Forecast, machines: Machines, prices: Prices, within: float, run: Taken | None = None
) -> dict[str, Any]:
    """The figures of a plan for other programs; with a run, what that took of each stage."""
    hours = plan.hours(machines)
    return {
        "documents": round(plan.documents),
        "text_gb": plan.text_gb,
        "cpu_hours": plan.cpu,
        "hours": hours,
        "hours_of_one_process": plan.alone,
        "machines": machines.number,
        "machines_enough": plan.enough(within, machines.cores),
        "disk_gb": plan.disk_gb,
        "requests": round(plan.requests),
        "money": prices.of(hours * machines.number, plan.table_gb + plan.published_gb, hours, plan.requests),
        "stages": {stage.stage: stage._asdict() for stage in plan.stages},
        "taken_cpu_seconds": {name: cost.cpu for name, cost in run.stages.items()} if run else None,
    }


OFF_HEAD = ("stage", "planned CPU s", "taken", "off")


def off(plan: Forecast, run: Taken) -> str:
    """How far a plan was off, stage by stage: 1.20 where a run took a fifth more than planned."""
    rows = []
    for stage in plan.stages:
        if stage.stage in run.stages:
            rows.append((stage.stage, stage.cpu * 3600, run.stages[stage.stage].cpu))
    rows.append(("all of these", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    gigabytes = sum(cost.disk_mb for cost in run.stages.values()) / 1e3
    sizes = [
        ("documents", plan.documents, float(run.documents)),
        ("GB of text", plan.text_gb, run.text_mb / 1e3),
        ("GB of tables", plan.table_gb, gigabytes),
        ("GB of the snapshot", plan.published_gb, run.published_mb / 1e3),
    ]
    told = [(name, _short(one), _short(other), _ratio(one, other)) for name, one, other in [*rows, *sizes]]
    return table(OFF_HEAD, told, right=(1, 2, 3))


def _ratio(planned: float, taken: float) -> str:
    return f"{taken / planned:.2f}" if planned else ""


def _short(value: float) -> str:
    """No more digits than matter."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.3f}"
