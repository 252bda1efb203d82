"""Atomic files: they appear under their name whole, or not at all."""

import fcntl
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tasks.storage.sync import sync

UNFINISHED = (
    ".current.*.tmp",
    *(f"{room}/{made}" for room in ("snapshots", "refused", "dry-run", "tables") for made in (".*.tmp", "*/.*.tmp")),
    "verdicts/.*.tmp",
    "scratch/*",
    "spill/*",
)
"""What has a temporary name, or is temporary, in an output folder or workspace."""


def unfinished(folder: Path) -> list[Path]:
    """What runs that were stopped left behind in an output folder or workspace; no other run is at work there now."""
    return [path for pattern in UNFINISHED for path in sorted(folder.glob(pattern)) if not _held(path)]


def sweep(folder: Path) -> None:
    """Remove what is unfinished in an output folder or workspace."""
    for path in unfinished(folder):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


@contextmanager
def held_folder(path: Path) -> Iterator[Path]:
    """Make a folder with a temporary name that no run sweeps away until the block ends or the process dies."""
    path.mkdir(parents=True)
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield path
    finally:
        os.close(handle)
        shutil.rmtree(path, ignore_errors=True)


def _held(path: Path) -> bool:
    """Whether somebody is at work in a folder with a temporary name, or it has got its own meanwhile."""
    if path.is_symlink() or not path.is_dir():
        return False
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a temporary sibling of `path` that takes its name only when the block ends without an error.

    It is named like no other: on a shared folder two machines may be writing the same file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        yield temporary
        sync(temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, value: object) -> None:
    """Write `value` as indented JSON under its final name in one step."""
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(value, indent=2, sort_keys=True, default=str) + "\n")
