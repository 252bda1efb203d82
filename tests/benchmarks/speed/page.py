"""The page and the plot about the results of `performance.py`."""

import math
from collections.abc import Callable, Iterable
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from tasks.report.html import tag
from tasks.report.svg import svg
from tests.benchmarks.common.pages import machine
from tests.benchmarks.speed.bounds import bounds
from tests.benchmarks.speed.exact_jaccard import THRESHOLD, Reference, judge

if TYPE_CHECKING:
    from contenders import Contender
    from performance import Result

OURS = ("curate", "lexical")
GROWTH_FROM = 10_000
"""Below this many documents start-up is most of what is measured."""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, FOOT = 400, 330, 44, 112, 26, 30


class Summary(NamedTuple):
    """The runs of one contender on one corpus: medians, and the range of its CPU seconds."""

    name: str
    size: str
    documents: int
    megabytes: float
    runs: int
    cpu: float
    least: float
    most: float
    wall: float
    memory_mb: float
    removed: str
    trouble: str


def summaries(results: Iterable["Result"]) -> dict[tuple[str, str], Summary]:
    """By size and name, in the order of size."""
    grouped: dict[tuple[str, str], list[Result]] = {}
    for one in results:
        grouped.setdefault((one.size, one.name), []).append(one)
    return {key: _summary(runs) for key, runs in grouped.items()}


def _summary(runs: "list[Result]") -> Summary:
    first, cpu = runs[0], [one.cost.cpu for one in runs]
    removed = sorted({one.removed for one in runs})
    told = f"{removed[0]:,}" if len(removed) == 1 else f"{removed[0]:,} to {removed[-1]:,}"
    return Summary(
        first.name, first.size, first.documents, first.megabytes, len(runs), median(cpu), min(cpu), max(cpu),
        median(one.cost.wall for one in runs), max(max(one.cost.memory_mb, one.cost.largest_mb) for one in runs),
        told, next((one.trouble for one in runs if one.trouble), ""),
    )  # fmt: skip


def timed(found: dict[tuple[str, str], Summary]) -> str:
    """One table per corpus: every contender, and how much of its CPU time ours take."""
    parts = []
    for size in dict.fromkeys(one.size for one in found.values()):
        rows = {name: one for (of, name), one in found.items() if of == size}
        facts = next(iter(rows.values()))
        parts += [
            f"### {facts.documents:,} documents, {facts.megabytes:,.1f} MB\n",
            "| | removed | CPU s (least to most) | seconds | peak MB | MB per CPU s | `curate` costs "
            "| `lexical` costs |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
            *(_row(one, rows) for one in sorted(rows.values(), key=lambda one: -one.cpu)),
            "",
        ]
    return "\n".join(parts)


def _row(one: Summary, rows: dict[str, Summary]) -> str:
    name = f"**{one.name}**" if one.name in OURS else one.name
    if one.trouble:
        return f"| {name} | {one.trouble} | | | | | | |"
    ratios = [f"{rows[ours].cpu / one.cpu:.2f} x" if ours in rows else "" for ours in OURS]
    cpu = f"{one.cpu:,.1f} ({one.least:,.1f} to {one.most:,.1f})"
    return (f"| {name} | {one.removed} | {cpu} | {one.wall:,.1f} | {one.memory_mb:,.0f} | "
            f"{one.megabytes / one.cpu:,.1f} | {' | '.join(ratios)} |")  # fmt: skip


def growth(found: dict[tuple[str, str], Summary]) -> str:
    """How CPU seconds and memory grow from one corpus to the next: exponents of the number of documents."""
    names = list(dict.fromkeys(one.name for one in found.values()))
    sizes = list(dict.fromkeys(one.size for one in found.values() if one.documents >= GROWTH_FROM))
    if len(sizes) < 2:
        return ""
    steps = list(pairwise(sizes)) + ([(sizes[0], sizes[-1])] if len(sizes) > 2 else [])
    steps += [("100k", "1M")] if {"100k", "1M"} <= set(sizes) and ("100k", "1M") not in steps else []
    heads = [f"{a} to {b}" for a, b in steps]
    lines = [f"| | {' | '.join(heads)} |", "| --- |" + " ---: |" * len(steps)]
    for name in sorted(names, key=lambda name: (name not in OURS, name)):
        told = [_exponents(found.get((a, name)), found.get((b, name))) for a, b in steps]
        if any(told):
            lines.append(f"| {name} | {' | '.join(told)} |")
    return "\n".join(lines)


def _exponents(small: Summary | None, large: Summary | None) -> str:
    if not small or not large or small.trouble or large.trouble:
        return ""
    by = math.log(large.documents / small.documents)
    return f"{math.log(large.cpu / small.cpu) / by:.2f}, {math.log(large.memory_mb / small.memory_mb) / by:.2f}"


def configurations(contenders: "Iterable[Contender]", versions: dict[str, str], unready: dict[str, str]) -> str:
    """Who they are, and who could not run."""
    lines = ["| | version | what it does here |", "| --- | --- | --- |"]
    for one in contenders:
        if one.name not in {*versions, *unready}:
            continue
        told = unready.get(one.name) or one.what
        settings = " ".join(f"`{setting}`" for setting in one.settings)
        more = f"; `--set` {settings}" if settings else ""
        lines.append(f"| {one.name} | {versions.get(one.name, '') if one.driver else 'this one'} | {told}{more} |")
    return "\n".join(lines)


def exact(truth: Reference, removed: dict[str, set[str]]) -> str:
    """What each contender removes, held against all pairs."""
    wanted = int(truth.removed.sum())
    lines = [
        f"All pairs of {len(truth.ids):,} documents: {len(truth.a):,} have Jaccard {THRESHOLD} or more, and {wanted:,} "
        "documents go.\n",
        "| | removed | only here | only in the reference | both, of the reference | wrong | missed "
        "| both, of the reference |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, gone in removed.items():
        told, bold = judge(truth, gone), "**" if name in OURS else ""
        apart, errors = told.only_here + told.only_reference, told.wrong + told.missed
        lines.append(
            f"| {bold}{name}{bold} | {told.removed:,} | {told.only_here:,} | {told.only_reference:,} | "
            f"{apart / wanted:.1%} | {told.wrong:,} | {told.missed:,} | {errors / wanted:.1%} |"
        )
    return "\n".join(lines)


def stages(runs: "list[Result]", rate: dict[str, float]) -> str:
    """CPU seconds of every stage (median of the runs) beside its physical bound."""
    first = runs[0]
    least = bounds(rate, first.amounts)
    lines = [
        f"`{first.name}`, {first.documents:,} documents, {first.megabytes:,.1f} MB.\n",
        "| stage | documents or pairs in | out | CPU s | seconds | peak MB | bound, CPU s | times | the bound is to |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    spent = 0.0
    for stage, told in first.stages.items():
        cpu, wall, peak = (median(run.stages[stage][key] for run in runs) for key in ("cpu", "seconds", "memory_mb"))
        spent += cpu
        unit = "pairs" if told["pairs_in"] is not None else "documents"
        through = [
            f"{told[f'{unit}_{side}']:,}" if told[f"{unit}_{side}"] is not None else "" for side in ("in", "out")
        ]
        bound, what = least.get(stage, (0.0, ""))
        beside = f"{bound:,.3f} | {cpu / bound:,.1f} | {what}" if bound else " | | "
        lines.append(f"| {stage} | {through[0]} | {through[1]} | {cpu:,.2f} | {wall:,.2f} | {peak:,.0f} | {beside} |")
    whole = median(run.cost.cpu for run in runs)
    lines.append(f"| start, contracts, gate, report, snapshot | | | {whole - spent:,.2f} | | | | | |")
    lines.append(f"| **all** | | | {whole:,.2f} | | | | | |")
    return "\n".join(lines)


def rates(rate: dict[str, float]) -> str:
    """The rates behind the bounds, in words."""
    return (
        f"Measured in the same run, one thread: memory {1 / rate['megabyte'] / 1e3:,.1f} GB copied per CPU second; "
        f"parquet read {1 / rate['read']:,.0f} and written {1 / rate['write']:,.0f} million characters per CPU second; "
        f"words hashed out of {1 / rate['words']:,.0f}, then grams of {1 / rate['grams']:,.0f}, windows of "
        f"{1 / rate['windows']:,.0f} million characters per CPU second; the student's matrix products "
        f"{rate['student']:,.1f} microseconds per window of 96 words."
    )


def chart(found: dict[tuple[str, str], Summary]) -> str:
    """CPU seconds and memory by documents, both scales logarithmic."""
    rows = [one for one in found.values() if not one.trouble]
    first = _panel(rows, 0, "CPU seconds", lambda one: one.cpu)
    second = _panel(rows, WIDTH + 10, "peak memory of the process tree, MB", lambda one: one.memory_mb)
    return svg(2 * WIDTH + 10, HEIGHT, "CPU seconds and memory by number of documents", *first, *second)


def _panel(rows: list[Summary], left: int, title: str, value: Callable[[Summary], float]) -> list[Markup]:
    xs, ys = _Scale([one.documents for one in rows]), _Scale([value(one) for one in rows])
    x0, x1, y0, y1 = left + LEFT, left + WIDTH - RIGHT, HEIGHT - FOOT, TOP
    marks = [tag("text", title, x=x0, y=14)]
    for tick in ys.ticks():
        y = round(y0 + (y1 - y0) * ys.place(tick), 1)
        marks += [tag("line", x1=x0, x2=x1, y1=y, y2=y, class_="rule"),
                  tag("text", f"{tick:,.4g}", x=x0 - 6, y=y + 4, text_anchor="end", class_="dim")]  # fmt: skip
    for size, documents in {one.size: one.documents for one in rows}.items():
        x = round(x0 + (x1 - x0) * xs.place(documents), 1)
        marks.append(tag("text", size, x=x, y=y0 + 18, text_anchor="middle", class_="dim"))
    ends = []
    for name in dict.fromkeys(one.name for one in rows):
        points = [
            (round(x0 + (x1 - x0) * xs.place(one.documents), 1), round(y0 + (y1 - y0) * ys.place(value(one)), 1))
            for one in rows
            if one.name == name
        ]
        colour = {"curate": "docs", "lexical": "pairs"}.get(name, "off")
        drawn = " ".join(f"{x},{y}" for x, y in points)
        width = 1.5 if colour == "off" else 2.5
        marks += [tag("polyline", points=drawn, fill="none", stroke=f"var(--{colour})", stroke_width=width),
                  *(tag("circle", cx=x, cy=y, r=width + 0.5, class_=colour) for x, y in points)]  # fmt: skip
        ends.append((points[-1][1], points[-1][0], name, colour))
    return marks + _labels(ends, x1)


def _labels(ends: list[tuple[float, float, str, str]], x1: float) -> list[Markup]:
    """Names beside the ends of their lines, moved apart where they would cover each other."""
    marks, below = [], float(TOP)
    spare = HEIGHT - FOOT + 8 - 12 * len(ends)
    for number, (y, x, name, colour) in enumerate(sorted(ends)):
        at = min(max(y + 4, below + 12), spare + 12 * (number + 1))
        below = at
        marks.append(tag("line", x1=x + 4, y1=y, x2=x1 + 12, y2=at - 4, stroke="var(--line)"))
        bold = None if colour == "off" else "bold"
        marks.append(tag("text", name, x=x1 + 14, y=round(at, 1), font_weight=bold))
    return marks


class _Scale:
    """A logarithmic scale from the least to the largest value."""

    def __init__(self, values: list[float]) -> None:
        self.low, self.high = min(values), max(values)

    def place(self, value: float) -> float:
        """0 for the least, 1 for the largest."""
        return math.log(value / self.low) / (math.log(self.high / self.low) or 1)

    def ticks(self) -> list[float]:
        """1, 3, 10, 30 … within the scale."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        return [step * 10**power for power in powers for step in (1, 3) if self.low <= step * 10**power <= self.high]


def header(results: "list[Result]", texts: bool, everyone: "list[Contender]") -> str:
    """The command that gives these results, and what it ran on."""
    timed = {one.name for one in results}
    peers = [one.name for one in everyone if one.driver and one.name in timed]
    told = ["python -m tests.benchmarks.speed.performance", *(["CORPORA"] if texts else []), "--work DIR"]
    told.append(f"--sizes {','.join(dict.fromkeys(one.size for one in results))}")
    told.append(f"--runs {max((one.run for one in results), default=0)}")
    told += [f"--peers {','.join(peers) or 'none'}"] if len(peers) < sum(bool(one.driver) for one in everyone) else []
    return f"`{' '.join(told)}`; {machine()}. Whole processes, start and end included; medians of the runs."
