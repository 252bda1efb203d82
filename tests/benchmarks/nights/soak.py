"""Soak: sixty nights in a row of a corpus whose truth is known, with all that befalls an installation in that time.

    python -m tests.benchmarks.nights.soak [CORPORA] --work DIR [--start 400] [--nights 60] [--document docs/soak.md]

Nights bring 7 to 90 documents as `fourteen.py` plants them (copies, edits, parts, parents, look-alikes, returns,
notices that spread, deletions), in Parquet and JSON lines by turns, with columns that come, go, and change their type.
What befalls: every third run is stopped by a signal or killed somewhere on its way and begun again; every fifth night
space is freed (`gc --keep 3`); some nights come after a rollback of two nights, bring the file of the night before
again, or come after a file that must be refused; every twentieth night is run by `semhash-llm serve`, whose server,
worker or all processes were killed and started anew before.

After every night must hold what `fourteen.py` demands, and: columns of what is published are as they came (as text,
once types had nothing in common); no temporary file is left; a run with the same file again does nothing; a refused one
leaves all as it was. At the end of each quarter all live documents are curated at once, too, in a folder of their own:
the nights must have found as much as that does, over all four and at the last. Disk is bounded, and nights take no
longer; else exit code 1.
"""

import argparse
import json
import shutil
import signal
import statistics
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import polars as pl

from tasks.snapshots.history import history
from tasks.snapshots.layout import manifest
from tasks.storage.atomic import unfinished
from tests.benchmarks.common.corpora import Piece, corpus
from tests.benchmarks.common.pages import machine, replace_section
from tests.benchmarks.nights.cost import size_mb
from tests.benchmarks.nights.fourteen import Diary, must, read
from tests.benchmarks.nights.planted import Night, World
from tests.e2e.station import Station
from tests.fuzz import runs

SIZES = (7, 12, 25, 40, 90)
"""Documents of a night."""
KEEP = 3
"""Snapshots that `gc` leaves."""
SIGNALS = ("SIGKILL", "SIGINT", "SIGTERM", "SIGHUP")
BACK, AGAIN, ODD = (13, 29, 44), (18, 37), (23, 51)
"""Nights after a rollback, that bring the file before again, and after one that must be refused."""
SETTINGS = ("gate.max_content_lost=1", "gate.max_source_content_lost=1", "gate.max_published_loss=1")
"""Of a corpus this small any deletion is a large share."""
FALLS = ("prefect server", "prefect worker", "")
"""Parts of `serve` that are killed in turn; all of them."""
QUALITY = 0.1
"""How much less nights may have found than one run over the same documents: a share of some dozen."""
SLOWER, LARGER = 2.0, 1.5
"""How many times the seconds and the disk of the first quarter of the nights the last may take."""
PLANTED = ("copies removed", "parts removed", "look-alikes kept", "notices cut")
Shares = tuple[tuple[int, int], ...]
"""Of `PLANTED`: found, and all."""


class Told(NamedTuple):
    """One night in figures; shares as (found, all)."""

    night: int
    arrived: int
    deleted: int
    live: int
    kept: int
    shares: Shares
    strange: int
    befell: list[str]
    seconds: float | None
    mb: float


class Soak(Diary):
    """An installation over many nights, and what is known of its documents at each snapshot."""

    def __init__(self, world: World, work: Path, most: int, stack: ExitStack) -> None:
        super().__init__(world, work)
        self.most, self.stack = most, stack
        self.extras: dict[str, dict[str, Any]] = {}
        self.states: dict[str, tuple[Any, ...]] = {}
        self.told: list[Told] = []
        self.at_once: dict[int, Shares] = {}
        self.station: Station | None = None
        self.before: tuple[Night, Path] | None = None
        self.seconds = 10.0

    def first(self, count: int) -> Told:
        """Curate the corpus of the first day."""
        night = self.world.first(count)
        file = self._written(0, night)
        seconds = self._run("curate", str(file), *self._lists(file)).seconds
        return self._note(0, night, [], seconds)

    def live_on(self, number: int) -> Told:
        """One night with what befalls it."""
        random, befell = Random(f"{self.world.seed}/befalls {number}"), list[str]()
        if number in BACK:
            befell.append(self._rolled_back())
        again = number in AGAIN and self.before is not None
        if again and self.before:
            night = self.world.again(self.before[0])
            befell.append("the file of the night before")
            file = self.before[1].rename(self.work / f"night-{number:02}{self.before[1].suffix}")
        else:
            night = self._within(self.world.night(number, random.choice(SIZES)), random)
            file = self._written(number, night)
        if again:
            night = night._replace(deleted=[])
        if number in ODD:
            befell.append(self._refused(file))
        words = ["refresh", str(file), *self._lists(file, night.deleted)]
        seconds = None
        if number % 3 == 0:
            befell.append(self._stopped(words, random))
        if number % 20 == 10:
            befell.append(self._served(number, file, night))
        else:
            took = self._run(*words).seconds
            if number % 3:  # else some of it was done before
                self.seconds = seconds = took
        if number % 5 == 0:
            now = self._now()
            self._run(*words)
            must(self._now() == now, "the same night again published")
            befell.append("the same again")
            befell.append(self._freed(number))
        self.before = night, file
        return self._note(number, night, befell, seconds)

    def curate_at_once(self) -> None:
        """Note what is found when all documents that are live tonight are curated in one run."""
        number, nights = self.told[-1].night, self.out
        file, self.out = self.work / f"live-{number:02}.parquet", self.work / f"at-once-{number:02}"
        pieces = [known.piece for known in self.world.live.values()]
        pl.DataFrame(pieces, schema=list(Piece._fields), orient="row").write_parquet(file)
        self._run("curate", str(file), *self._lists(file), "--set", "gate.canaries=false")  # some dozen prove little
        found = dict(read(self.out / "current", "decisions").select("doc_id", "action").iter_rows())
        self.at_once[number], self.out = self._quality(found), nights

    def verdict(self) -> list[str]:
        """What the nights found less of than one run finds, and whether disk and time grew."""
        found, marks = [], list(self.at_once)
        for numbers in (marks, marks[-1:]):
            held, best = shares(self.told[number].shares for number in numbers), shares(map(self.at_once.get, numbers))
            found += [
                f"{what} after night {', '.join(map(str, numbers))}: {now:.3f}, at once {then:.3f}"
                for what, now, then in zip(PLANTED, held, best, strict=True)
                if now < then - QUALITY
            ]
        quarter = len(self.told) // 4
        early, late = self.told[1 : 1 + quarter], self.told[-quarter:]
        took = [statistics.median(one.seconds for one in some if one.seconds) for some in (early, late)]
        found += [f"a night takes {took[0]:.1f} s, then {took[1]:.1f} s"] if took[1] > SLOWER * took[0] else []
        disk = [max(one.mb for one in some) for some in (early, late)]
        return found + ([f"disk: {disk[0]:.1f} MB, then {disk[1]:.1f} MB"] if disk[1] > LARGER * disk[0] else [])

    def _now(self) -> str:
        return (self.out / "current").resolve().name

    def _within(self, night: Night, random: Random) -> Night:
        """The night with so many deletions more that the corpus does not grow for ever."""
        arrived = {piece.doc_id for piece in night.arrivals}
        free = sorted(self.world.live.keys() - arrived - self.world.protected)
        goes = random.sample(free, min(len(free), max(0, len(self.world.live) - self.most)))
        for name in goes:
            self.world.gone[name] = self.world.live.pop(name)
        return night._replace(deleted=[*night.deleted, *goes])

    def _written(self, number: int, night: Night) -> Path:
        """The file of a night, and what the columns of its documents are."""
        rows = []
        for row, piece in enumerate(night.arrivals):
            self.extras[piece.doc_id] = columns(number, row)
            rows.append(piece._asdict() | self.extras[piece.doc_id])
        path = self.work / f"night-{number:02}.{'jsonl' if number % 2 else 'parquet'}"
        path.parent.mkdir(parents=True, exist_ok=True)
        frame = pl.DataFrame(rows, infer_schema_length=None)
        frame.write_ndjson(path) if number % 2 else frame.write_parquet(path)
        return path

    def _lists(self, file: Path, deleted: list[str] | None = None) -> list[str]:
        named = {"protected": sorted(self.world.protected), "deleted": deleted}
        words = []
        for what, names in named.items():
            if names:
                path = file.with_suffix(f".{what}.csv")
                pl.DataFrame({"doc_id": names}).write_csv(path)
                words += [f"--{what}", str(path)]
        return words

    def _run(self, *words: str, code: int = 0) -> runs.Done:
        settings = [word for setting in SETTINGS for word in ("--set", setting)] if words[0] in VERBS else []
        done = runs.run([*words, "--out", str(self.out), *settings], self.work / "run.log")
        must(done.code == code, f"{' '.join(words)} ended with {done.code}:\n{done.said[-3000:]}")
        must("Traceback" not in done.said, f"{' '.join(words)}:\n{done.said[-3000:]}")
        return done

    def _stopped(self, words: list[str], random: Random) -> str:
        number = random.choice(SIGNALS)
        settings = [word for setting in SETTINGS for word in ("--set", setting)]
        given = [*words, "--out", str(self.out), *settings]
        done = runs.run(given, self.work / "stopped.log", number, random.random() * self.seconds)
        codes = (0, -getattr(signal, number), 128 + getattr(signal, number))
        must(done.code in codes, f"after {number}, it ended with {done.code}:\n{done.said[-3000:]}")
        must(number == "SIGKILL" or not unfinished(self.out), f"{number} left {unfinished(self.out)}")
        return number

    def _rolled_back(self) -> str:
        """Go back two nights; what is known of the documents goes back, too."""
        target = history(self.out)[2].name
        self._run("rollback", target)
        world = self.world
        world.live, world.gone, world.protected, world.notices, self.extras = (
            type(state)(state) for state in self.states[target]
        )
        return "rollback"

    def _refused(self, file: Path) -> str:
        now, odd = self._now(), self.work / "odd.jsonl"
        odd.write_text('{"doc_id": "odd", "text": "some words", "Rating": 1, "rating": 2}\n')
        self._run("refresh", str(odd), str(file), code=2)
        must(self._now() == now, "a refused file changed what is published")
        return "a file refused"

    def _served(self, number: int, file: Path, night: Night) -> str:
        """The night as a deployment, under a server of which a part, or all, was killed before."""
        part = FALLS[(number // 20 + 1) % len(FALLS)]
        if self.station is None:
            path = str(Path(__file__).resolve().parents[3])
            self.station = self.stack.enter_context(Station(self.work / "station", PYTHONPATH=path))
        self.station.fell(part) if part else self.station.cut_power()
        lists = dict(zip(*[iter(self._lists(file, night.deleted))] * 2, strict=True))
        given = {"inputs": [str(file)], "out": str(self.out), "settings": list(SETTINGS)}
        self.station.trigger("refresh/nightly-refresh", given | {name[2:]: path for name, path in lists.items()})
        return f"run by the server after `kill -9` of {part or 'all its processes'}"

    def _freed(self, number: int) -> str:
        self._run("gc", "--keep", str(KEEP))
        left = {one.name for one in history(self.out)}
        must(len(left) in (KEEP, KEEP + 1) and self._now() in left, f"gc in night {number} left {left}")
        return "gc"

    def _note(self, number: int, night: Night, befell: list[str], seconds: float | None) -> Told:
        """Check what is published and count it."""
        made = manifest(self.out / "current")
        for check in [*made["gate"], *made["contracts"]]:
            must(check["passed"] or check.get("severity") == "warning", f"{check} in night {number}")
        must(unfinished(self.out) == [] == unfinished(self.out / "workspace"), f"night {number} left temporary files")
        must(self._now() in {one.name for one in history(self.out)}, f"snapshots listed in night {number}")
        decisions = read(self.out / "current", "decisions")
        fates = dict(decisions.select("doc_id", "action").iter_rows())
        self._decided(decisions, fates)
        self._texts(fates)
        self._columns()
        world = self.world
        kept = (world.live, world.gone, world.protected, world.notices, self.extras)
        self.states[self._now()] = tuple(type(state)(state) for state in kept)
        told = Told(
            number, len(night.arrivals), len(night.deleted), len(world.live),
            sum(fates[name] != "remove" for name in world.live), self._quality(fates), self._strange(decisions),
            befell, seconds, size_mb(self.out),
        )  # fmt: skip
        self.told.append(told)
        return told

    def _columns(self) -> None:
        """The user's columns of all that is published are as they came."""
        shown = pl.read_parquet(self.out / "current" / "documents" / "*.parquet")  # one schema, after any night
        for row in shown.drop("text", "source").iter_rows(named=True):
            wanted = self.extras[row["doc_id"]]
            for name, value in row.items():
                if name != "doc_id":
                    must(plain(value) == plain(wanted.get(name)), f"{name} of {row['doc_id']}: {value}, not {wanted}")


VERBS = ("curate", "refresh")


def shares(counted: Iterable[Shares]) -> list[float]:
    """Shares of several nights together; 1 where there was nothing to find."""
    totals = [tuple(map(sum, zip(*one, strict=True))) for one in zip(*counted, strict=True)]
    return [found / of if of else 1.0 for found, of in totals]


def page(soak: Soak, worse: list[str], command: str) -> str:
    """What the nights showed."""
    lines = [f"| after night | | {' | '.join(PLANTED)} |", f"| ---: | --- |{' ---: |' * len(PLANTED)}"]
    for number, best in soak.at_once.items():
        for what, found in ((number, soak.told[number].shares), ("", best)):
            told = " | ".join(f"{one} of {of}" for one, of in found)
            lines.append(f"| {what} | {'by nights' if what else 'all that is live at once'} | {told} |")
    ended = "; ".join(worse) or "The nights found what one run finds, and neither disk nor time grew"
    return f"`{command}`; {machine()}. {ended}.\n\n" + "\n".join(lines) + f"\n\n{table(soak.told)}"


def columns(number: int, row: int) -> dict[str, Any]:
    """Other columns of a document: which there are and of what type depends on the night."""
    found: dict[str, Any] = {}
    if number > 5 and number % 4:
        found["language"] = ("en", "de", None)[row % 3]
    if number >= 12:
        kinds = (row, row + 0.5, f"about {row}", [row, row + 1], {"stars": row})
        found["rating"] = kinds[min((number - 12) // 9, len(kinds) - 1)]
    if number >= 40:
        found[f"batch_{number // 10}"] = row % 2 == 0
    return found


def plain(value: object) -> object:
    """A value whether it came as such or, after types that have nothing in common, as text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return value
    return float(value) if isinstance(value, int | float) else value


def table(told: list[Told]) -> str:
    """One row per night."""
    lines = [
        "| night | arrived | deleted | live | kept | copies removed | parts removed | look-alikes kept | notices cut "
        "| survivor holds < half | seconds | disk MB | what befell it |",
        f"|{' ---: |' * 12} --- |",
    ]
    for one in told:
        shares = " | ".join(f"{found} of {of}" for found, of in one.shares)
        took = "" if one.seconds is None else f"{one.seconds:.1f}"
        lines.append(
            f"| {one.night or 'curate'} | {one.arrived} | {one.deleted} | {one.live} | {one.kept} | {shares} | "
            f"{one.strange} | {took} | {one.mb:.1f} | {', '.join(one.befell)} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Live through the nights and write what they showed; returns 1 where something got worse."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("texts", metavar="CORPORA", type=Path, nargs="?")
    asked.add_argument("--start", type=int, default=400)
    asked.add_argument("--nights", type=int, default=60)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--document", type=Path, help="file that receives the table")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    runs.prepare()
    work = given.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    pieces: list[Piece] = list(corpus(given.texts, given.start + given.nights * max(SIZES), given.seed))
    with ExitStack() as stack:
        soak = Soak(World(pieces, given.seed), work, round(1.2 * given.start), stack)
        print(soak.first(given.start), flush=True)
        for number in range(1, given.nights + 1):
            print(soak.live_on(number), flush=True)
            if number in {given.nights * part // 4 for part in range(1, 5)}:
                soak.curate_at_once()
    worse = soak.verdict()
    texts = "CORPORA " if given.texts else ""
    again = f"python -m tests.benchmarks.nights.soak {texts}--work DIR --start {given.start}"
    text = page(soak, worse, f"{again} --nights {given.nights}")
    print(text)
    if given.document:
        replace_section(given.document, "soak", text)
    return int(bool(worse))


if __name__ == "__main__":
    sys.exit(main())
