"""Error rates of the whole run, estimated from the answers about a sample."""

from collections.abc import Iterable
from pathlib import Path

from models.evaluation.intervals import Rate, Stratum, of_population, pooled
from tasks.audit.answers import RIGHT, UNSURE, WRONG, Answer
from tasks.audit.cases import CUT, NEAR, Case, Sample
from tasks.explain.wording import typed
from tasks.quality.conservation_summary import figures
from tasks.runtime.terminal_table import table
from tasks.snapshots.layout import manifest

_HEAD = ("", "in the run", "read", "right", "wrong", "unsure", "wrong, with 95 % interval", "that means")
TOLD = {CUT: "cuts", NEAR: "nearest pairs that were kept"}


def told(snapshot: str, seed: int, sample: Sample, answers: Iterable[Answer]) -> str:
    """A table by type, its sums and what it means, for a terminal."""
    given = [*answers]
    known = {answer.case.key for answer in given}
    read = sum(case.key in known for case in sample.cases)
    rows = []
    removals = [name for name in sample.populations if name not in TOLD]
    for stratum, population in sample.populations.items():
        here = _counts([answer for answer in given if answer.case.stratum == stratum])
        rate = of_population(_stratum(population, here))
        rows.append(_row(TOLD.get(stratum) or typed(stratum), population, here, rate))
        if [stratum] == removals[-1:]:
            rows.append(_sum(sample, removals, given))
    title = f"Audit of snapshot {snapshot}, seed {seed}: {read} of {len(sample.cases)} cases read"
    return "\n".join([title, "", table(_HEAD, rows, range(1, 6)), "", *_notes(sample, removals, given)])


def by_machine(snapshot: Path) -> list[str]:
    """Conservation figures of all removals and cuts of the run, of a night of what it decided; none if not measured."""
    if not (snapshot / "conservation").exists():
        return []
    found = figures(snapshot)
    named = {
        "survivors_lacking": "removals whose survivor, as published, lacks a tenth of their words",
        "removals_that_lose_a_passage": "removals of which a run of words stands nowhere in what is published",
        "cut_passages_without_a_copy": "cut passages of which a run of words stands nowhere in what is published",
    }
    counted = [(words, found[name]) for name, words in named.items()]
    lines = [f"  {one['lost']:,} of {one['of']:,} ({one['share']:.2%}) {words}" for words, one in counted]
    over = "what the last night decided" if manifest(snapshot).get("refresh") else "all of them"
    return ["", f"By machine, over {over}:", *lines]


def _sum(sample: Sample, removals: list[str], given: list[Answer]) -> tuple[str, ...]:
    """All removals, every type weighing as much as it has in the run."""
    counts = _counts([answer for answer in given if answer.case.stratum in removals])
    population = sum(sample.populations[name] for name in removals)
    return _row("all removals, types weighed", population, counts, _pooled(sample, removals, given))


def _pooled(sample: Sample, removals: list[str], given: list[Answer], *, doubtful: bool = False) -> Rate | None:
    strata = []
    for name in removals:
        here = _counts([answer for answer in given if answer.case.stratum == name])
        strata.append(_stratum(sample.populations[name], here, doubtful=doubtful))
    return pooled(strata)


def _notes(sample: Sample, removals: list[str], given: list[Answer]) -> list[str]:
    unread = [name for name in removals if not any(answer.case.stratum == name for answer in given)]
    notes = []
    if unread:
        notes.append(f"Nothing was read of {', '.join(unread)}: the sum is about the other types only.")
    if any(answer.answer == UNSURE and answer.case.stratum in removals for answer in given):
        rate = _pooled(sample, removals, given, doubtful=True)
        notes.append(f"If every unsure removal is wrong, it is {_rate(rate)}.")
    notes += [f"wrong: {_named(one.case)}{': ' + one.note if one.note else ''}" for one in given if one.answer == WRONG]
    return notes


def _named(case: Case) -> str:
    if case.kind == CUT:
        return f"cut {case.start} to {case.end} of {case.doc_id}"
    between = "in favour of" if case.kind not in TOLD else "beside"
    return f"{case.stratum}, {case.doc_id} {between} {case.other_id}"


def _counts(given: list[Answer]) -> dict[str, int]:
    return {name: sum(one.answer == name for one in given) for name in (RIGHT, WRONG, UNSURE)}


def _stratum(population: int, counts: dict[str, int], *, doubtful: bool = False) -> Stratum:
    return Stratum(population, sum(counts.values()), counts[WRONG] + (counts[UNSURE] if doubtful else 0))


def _row(name: str, population: int, counts: dict[str, int], rate: Rate | None) -> tuple[str, ...]:
    cells = (name, f"{population:,}", f"{sum(counts.values()):,}", *(f"{count:,}" for count in counts.values()))
    if rate is None:
        return (*cells, "", "")
    low, middle, high = (round(population * share) for share in (rate.low, rate.share, rate.high))
    return (*cells, _rate(rate), f"{middle:,} ({low:,} to {high:,}) wrong in the run")


def _rate(rate: Rate | None) -> str:
    return "" if rate is None else f"{rate.share:.1%} ({rate.low:.1%} to {rate.high:.1%})"
