"""Compiling ahead: all kernels that a machine lacks, by several processes at once.

A kernel is compiled when it is called first, one after the other, which takes minutes where none is. Before a run that
would meet that the kernels of the page of signatures are compiled by as many processes as may run. Each goes through
the page and takes what no other holds: `models.kernels.jit` has a lock for every kernel.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from numba.core.errors import NumbaError

from models.compiling.signatures import Page, Signature
from models.kernels.jit import is_being_compiled

_SECONDS = 0.5
"""Between two looks at what is done."""


def missing() -> list[Signature]:
    """Signatures of kernels that are not compiled yet, kernels before those that call them."""
    found = []
    for signature in Page().signatures():
        with suppress(LookupError):  # the page is older than the code
            if not signature.is_compiled():
                found.append(signature)
    return found


def compile_ahead(waiting: list[Signature], processes: int, advance: Callable[[int], None]) -> None:
    """Compile kernels.

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
            left = [signature for signature in waiting if not signature.is_compiled()]
            advance(len(waiting) - len(left))
            waiting = left
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()


def work() -> None:
    """Compile what is missing beside others that do the same: first what nobody holds, then wait for the rest.

    It ends when whoever started it is gone.
    """
    page, started_by = Page(), os.getppid()
    for wait in (False, True):
        for signature in missing():
            if os.getppid() != started_by:
                return
            with suppress(NumbaError, LookupError, AttributeError, ImportError, TypeError):
                if wait or not (signature.is_compiled() or is_being_compiled(signature.folder())):
                    signature.kernel().compile(page.types_of(signature))


if __name__ == "__main__":
    work()
