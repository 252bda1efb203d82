"""Flush of files to the disk against a power cut, but in folders that go with the process."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_passing: set[Path] = set()


def sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk before anything refers to it."""
    if not _passing.isdisjoint([path, *path.parents]):
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def unsynced(folder: Path) -> Iterator[None]:
    """Flush nothing below a temporary folder while the block runs: after a power cut nobody looks for it."""
    _passing.add(folder)
    try:
        yield
    finally:
        _passing.discard(folder)
