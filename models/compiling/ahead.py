"""Compiling ahead: all kernels that a machine lacks, by several processes at once.

A kernel is compiled when it is called first, one after the other, which takes minutes where all are missing. So before
a run the kernels on the page of argument types are compiled, by as many processes as may run. Each goes through the
page and takes what no other holds: `models.kernels.jit` has a lock for every kernel.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from numba.core.errors import NumbaError

from models.compiling.argument_types import Page, TypedKernel
from models.kernels.jit import is_being_compiled

_SECONDS = 0.5
"""Between two looks at what is done."""


def missing() -> list[TypedKernel]:
    """Kernels that are not compiled yet, each before those that call it."""
    found = []
    for one in Page().typed():
        with suppress(LookupError):  # the page is older than the code
            if not one.is_compiled():
                found.append(one)
    return found


def compile_ahead(waiting: list[TypedKernel], processes: int, advance: Callable[[int], None]) -> None:
    """Compilation of kernels by several processes.

    What fails is compiled, or fails, where it is called.

    Args:
        waiting: what is `missing`.
        processes: at once.
        advance: is told how many more are done.
    """
    command = [sys.executable, "-P", "-m", __name__]
    here = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    workers = [subprocess.Popen(command, env=here, stderr=subprocess.DEVNULL) for _ in range(processes)]
    try:
        while any(worker.poll() is None for worker in workers):
            time.sleep(_SECONDS)
            left = [one for one in waiting if not one.is_compiled()]
            advance(len(waiting) - len(left))
            waiting = left
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()


def work() -> None:
    """One of these processes: compile what is missing, first what no other holds, then wait for the rest.

    It ends when whoever started it is gone.
    """
    page, started_by = Page(), os.getppid()
    for wait in (False, True):
        for one in missing():
            if os.getppid() != started_by:
                return
            with suppress(NumbaError, LookupError, AttributeError, ImportError, TypeError):
                if wait or not (one.is_compiled() or is_being_compiled(one.folder())):
                    one.kernel().compile(page.types_of(one))


if __name__ == "__main__":
    work()
