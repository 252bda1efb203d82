"""Exit of a process: without the noise of interpreter shutdown, or at once when a signal stops it."""

import atexit
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import resource_tracker, util
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import NoReturn

UNDO_SECONDS = 0.5
"""Longest time for what is undone when a process is stopped; a store far away may not answer."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
HELD_BACK = (signal.SIGINT, signal.SIGHUP)
"""Signals that reach a whole group of processes, of which one alone says when the others end."""
STOPPED = "semhash-llm: stopped; the same command goes on"

_undone: list[Callable[[], object]] = []
_stopping, _leaving = threading.Lock(), threading.Lock()
"""Taken once and for ever: by the thread that stops the process, and by the one that leaves it."""


@cache
def quietly() -> None:
    """End this process quickly, without what native libraries print then (objects that they call leaked).

    The process that Python has tidy up behind it takes the option over, and says nothing of what a signal left there.
    """
    atexit.register(hush)
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")


def hush() -> None:
    """Say nothing more: what libraries complain of while a process ends helps nobody."""
    gc.freeze()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def leave_at_once(message: str = "") -> None:
    """End at a signal from now on, at once: while a command is imported, or when only libraries tidy up behind it.

    A signal that is ignored, as `nohup` and a shell's `&` have it, stays ignored.
    """
    heeded = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]

    def leave(came: int, _: FrameType | None) -> None:
        for number in heeded:
            signal.signal(number, signal.SIG_IGN)  # an impatient second one would wait for the first for ever
        _leave(128 + came, message)

    for number in heeded:
        signal.signal(number, leave)


def work_for_another() -> None:
    """Begin a worker of another process, which alone says when it ends: Ctrl-C reaches all of a terminal's group.

    If that process is killed, the worker ends, too: it would wait for ever for what to do, with all that it holds.
    """
    quietly()
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_end_behind, args=(parent,), name="end behind", daemon=True).start()
    for number in HELD_BACK:
        signal.signal(number, signal.SIG_IGN)


def _end_behind(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def undo_if_stopped(undo: Callable[[], object]) -> None:
    """Call `undo` if a signal stops this process, from now on."""
    _undone.append(undo)


@contextmanager
def undone_if_stopped(undo: Callable[[], object]) -> Iterator[None]:
    """Call `undo` if a signal ends this process amid the block; how the block ends by itself is its own business."""
    _undone.append(undo)
    try:
        yield
    finally:
        _undone.remove(undo)


def stop(code: int, message: str) -> NoReturn:
    """End this process now, from any thread: what it began is killed, what it holds is undone, one line is said."""
    _stopping.acquire()
    impatient = threading.Timer(UNDO_SECONDS, _leave, (code, message))
    impatient.daemon = True
    impatient.start()
    for begun in _descendants():
        with suppress(OSError):
            os.kill(begun, signal.SIGKILL)
    for undo in (*reversed(_undone), _finalize):
        with suppress(Exception):
            undo()
    _leave(code, message)


def _leave(code: int, message: str) -> NoReturn:
    _leaving.acquire()
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    if message:
        with suppress(OSError):
            os.write(2, (f"\r\x1b[2K\x1b[?25h{message}\n" if os.isatty(2) else f"{message}\n").encode())
    os._exit(code)


def _descendants() -> list[int]:
    """Processes that this one began, and what they began; not the one that Python has tidy up after all of them."""
    own = getattr(resource_tracker, "_resource_tracker", None)
    if not Path("/proc/self/task").exists():
        return [child.pid for child in multiprocessing.active_children() if child.pid]
    found = [os.getpid()]
    for one in found:  # grows on the way
        for page in Path(f"/proc/{one}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, page.read_text().split())
    return [one for one in found[1:] if one != getattr(own, "_pid", None)]


def _finalize() -> None:
    """Give back semaphores; else the process that tidies up after Python's processes would complain of them."""
    util._run_finalizers(0)  # type: ignore[attr-defined]
