"""Compiling of kernels, said once: the first run with new code takes some minutes before anything else happens."""

import time
from functools import cache

from numba.core import event

from models.compiling.ahead import compile_ahead, missing
from tasks.runtime.machine import UNITS, cores
from tasks.runtime.progress import say, stage_progress

SECONDS = 1.0
"""Of compiling in all from which it is worth a word."""
TOLD = "compiling kernels, once: some minutes; later runs begin at once"
FEW = 30
"""Missing kernels up to which a run compiles them where it calls them: processes would take longer to start."""
WORKER_BYTES = UNITS["GB"]
"""What one that compiles the largest kernel holds."""


class Teller(event.Listener):  # type: ignore[misc]
    """Listener to the compiler, which starts anew for every kernel."""

    def __init__(self) -> None:
        self._first: float | None = None
        self._told = False

    def on_start(self, event: event.Event) -> None:
        """Say it, if compiling has gone on for a while."""
        self._first = self._first or time.monotonic()
        if not self._told and time.monotonic() - self._first > SECONDS:
            self._told = True
            say(TOLD)

    def on_end(self, event: event.Event) -> None:
        """Nothing to say."""


@cache
def announce_compiling() -> None:
    """Say from now on when kernels are compiled, however often this is called."""
    event.register("numba:compile", Teller())


def compile_kernels(threads: int, memory_limit: int) -> None:
    """Compile all kernels that are missing, several at once, before a run that would compile one after the other.

    Where that is not worth it the run says so when it compiles them itself, on a worker as on a terminal.

    Args:
        threads: of the run.
        memory_limit: of the run, bytes.
    """
    announce_compiling()
    processes = min(threads, cores(), memory_limit // WORKER_BYTES)
    if processes > 1 and len(waiting := missing()) > FEW:
        with stage_progress("compiling kernels", len(waiting), "kernels") as bar:
            compile_ahead(waiting, processes, bar.advance)
