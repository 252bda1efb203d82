"""Faults to a run without a server: it is killed, the power goes, the disk fills up, its files are damaged."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.damage import DAMAGE, largest
from tests.e2e.lab import NAMED, Lab
from tests.e2e.night import restore

PUBLISHING = {
    "snapshot: its first table": r"os\.mkdir .*/snapshots/\.\w+\.tmp/decisions$",
    "snapshot: its documents": r"os\.mkdir .*/snapshots/\.\w+\.tmp/documents$",
    "snapshot: its manifest": r"os\.rename .*/snapshots/\.\w+\.tmp/manifest\.json$",
    "snapshot: its report": r"os\.rename .*/snapshots/\.\w+\.tmp/report\.html$",
    "snapshot: its name": NAMED,
    "the switch of `current`": r"os\.rename .*/current$",
    "after the end": "",
}
"""Steps of publishing, and the operation before which something happens."""
FILES = ("documents", "decisions", "fragment_spans", "manifest.json", "index/documents", "index/signatures")
"""What of a published snapshot is damaged."""

Matrix = dict[str, dict[str, list[str]]]
"""Row → column → what happened."""


def matrix(lab: Lab) -> Matrix:
    """Let every fault happen at every point."""
    titles = _titles(lab.tables)
    rows: Matrix = {row: {} for row in [*titles.values(), *PUBLISHING]}

    def note(row: str, column: str, cell: list[str]) -> None:
        rows.setdefault(row, {})[column] = cell
        print(f"{time.strftime('%H:%M:%S')} {column:18} {row:28} {'; '.join(cell)}", file=sys.stderr, flush=True)

    def strike(column: str, deed: str) -> None:
        for table, cell in _in_turn(lab, deed):
            note(titles[table], column, cell)
        for row, point in PUBLISHING.items():
            if point or deed != "fill disk":
                note(row, column, _befallen(lab, point, deed))

    strike("`kill -9`", "kill")
    strike("power cut", "cut power")
    for column, harm in DAMAGE.items():
        for table, cell in _in_turn(lab, "kill", harm):
            note(titles[table], column, cell)
        for name in FILES:
            note(f"published `{name}`", column, _spoilt(lab, name, harm))
    with _small_disk(lab.out) as why:
        if why:
            note("everywhere", "full disk", [why])
        else:
            strike("full disk", "fill disk")
    return rows


def _titles(tables: list[str]) -> dict[str, str]:
    """Name of the row of each table, from its folder `NAME-FINGERPRINT`; a night may make two tables of one name."""
    names = [table.rpartition("-")[0] for table in tables]
    before = [names[:position].count(name) for position, name in enumerate(names)]
    return {
        table: f"`{name}`" + (f", number {earlier + 1}" if names.count(name) > 1 else "")
        for table, name, earlier in zip(tables, names, before, strict=True)
    }


def _in_turn(lab: Lab, deed: str, harm: Callable[[Path], None] | None = None) -> Iterator[tuple[str, list[str]]]:
    """Strike at one table after the other; the run that recovers from one is struck at the next.

    Args:
        lab: where.
        deed: what happens to the process shortly before the table is finished.
        harm: what happens, instead, to the table finished before it; the process is only stopped there.
    """
    restore(lab.before, lab.out)
    points = [rf"os\.rename .*/tables/{table}/_table\.json$" for table in lab.tables] + [NAMED]
    struck: str | None = None
    for index, point in enumerate(points):
        stood = lab.standing()
        if struck and point != NAMED and lab.tables[index] in {one.path.name for one in stood}:
            # it freed some of the full disk itself, and went on past the next point
            yield struck, ["goes on", *lab.recovery()]
            lab.back_to(lab.tables[index - 1])
            struck, stood = None, lab.standing()
        ended = lab.befall(point, deed if index < len(lab.tables) else "kill")
        (lab.out / "ballast").unlink(missing_ok=True)
        if struck:
            cell = ["next run", *lab.table_changes(stood)] if lab.sprung() else [lab.ending(ended)]
            yield struck, cell
            if "**" in "".join(cell) or not lab.sprung():
                lab.back_to(lab.tables[index - 1])
        done = lab.tables[index - 1] if index else None
        if harm and done:
            harm(largest(lab.out / "workspace" / "tables" / done))
        struck = done if harm else lab.tables[index] if index < len(lab.tables) else None
    if struck:
        yield struck, lab.recovery()


def _befallen(lab: Lab, point: str, deed: str) -> list[str]:
    """Strike at a step of publishing; what the power takes away in the end is all of the night."""
    if deed == "cut power":
        restore(lab.before, lab.out)
    else:
        lab.back_to(None)
    ended = lab.befall(point, deed)
    (lab.out / "ballast").unlink(missing_ok=True)
    if not lab.sprung():
        return ["**not reached**"]
    assert ended in (0, 1, -signal.SIGKILL)
    return [*lab.reader(), *(["goes on"] if not ended else []), *lab.recovery()]


def _spoilt(lab: Lab, name: str, harm: Callable[[Path], None]) -> list[str]:
    """Damage what `curate` published itself, or what `refresh` starts from."""
    restore(lab.before if lab.flow == "refresh" else lab.after, lab.out)
    place = (lab.out / "current").resolve() / name
    if not place.exists():
        return ["not there"]
    harm(largest(place) if place.is_dir() else place)
    return lab.recovery()


@contextmanager
def _small_disk(folder: Path) -> Iterator[str]:
    """Give a folder a disk of its own that can be filled; yields why that is not possible, if it is not."""
    given = ["mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", str(folder)]
    try:
        why = subprocess.run(given, capture_output=True, text=True, check=False).stderr.strip()
    except OSError as error:
        why = str(error)
    try:
        yield why
    finally:
        if not why:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
