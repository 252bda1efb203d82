"""Children of a process that has imported everything and started nothing: they may be killed, and are if they hang."""

import multiprocessing
from collections.abc import Callable, Sequence
from typing import Any

CONTEXT = multiprocessing.get_context("forkserver")
SECONDS = 600.0
"""Longest time of a child, on a machine that compiles kernels and has much else to do."""


def forked_from(*modules: str) -> None:
    """Choose what the process has imported from which children are forked; it counts before the first of them."""
    CONTEXT.set_forkserver_preload([*modules])


def outcome(function: Callable[..., Any], given: Sequence[Any] = (), seconds: float = SECONDS) -> int:
    """Exit code of a child that calls a function; negative is the signal that ended it."""
    process = CONTEXT.Process(target=function, args=tuple(given))
    process.start()
    process.join(seconds)
    hung = process.is_alive()
    process.kill()
    process.join()
    assert not hung, f"{function.__name__}{tuple(given)} did not end within {seconds:.0f} s"
    return int(process.exitcode or 0)
