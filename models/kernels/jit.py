"""Compiling of kernels: options, and one compiler at a time for all processes that share a cache."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numba.core.compiler_lock import global_compiler_lock

from models.kernels.cache import kept_by_version


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator of a kernel that is compiled once and kept on disk, for all processes of a machine.

    numba lets every process that misses a kernel compile it, and two that do so at once can lose one another's entry of
    the index. Here the second waits and loads what the first left. Its own lock within the process is taken before the
    one on disk, and a kernel before those that it calls, so no two ever wait for each other.

    Args:
        options: further ones of `numba.njit`.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        with kept_by_version():
            kernel = njit(cache=True, nogil=True, no_cfunc_wrapper=True, **options)(function)
        if options.get("no_cpython_wrapper"):
            _refuse_python(kernel)
        compile_here = kernel.compile
        lock = Path(kernel.stats.cache_path) / "lock"

        def compile_alone(signature: Any) -> Any:
            with global_compiler_lock, _held(lock):
                return compile_here(signature)

        kernel.compile = compile_alone
        return kernel

    return decorate


def _refuse_python(kernel: Any) -> None:
    """Have a kernel without a wrapper raise where Python calls it: numba would jump to an address that is none."""

    def add_overload(compiled: Any) -> None:
        kernel.overloads[tuple(compiled.signature.args)] = compiled

    def refuse(*arguments: Any, **named: Any) -> None:
        raise TypeError(
            f"{kernel.__module__}.{kernel.__name__} has no wrapper for calls from Python: see models.kernels.jit"
        )

    kernel.add_overload, kernel._compile_for_args = add_overload, refuse


@contextmanager
def _held(lock: Path) -> Iterator[None]:
    """Lock of one kernel among processes; it falls with the process that holds it.

    Some file systems of clusters have no locks: there every process compiles for itself, as numba would.
    """
    lock.parent.mkdir(exist_ok=True)
    with lock.open("wb") as handle:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def is_being_compiled(folder: Path) -> bool:
    """Whether some process holds the lock of the kernel in a folder of the cache."""
    # A constant for the name, here and in `compiled`, would rename every kernel, every table and every index.
    with suppress(OSError), (folder / "lock").open("rb") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


kernel: Any = compiled()
"""For functions that Python calls.

The wrapper that takes their arguments from Python is no small part of compiling: a batch of texts is two dozen arrays,
each of which is checked and unpacked.
"""

inner: Any = compiled(no_cpython_wrapper=True)
"""For functions that only other kernels call."""

inlined: Any = compiled(inline="always")
"""For functions of a few lines that become part of their callers before types are known."""

lean: Any = compiled(_nrt=False, no_cpython_wrapper=True)
"""For inner functions that make no array, not even a passing one, and are given none by what they call.

In all others every look at an array in a tuple counts a reference up and down again, atomically; a batch of texts is
two dozen arrays, and a profile of comparing showed about a fifth of the samples there.
"""

lean_kernel: Any = compiled(_nrt=False)
"""For lean functions that Python calls, too."""

counted: Any = compiled(_nrt=True)
"""For functions that make arrays and are called by lean ones: they would be compiled as their caller is."""

ZERO: Any = np.int64(0)
ONE: Any = np.int64(1)
"""Numbers with a type. A literal has one of its own, and whatever it is passed to is compiled for it alone, with all
that is called from there, and once more for every other number."""
