"""What a night costs: curate a large corpus once, then add 1,000, 3,000 and 10,000 documents to it, each time alone.

    python -m tests.benchmarks.nights.cost [CORPORA] [--documents 100000] [--new 1000 3000 10000] --work DIR
        [--memory-limit 4GB] [--document docs/nightly.md [--section cost]]

Whole processes with all that they start are measured (`processes.py`): wall clock, CPU seconds, memory, and by how much
the published folder grew, hard links counted once.
Every refresh starts from the same published state, which `rollback` restores, and with an empty workspace. A refresh of
one document completes the index (once), a second such shows the fixed cost of a night. `--document` replaces the
section between the marks in that file.

Arrivals: 70 % new texts, 15 % near copies of published ones, 5 % exact ones, 5 % other texts under published ids, 5 %
parents and children of published ones; beside them, one deletion per hundred arrivals.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path
from random import Random

import polars as pl

from tests.benchmarks.common.corpora import Piece, corpus, edited, write
from tests.benchmarks.common.pages import machine, replace_section
from tests.benchmarks.common.processes import Cost, measured

ROOT = Path(__file__).resolve().parents[3]
SETTINGS = ["--set", "gate.max_content_lost=1", "--set", "gate.max_source_content_lost=1"]
"""Some sources are versions of the same pages: of those most documents go, rightly."""
MIXTURE = {"near copy": 0.15, "copy": 0.05, "edit": 0.05, "parent": 0.025, "child": 0.025}
"""Shares of the arrivals; the rest are new texts."""
DELETED = 0.01


def command(*arguments: str | Path) -> list[str]:
    """The command line of this checkout."""
    return [sys.executable, "-m", "flows", *map(str, arguments)]


def checked(arguments: list[str], log: Path) -> Cost:
    """Run a command that must succeed."""
    cost = measured(arguments, log, ROOT)
    if cost.code:
        raise SystemExit(f"{' '.join(arguments)} ended with {cost.code}:\n{log.read_text()[-3000:]}")
    return cost


def arrivals(published: list[Piece], fresh: list[Piece], count: int, seed: int) -> tuple[list[Piece], list[str]]:
    """`count` arrivals in random order, and ids to delete; `fresh` gives the new texts and the rest of parents.

    An id of `published` takes part once at most, so that the night's answer for each is plain.
    """
    random = Random(f"{seed}/{count}")
    chosen = random.sample(published, int(count * (sum(MIXTURE.values()) + DELETED)) + 1)
    made = []
    for kind, share in MIXTURE.items():
        for _ in range(round(count * share)):
            made.append(_made(kind, chosen.pop(), fresh, f"{count}/{kind}/{len(made)}", random))
    made += [fresh.pop() for _ in range(count - len(made))]
    random.shuffle(made)
    return made, [one.doc_id for one in chosen[: round(count * DELETED)]]


def _made(kind: str, known: Piece, fresh: list[Piece], name: str, random: Random) -> Piece:
    match kind:
        case "near copy":
            return Piece(name, known.source, edited(known.text, random))
        case "copy":
            return Piece(name, known.source, f"  {known.text}\n")
        case "edit":
            return Piece(known.doc_id, known.source, fresh.pop().text)
        case "parent":
            return Piece(name, known.source, f"{known.text}\n\n{fresh.pop().text}")
        case _:
            return Piece(name, known.source, known.text[: 2 * len(known.text) // 3])


def size_mb(folder: Path, besides: Path | None = None) -> float:
    """Disk space of a folder; what has several names counts once, and not at all if it has one under `besides`."""
    counted = set(_files(besides)) if besides else set()
    return sum(blocks * 512 for node, blocks in _files(folder).items() if node not in counted) / 1e6


def _files(folder: Path) -> dict[int, int]:
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            status = (Path(path) / name).lstat()
            found[status.st_ino] = status.st_blocks
    return found


class Trial:
    """One published corpus and the nights that start from it."""

    def __init__(self, texts: Path | None, documents: int, most: int, work: Path, seed: int, limit: str) -> None:
        pieces = list(corpus(texts, documents + 2 * most, seed, turn=documents + 2 * most))
        self.published, self.fresh = pieces[:documents], pieces[documents:]
        self.work, self.seed, self.rows = work, seed, []
        self.settings = [*SETTINGS, "--memory-limit", limit]
        self.out = work / "out"
        shutil.rmtree(self.out, ignore_errors=True)
        write(iter(self.published), work / "published")

    def curate(self, name: str) -> None:
        self._note(name, len(self.published), "curate", self.work / "published")

    def refresh(self, name: str, made: list[Piece], deleted: list[str]) -> None:
        """Add arrivals to what is published now."""
        folder = self.work / f"arrivals-{len(self.rows)}"
        write(iter(made), folder)
        gone = folder / "deleted.txt"
        gone.write_text("".join(f"{one}\n" for one in deleted))
        inputs = sorted(folder.glob("*.parquet"))
        self._note(name, len(made), "refresh", *inputs, *(["--deleted", gone] if deleted else []))

    def back(self, snapshot: str) -> None:
        checked(command("rollback", snapshot, "--out", self.out), self.work / "logs" / "rollback.log")

    @property
    def current(self) -> Path:
        return (self.out / "current").resolve()

    def _note(self, name: str, documents: int, *arguments: str | Path) -> None:
        log = self.work / "logs" / f"{len(self.rows)}.log"
        workspace = self.work / f"workspace-{len(self.rows)}"  # so that no run finds tables of another
        shutil.rmtree(workspace, ignore_errors=True)
        before = size_mb(self.out)
        cost = checked(command(*arguments, "--out", self.out, "--workspace", workspace, *self.settings), log)
        disk = size_mb(self.out) - before
        stages = pl.read_parquet(self.current / "stage_metrics" / "*.parquet").filter(~pl.col("reused"))
        slowest = stages.sort("seconds", descending=True).head(4)
        told = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in slowest.select("stage", "seconds").iter_rows())
        self.rows.append((name, documents, cost, disk, told))
        used = f"{cost.wall:7.1f} s {cost.cpu:7.1f} CPU s {cost.memory_mb:6.0f} MB memory {disk:7.1f} MB disk"
        print(f"{name:<50} {documents:>7,} {used}  {told}")
        sys.stdout.flush()

    def table(self) -> str:
        """The costs, each beside that of curating all."""
        whole = self.rows[0][2]
        lines = [
            "| run | documents | seconds | of all | CPU seconds | of all | peak MB | disk MB | slowest stages (s) |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
        ]
        for name, documents, cost, disk, told in self.rows:
            wall, cpu = cost.wall / whole.wall, cost.cpu / whole.cpu
            lines.append(
                f"| {name} | {documents:,} | {cost.wall:.1f} | {wall:.1%} | {cost.cpu:.1f} | {cpu:.1%} | "
                f"{cost.memory_mb:,.0f} | {disk:,.1f} | {told} |"
            )
        return "\n".join(lines)


def main() -> None:
    """Measure and print one table."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("texts", metavar="CORPORA", type=Path, nargs="?")
    asked.add_argument("--documents", type=int, default=100_000)
    asked.add_argument("--new", type=int, nargs="+", default=[1000, 3000, 10_000])
    asked.add_argument("--work", type=Path, required=True, help="scratch folder, about 10 kB a document")
    asked.add_argument("--memory-limit", default="4GB", help="of every run")
    asked.add_argument("--document", type=Path, help="file that receives the table")
    asked.add_argument("--section", default="cost", help="name of its place there")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    most, limit = sum(given.new), given.memory_limit
    trial = Trial(given.texts, given.documents, most, given.work.resolve(), given.seed, limit)
    nights = [arrivals(trial.published, trial.fresh, count, given.seed) for count in given.new]
    trial.curate("curate all")
    trial.refresh("refresh, the index completed on the way (once)", trial.fresh[:1], [])
    base = trial.current.name
    trial.refresh("refresh", trial.fresh[1:2], [])
    for made, deleted in nights:
        trial.back(base)
        trial.refresh("refresh", made, deleted)
    again = " ".join(["python -m tests.benchmarks.nights.cost", *(["CORPORA"] if given.texts else [])])
    again += f" --documents {given.documents} --new {' '.join(map(str, given.new))} --work DIR --memory-limit {limit}"
    text = f"`{again}`; {machine()}. Whole processes, start and end included.\n\n{trial.table()}"
    print(text)
    if given.document:
        replace_section(given.document, given.section, text)


if __name__ == "__main__":
    main()
