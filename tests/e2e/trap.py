"""Something that befalls a process at one exact file operation, without a change in what the process runs.

Python announces every rename, link and new folder to audit hooks before it happens. A trap waits for one of them and
then kills the process, cuts the power, fills the disk, or holds the process until somebody lets it go on.
"""

import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

ANNOUNCED = {"os.rename": 1, "os.mkdir": 0, "os.symlink": 1, "os.link": 1}
"""Audit events and which of their arguments is the path that comes to be."""
UNSEEN = (".duckdb", ".lock", ".log")
"""Files that DuckDB syncs itself, where nobody here sees it, and files without content."""

_synced: set[tuple[int, int]] = set()
_born = time.time_ns()


def watch(told: Callable[[str], None]) -> None:
    """Call `told` with 'EVENT PATH' before each announced operation of this process from now on."""

    def hook(event: str, given: tuple[object, ...]) -> None:
        if event in ANNOUNCED:
            told(f"{event} {os.fsdecode(given[ANNOUNCED[event]])}")  # type: ignore[arg-type]

    sys.addaudithook(hook)


def set_trap(point: str, deed: str, root: Path, mark: Path) -> None:
    """Do a deed, once, before the first operation that fits.

    Args:
        point: regular expression that is searched in 'EVENT PATH'.
        deed: name in `DEEDS`.
        root: folder that the deed is about.
        mark: file that appears when the trap is sprung.
    """
    _note_syncs()

    def told(operation: str) -> None:
        if not mark.exists() and re.search(point, operation):
            mark.write_text(operation)
            DEEDS[deed](root, mark)

    watch(told)


def set_from(description: Path) -> None:
    """Set the trap that a JSON file describes (the arguments of `set_trap`); the file goes, so that it works once."""
    given = json.loads(description.read_text())
    description.unlink()
    set_trap(given["point"], given["deed"], Path(given["root"]), Path(given["mark"]))


def kill(*_: object) -> None:
    """End this process at once, as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def cut_power(root: Path, *_: object) -> None:
    """End this process, and leave of files that it never synced only the names.

    That is what a journalling file system may leave: names in the order in which they were given, content not at all.
    What this process only gave another name, was on the disk before.
    """
    for path in root.rglob("*"):
        about = path.lstat()
        fresh = about.st_mtime_ns >= _born and (about.st_dev, about.st_ino) not in _synced
        if path.is_file() and not path.is_symlink() and fresh and path.suffix not in UNSEEN:
            os.truncate(path, 0)
    kill()


def fill_disk(root: Path, *_: object) -> None:
    """Leave no free byte on the disk that holds `root`."""
    free = os.statvfs(root)
    with (root / "ballast").open("wb") as ballast:
        os.posix_fallocate(ballast.fileno(), 0, free.f_bavail * free.f_frsize)


def wait(_: Path, mark: Path) -> None:
    """Hold this process until the mark is gone."""
    while mark.exists():
        time.sleep(0.05)


DEEDS: dict[str, Callable[[Path, Path], None]] = {
    "kill": kill,
    "cut power": cut_power,
    "fill disk": fill_disk,
    "wait": wait,
}


def _note_syncs() -> None:
    sync = os.fsync

    def noted(file: int) -> None:
        sync(file)
        about = os.fstat(file)
        _synced.add((about.st_dev, about.st_ino))

    os.fsync = noted  # type: ignore[assignment]
