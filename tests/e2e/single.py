"""Faults to a run without a server: it is killed, the power goes, the disk fills up, its files are damaged."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from e2e.damage import DAMAGE, largest
from e2e.lab import NAMED, Lab
from e2e.night import restore

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

    for row, start, point in _points(lab):
        note(row, "`kill -9`", _befallen(lab, start, point, "kill"))
    for row, _, point in _points(lab):
        note(row, "power cut", _befallen(lab, lambda: restore(lab.before, lab.out), point, "cut power"))
    for column, harm in DAMAGE.items():
        for table in lab.tables:
            harm(largest(lab.back_to(table)))
            note(titles[table], column, lab.recovery())
        for name in FILES:
            note(f"published `{name}`", column, _spoilt(lab, name, harm))
    with _small_disk(lab.out) as why:
        for row, start, point in _points(lab)[:-1]:
            note(row, "full disk", [why] if why else _befallen(lab, start, point, "fill disk"))
    return rows


def _titles(tables: list[str]) -> dict[str, str]:
    """Name of the row of each table, from its folder `NAME-FINGERPRINT`; a night may make two tables of one name."""
    names = [table.rpartition("-")[0] for table in tables]
    before = [names[:position].count(name) for position, name in enumerate(names)]
    return {
        table: f"`{name}`" + (f", number {earlier + 1}" if names.count(name) > 1 else "")
        for table, name, earlier in zip(tables, names, before, strict=True)
    }


def _points(lab: Lab) -> list[tuple[str, Callable[[], object], str]]:
    """Name of each point of a run, how to bring back the state shortly before it, and its operation."""
    first: list[Callable[[], object]] = [lambda: restore(lab.before, lab.out)]
    starts = first + [lambda table=table: lab.back_to(table) for table in lab.tables[:-1]]
    seals = [rf"os\.rename .*/tables/{table}/_table\.json$" for table in lab.tables]
    making = list(zip(_titles(lab.tables).values(), starts, seals, strict=True))
    return making + [(row, lambda: lab.back_to(None), point) for row, point in PUBLISHING.items()]


def _befallen(lab: Lab, start: Callable[[], object], point: str, deed: str) -> list[str]:
    start()
    ended = lab.befall(point, deed)
    (lab.out / "ballast").unlink(missing_ok=True)
    if not lab.sprung():
        return ["**not reached**"]
    return [*lab.reader(), *(["goes on"] if not ended else []), *lab.recovery()]


def _spoilt(lab: Lab, name: str, harm: Callable[[Path], None]) -> list[str]:
    """Damage what `curate` published itself, or what `refresh` starts from."""
    restore(lab.before if lab.flow == "refresh" else lab.after, lab.out)
    place = (lab.out / "current").resolve() / name
    harm(largest(place) if place.is_dir() else place)
    return lab.recovery()


@contextmanager
def _small_disk(folder: Path) -> Iterator[str]:
    """Give a folder a disk of its own that can be filled; yields why that is not possible, if it is not."""
    folder.mkdir(exist_ok=True)
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
