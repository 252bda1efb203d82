"""Compiling of kernels, said once: the first run with new code takes some minutes before anything else happens."""

import time

from numba.core import event

from tasks.runtime.progress import say

SECONDS = 1.0
"""Of compiling in all from which it is worth a word."""
TOLD = "compiling kernels, once: some minutes; later runs begin at once"


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


def announce_compiling() -> None:
    """Say from now on when kernels are compiled."""
    event.register("numba:compile", Teller())
