"""Locks on snapshots and folders: who reads a snapshot, and who alone writes under a folder."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

from tasks.runtime.errors import BusyError, InputError
from tasks.runtime.paths import hold_folder
from tasks.runtime.process_exit import undone_if_stopped
from tasks.snapshots.layout import current, published
from tasks.storage.atomic import sweep


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


@contextmanager
def writing(folder: Path, *, role: str) -> Iterator[None]:
    """Hold the only right to write under `folder` in this role until the block ends or the process dies.

    A folder may be output and workspace of one run: the roles do not get in each other's way. What is unfinished there
    when the block fails, or a signal stops the process, goes.

    Raises:
        BusyError: another process holds it.
        InputError: the folder cannot be written, or nothing could be read from it.
    """
    hold_folder(folder, role)
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
        with undone_if_stopped(partial(sweep, folder)):
            try:
                yield
            except BaseException:
                sweep(folder)
                raise
