"""Write lease in an object store: heartbeat every 15 s, expires after 90 s of silence by the clock of the store.

A run that wants the lease puts an object of its own and then lists those of others: of two at the same time at least
one sees the other, on any store that lists what was put before. A run that sees a living lease gives way. The age of an
object is the difference of two times of the store, so clocks of machines do not matter.
"""

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from tasks.runtime.errors import BusyError
from tasks.runtime.process_exit import undone_if_stopped

BEAT, SILENCE = 15.0, 90.0
"""Seconds between two heartbeats, and without one until the lease expires."""
LAST = ".lease"
"""In the folder of a run: the name of its lease. A later run in this folder knows that the earlier one has ended."""


class Lease:
    """Write lease that this process holds, unless it was silent for too long."""

    def __init__(self, fs: Any, place: str) -> None:
        self._fs, self._place = fs, place
        self._ended = threading.Event()
        self._heard = time.monotonic()
        self._taken = False
        self._told = json.dumps({"host": socket.gethostname(), "process": os.getpid(), "since": time.ctime()}).encode()

    def sign(self) -> None:
        """Put the object (again)."""
        self._fs.pipe_file(self._place, self._told)
        self._heard = time.monotonic()

    def check(self) -> None:
        """Raises BusyError when another run took the lease for expired."""
        if time.monotonic() - self._heard > SILENCE:
            self._look()
        if self._taken:
            raise BusyError("nothing was heard of this run for so long that another one is writing to its store now")

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Send heartbeats while the block runs."""
        thread = threading.Thread(target=self._beat, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            thread.join()

    def _beat(self) -> None:
        while not self._ended.wait(BEAT):
            with suppress(Exception):  # each library has its own; the next sign may come through
                self._look()

    def _look(self) -> None:
        self._taken = self._taken or not self._fs.exists(self._place)
        if not self._taken:
            self.sign()


@contextmanager
def only(fs: Any, base: str, token: str, folder: Path) -> Iterator[Lease]:
    """Hold the lease on `base` until the block ends.

    Args:
        fs: a file system of fsspec.
        base: path in it.
        token: name of the lease, unlike all others.
        folder: of this run on this machine; nobody else has it now.

    Raises:
        BusyError: somebody else has it.
    """
    place = f"{base}/.writers/{token}"
    last = folder / LAST
    dead = f"{base}/.writers/{last.read_text()}" if last.exists() else ""
    lease = Lease(fs, place)
    lease.sign()
    last.write_text(token)
    try:
        others = [one for one in fs.find(f"{base}/.writers") if not one.endswith(f"/{token}")]
        for other in others:
            with suppress(FileNotFoundError):  # it ended
                silent = (fs.modified(place) - fs.modified(other)).total_seconds()
                if silent < SILENCE and other != dead:
                    raise BusyError(_who(json.loads(fs.cat_file(other)), SILENCE - silent))
                fs.rm_file(other)
        with lease.kept(), undone_if_stopped(partial(fs.rm_file, place)):
            yield lease
    finally:
        with suppress(Exception):  # as above; it ends by itself
            fs.rm_file(place)


def _who(told: dict[str, Any], seconds: float) -> str:
    who = f"process {told['process']} of {told['host']}, since {told['since']}"
    return f"another run is writing there: {who}; if it was killed, start again in {seconds:.0f} s"
