"""The only right to write under a URL, which holds between machines and ends with the run that had it.

Who wants it puts an object of its own and then lists those of the others: of two at the same time at least one sees the
other, on any store that lists what was put before. Who sees a living one gives way. A right is alive as long as its
object is put again now and then; what is old is told by the clock of the store alone.
"""

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tasks.runtime.errors import BusyError

BEAT, SILENCE = 15.0, 90.0
"""Seconds between two signs of life, and after how many without one a right is over."""
LAST = ".lease"
"""In the folder of a run: what its right was called. Whoever holds the folder knows that this run is no more."""


class Lease:
    """A right that this process has, unless it was silent for too long."""

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
        """Raises BusyError when another took the right for over."""
        if time.monotonic() - self._heard > SILENCE:
            self._look()
        if self._taken:
            raise BusyError("nothing was heard of this run for so long that another one is writing to its store now")

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Show signs of life while the block runs."""
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
    """Hold the right to write under `base` until the block ends.

    Args:
        fs: a file system of fsspec.
        base: path in it.
        token: name of the right, unlike all others.
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
        with lease.kept():
            yield lease
    finally:
        with suppress(Exception):  # as above; it ends by itself
            fs.rm_file(place)


def _who(told: dict[str, Any], seconds: float) -> str:
    who = f"process {told['process']} of {told['host']}, since {told['since']}"
    return f"another run is writing there: {who}; if it was killed, start again in {seconds:.0f} s"
