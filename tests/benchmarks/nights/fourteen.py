"""Fourteen nights with known truth: after each, every promise is checked, and quality, time and disk are counted.

    python -m tests.benchmarks.nights.fourteen [CORPORA] --work DIR [--start 3000] [--arrivals 300] [--nights 14]
        [--document docs/nightly.md] [--chart docs/images/nights.svg]

Each night brings new texts, copies, edited copies, look-alikes (forms filled with other facts), new and other texts
under known ids, documents unchanged, documents that return, parents and children of earlier ones, protected copies of
unprotected documents, notices that spread, deletions, and one arrival that is on the list of deletions. One night
brings the file of the night before again.

What must hold stops the script when it does not: a contract or a check of the gate that failed, an id without a
decision, a removal in favour of a document that is not kept, a protected document that went, a published text that is
not the original less its cuts, an original that cannot be restored, a snapshot that is not listed. Quality is counted:
see the table.
"""

import argparse
import json
import shutil
from pathlib import Path
from random import Random
from typing import NamedTuple

import polars as pl

from models.lexical.text.spans import cut
from tasks.explain.archive import restore
from tasks.report.charts import svg
from tasks.report.html import tag
from tasks.snapshots.history import history
from tasks.snapshots.layout import manifest
from tests.benchmarks.common.corpora import corpus, write
from tests.benchmarks.common.pages import machine, replace_section
from tests.benchmarks.nights.cost import SETTINGS, checked, command, size_mb
from tests.benchmarks.nights.planted import Night, World

REPEATED = 8
"""The night that brings the file of the night before again."""
RESTORED = 5
"""Removed documents per night whose original is asked for."""
LEFT = 3
"""Snapshots that are left when space is freed in the end."""
VIRAL = 5
"""Kept hosts from which a passage counts as viral (`fragment.min_hosts`)."""
WORDS = 5
"""Words of the runs by which a removed document is compared with its survivor."""
SHARED = 0.5
"""Share of the runs of a removed document that its survivor should hold."""


class Counted(NamedTuple):
    """One night in figures; shares as (found, all)."""

    night: int
    arrived: int
    deleted: int
    documents: int
    kept: int
    rechecked: int
    copies: tuple[int, int]
    parts: tuple[int, int]
    lookalikes: tuple[int, int]
    notices: tuple[int, int]
    strange: int
    seconds: float
    memory_mb: float
    snapshots_mb: float
    workspace_mb: float


def must(holds: bool, said: str) -> None:
    """Stop where a promise is broken."""
    if not holds:
        raise SystemExit(f"broken: {said}")


class Diary:
    """The published folder and what is known of it."""

    def __init__(self, world: World, work: Path) -> None:
        self.world, self.work, self.out = world, work, work / "out"
        self.nights: list[Counted] = []
        self.published: list[str] = []
        shutil.rmtree(self.out, ignore_errors=True)

    def hold(self, number: int, night: Night) -> Counted:
        """Run one night and check it."""
        folder = self.work / f"night-{number:02}"
        write(iter(night.arrivals), folder)
        deleted, protected = folder / "deleted.txt", folder / "protected.txt"
        deleted.write_text("".join(f"{name}\n" for name in night.deleted))
        protected.write_text("".join(f"{name}\n" for name in sorted(self.world.protected)))
        verb = ["refresh", "--deleted", deleted] if number else ["curate"]
        words = [*verb, *sorted(folder.glob("*.parquet")), "--protected", protected, "--out", self.out, *SETTINGS]
        cost = checked(command(*words), folder / "run.log")
        made = manifest(self.out / "current")
        self._promises(number, made)
        decisions = read(self.out / "current", "decisions")
        fates = dict(decisions.select("doc_id", "action").iter_rows())
        self._decided(decisions, fates)
        self._texts(fates)
        counted = Counted(
            number, len(night.arrivals), len(night.deleted), len(self.world.live),
            sum(fates[name] != "remove" for name in self.world.live), made.get("refresh", {}).get("rechecked", 0),
            *self._quality(fates), self._strange(decisions), cost.wall, cost.memory_mb,
            size_mb(self.out / "snapshots"), size_mb(self.out / "workspace", besides=self.out / "snapshots"),
        )  # fmt: skip
        self.nights.append(counted)
        return counted

    def collected(self) -> str:
        """Remove all but the newest `LEFT` snapshots and say what that frees."""
        before = size_mb(self.out)
        checked(command("gc", "--keep", str(LEFT), "--out", self.out), self.work / "gc.log")
        names = {one.name for one in history(self.out)}
        must(names == set(self.published[-LEFT:]), f"snapshots left by gc: {names}")
        return f"`semhash-llm gc --keep {LEFT}` afterwards: {before:.1f} MB before, {size_mb(self.out):.1f} MB after."

    def _promises(self, number: int, made: dict) -> None:
        """Contracts, the gate, and the history."""
        for check in [*made["gate"], *made["contracts"]]:
            must(check["passed"] or check.get("severity") == "warning", f"{check} in night {number}")
        if made["snapshot"] not in self.published:
            self.published.append(made["snapshot"])
        listed = history(self.out)
        must({one.name for one in listed} == set(self.published), f"snapshots listed in night {number}")
        must([one.name for one in listed if one.is_current] == self.published[-1:], f"the star in night {number}")
        trend = [one["snapshot"] for one in made["trend"]]
        must(trend == self.published[-14:], f"the trend in night {number}: {trend}")

    def _decided(self, decisions: pl.DataFrame, fates: dict[str, str]) -> None:
        """Every id has one decision; survivors are kept; the protected stay."""
        must(decisions["doc_id"].is_unique().all(), "an id has two decisions")
        for name in self.world.live:
            must(fates.get(name) in ("keep", "edit", "remove"), f"{name} is live and decided as {fates.get(name)}")
        for name in self.world.gone:
            must(fates.get(name) == "delete", f"{name} was deleted and is decided as {fates.get(name)}")
        must(len(fates) == len(self.world.live) + len(self.world.gone), "a decision on an id that never arrived")
        removed = decisions.filter(pl.col("action") == "remove")
        for name, survivor in removed.select("doc_id", "survivor_id").iter_rows():
            must(fates.get(survivor) in ("keep", "edit"), f"{name} gives way to {survivor}, {fates.get(survivor)}")
        for name in self.world.protected & self.world.live.keys():
            must(fates[name] == "keep", f"{name} is protected and decided as {fates[name]}")

    def _texts(self, fates: dict[str, str]) -> None:
        """Published texts are the originals less what was cut; originals of removed ones can be had."""
        shown = dict(read(self.out / "current", "documents").select("doc_id", "text").iter_rows())
        kept = {name for name in self.world.live if fates[name] != "remove"}
        must(shown.keys() == kept, f"{len(shown.keys() ^ kept)} ids are published or kept, not both")
        spans: dict[str, list[tuple[int, int]]] = {}
        for name, start, end, text, gone in (
            read(self.out / "current", "fragment_spans").select("doc_id", "start", "end", "text", "cut").iter_rows()
        ):
            must(name in kept, f"a span in {name}, which is not kept")
            must(self.world.live[name].piece.text[start:end] == text, f"the span {start}–{end} of {name}")
            if gone:
                spans.setdefault(name, []).append((start, end))
        for name, text in shown.items():
            must(cut(self.world.live[name].piece.text, spans.get(name, [])) == text, f"the published text of {name}")
        removed = sorted(self.world.live.keys() - kept)
        shortened = sorted(spans)
        random = Random(len(removed))
        for names in (removed, shortened):
            for name in random.sample(names, min(RESTORED, len(names))):
                must(restore(self.out, name) == self.world.live[name].piece.text, f"restoring {name}")

    def _quality(self, fates: dict[str, str]) -> tuple[tuple[int, int], ...]:
        """Shares of planted copies removed, parts removed, look-alikes kept, hosts of viral notices cut."""
        copies, parts = [0, 0], [0, 0]
        for names in self.world.families().values():
            whole = [name for name in names if not self.world.live[name].part]
            free = [name for name in whole if name not in self.world.protected]  # a published one stays beside these
            copies[1] += max(len(free) - 1, 0)
            copies[0] += min(sum(fates[name] == "remove" for name in free), max(len(free) - 1, 0))
            for name in set(names).difference(whole, self.world.protected) if whole else ():
                parts[0] += fates[name] == "remove"
                parts[1] += 1
        records = [name for name, known in self.world.live.items() if known.kind == "look-alike"]
        kept = sum(fates[name] != "remove" for name in records)
        return tuple(copies), tuple(parts), (kept, len(records)), self._notices(fates)

    def _notices(self, fates: dict[str, str]) -> tuple[int, int]:
        shown = dict(read(self.out / "current", "documents").select("doc_id", "text").iter_rows())
        found = [0, 0]
        for notice in self.world.notices:
            hosts = [name for name, known in self.world.live.items() if name in shown and notice in known.piece.text]
            free = [name for name in hosts if name not in self.world.protected]
            if len(hosts) >= VIRAL:
                found[0] += sum(notice not in shown[name] for name in free)
                found[1] += len(free)
        return found[0], found[1]

    def _strange(self, decisions: pl.DataFrame) -> int:
        """Removed documents of which the survivor holds less than half, by runs of words."""
        found = 0
        removed = decisions.filter(pl.col("action") == "remove")
        for name, survivor in removed.select("doc_id", "survivor_id").iter_rows():
            mine, its = (runs(self.world.live[one].piece.text) for one in (name, survivor))
            found += len(mine & its) < SHARED * len(mine)
        return found


def runs(text: str) -> set[tuple[str, ...]]:
    """Runs of words of a text, case folded; all words where there are fewer."""
    words = text.casefold().split()
    return {tuple(words[at : at + WORDS]) for at in range(max(len(words) - WORDS + 1, 1))}


def read(snapshot: Path, table: str) -> pl.DataFrame:
    """One table of a snapshot."""
    return pl.read_parquet(snapshot / table / "*.parquet")


def table(nights: list[Counted]) -> str:
    """One row per night."""
    lines = [
        "| night | arrived | deleted | checked again | live | kept | copies removed | parts removed | look-alikes kept "
        "| notices cut | survivor holds < half | seconds | peak MB | snapshots MB | workspace MB |",
        "| ---: " * 15 + "|",
    ]
    for one in nights:
        shares = " | ".join(f"{found} of {of}" for found, of in one[6:10])
        lines.append(
            f"| {one.night or 'curate'} | {one.arrived:,} | {one.deleted} | {one.rechecked} | {one.documents:,} | "
            f"{one.kept:,} | {shares} | {one.strange} | {one.seconds:.1f} | {one.memory_mb:,.0f} | "
            f"{one.snapshots_mb:.1f} | {one.workspace_mb:.1f} |"
        )
    return "\n".join(lines)


def chart(nights: list[Counted]) -> str:
    """What is published, found, taken in time and in space, night by night, each on a scale of its own."""
    lines = {
        "documents kept": [one.kept for one in nights],
        "planted copies removed, %": [100 * one.copies[0] / max(one.copies[1], 1) for one in nights[1:]],
        "planted look-alikes kept, %": [100 * one.lookalikes[0] / max(one.lookalikes[1], 1) for one in nights[1:]],
        "seconds of a night": [one.seconds for one in nights[1:]],
        "disk for all snapshots, MB": [one.snapshots_mb for one in nights],
    }
    marks = []
    for row, (label, values) in enumerate(lines.items()):
        top, low, high = 40 * row + 10, min(values), max(values)
        told = f"{low:,.4g} to {high:,.4g}" if high > low else f"{low:,.4g}"
        points = [
            (
                round(200 + 230 * at / max(len(values) - 1, 1), 1),
                round(top + 22 - 22 * (value - low) / (high - low or 1), 1),
            )
            for at, value in enumerate(values)
        ]
        marks += [
            tag("text", label, x=0, y=top + 16),
            tag("polyline", points=" ".join(f"{x},{y}" for x, y in points), fill="none", stroke="var(--docs)"),
            *(tag("circle", cx=x, cy=y, r=2, class_="docs") for x, y in points),
            tag("text", told, x=600, y=top + 16, text_anchor="end", class_="dim"),
        ]
    return svg(600, 40 * len(lines) + 8, f"{len(nights) - 1} nights, the newest on the right", *marks)


def main() -> None:
    """Run the nights and write what they showed."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("texts", metavar="CORPORA", type=Path, nargs="?")
    asked.add_argument("--start", type=int, default=3000, help="documents curated before the first night")
    asked.add_argument("--arrivals", type=int, default=300)
    asked.add_argument("--nights", type=int, default=14)
    asked.add_argument("--work", type=Path, required=True)
    asked.add_argument("--document", type=Path, help="file that receives the table")
    asked.add_argument("--chart", type=Path, help="file that receives the chart (SVG)")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    pieces = list(corpus(given.texts, given.start + given.nights * given.arrivals, given.seed))
    world = World(pieces, given.seed)
    diary, before = Diary(world, given.work.resolve()), world.first(given.start)
    print(json.dumps(diary.hold(0, before)._asdict()), flush=True)
    for number in range(1, given.nights + 1):
        before = world.again(before) if number == REPEATED else world.night(number, given.arrivals)
        print(json.dumps(diary.hold(number, before)._asdict()), flush=True)
    texts = "CORPORA " if given.texts else ""
    again = f"python -m tests.benchmarks.nights.fourteen {texts}--work DIR --start {given.start}"
    again += f" --arrivals {given.arrivals} --nights {given.nights}"
    text = f"`{again}`; {machine()}.\n\n{table(diary.nights)}\n\n{diary.collected()}"
    print(text)
    if given.document:
        replace_section(given.document, "nights", text)
    if given.chart:
        given.chart.write_text(chart(diary.nights) + "\n")


if __name__ == "__main__":
    main()
