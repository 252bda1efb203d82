"""Where snapshots live: `snapshots/<id>`, `refused/<id>` and the link `current` that is switched last."""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from tasks.runtime.errors import BusyError, DamageError, InputError
from tasks.storage.checksums import sync


def current(out: Path) -> Path | None:
    """Folder of the published snapshot, or None when nothing has been published."""
    link = out / "current"
    return link.resolve() if link.exists() else None


def manifest(snapshot: Path) -> dict[str, Any]:
    """Manifest of a snapshot.

    Raises:
        DamageError: it is gone or cannot be read.
    """
    page = snapshot / "manifest.json"
    try:
        found: dict[str, Any] = json.loads(page.read_text())
    except (FileNotFoundError, ValueError) as error:
        raise DamageError(f"{page} is gone or damaged: go back with `semhash-llm rollback`, or curate again") from error
    return found


def published(out: Path) -> Path:
    """Folder of the published snapshot.

    Raises:
        InputError: nothing has been published under `out`.
    """
    found = current(out)
    if found is None:
        raise InputError(f"nothing is published under {out}: run `semhash-llm curate INPUT... --out {out}` first")
    return found


@contextmanager
def reading(out: Path) -> Iterator[Path]:
    """Yield the folder of the published snapshot, which `gc` leaves alone until the block ends or the process dies.

    Readers share the lease, and nobody who publishes waits for them: `current` may be switched meanwhile.

    Raises:
        InputError: nothing has been published under `out`.
    """
    snapshot, lease = _leased(out)
    with lease:
        yield snapshot


def _leased(out: Path) -> tuple[Path, BinaryIO]:
    while True:
        snapshot = published(out)
        try:
            lease = (snapshot / "manifest.json").open("rb")
        except FileNotFoundError:
            if current(out) == snapshot:
                raise
            continue  # removed after the link was read
        fcntl.flock(lease, fcntl.LOCK_SH)
        if snapshot.exists():
            return snapshot, lease
        lease.close()  # removed before it was leased


@contextmanager
def unread(snapshot: Path) -> Iterator[bool]:
    """Yield whether nobody is `reading` a snapshot; if so, nobody can begin to until the block ends."""
    with (snapshot / "manifest.json").open("r+b") as lease:
        try:
            fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def place(staging: Path, out: Path, folder: str, name: str) -> Path:
    """Give a finished snapshot its final name in one step, replacing one of the same id that is not in use."""
    target = out / folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    old = target.with_name(f".{name}.old.tmp")
    if target.exists():
        target.replace(old)
    staging.replace(target)
    sync(target.parent)
    shutil.rmtree(old, ignore_errors=True)
    return target


def switch(out: Path, target: Path) -> None:
    """Point `current` at a snapshot by one atomic rename."""
    for leftover in out.glob(".current.*.tmp"):
        leftover.unlink()
    link = out / f".current.{os.getpid()}.tmp"
    link.symlink_to(target.relative_to(out), target_is_directory=True)
    link.replace(out / "current")
    sync(out)


@contextmanager
def writing(folder: Path, *, role: str) -> Iterator[None]:
    """Hold the only right to write under `folder` in this role until the block ends or the process dies.

    A folder may be output and workspace of one run: the roles do not get in each other's way.

    Raises:
        BusyError: another process holds it.
        InputError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = (folder / f".{role}.lock").open("a+")
    except OSError as error:
        raise InputError(f"cannot write to the {role} folder {folder}: {error.strerror}") from error
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BusyError(
                f"another run is writing to the {role} folder {folder}; wait for it or name another"
            ) from error
        yield
