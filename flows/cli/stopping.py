"""Stop of a command by a signal: Ctrl-C, SIGTERM and SIGHUP end it within two seconds, whatever it is doing."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from tasks.runtime.process_exit import SIGNALS, STOPPED, stop

GRACE_SECONDS = 1.0
"""For the block to end by itself, so that the server hears of it; what runs on until then is not waited for."""
AGAIN_SECONDS = 0.05
"""After which a signal comes again that came at a bad moment."""


class Stopped(KeyboardInterrupt):
    """A signal came; what it interrupts may end in good order, but not go on."""


@contextmanager
def stoppable() -> Iterator[None]:
    """End this process when a signal comes in the block, with exit code 128 + its number and one line on stderr.

    A signal that is ignored when the block begins, as `nohup` and a shell's `&` have it, stays ignored.
    """
    came: list[int] = []

    def raise_once(number: int, frame: FrameType | None) -> None:
        if came:  # what is ending already would be interrupted by another
            return
        if _renamed(frame):
            threading.Timer(AGAIN_SECONDS, signal.pthread_kill, (threading.main_thread().ident, number)).start()
            return
        came.append(number)
        late.args = (128 + number, STOPPED)
        late.start()
        raise Stopped

    late = threading.Timer(GRACE_SECONDS, stop)  # where a library's callback swallows what is raised here
    late.daemon = True

    heeded = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, raise_once) for number in heeded}
    told, sys.unraisablehook = sys.unraisablehook, _unsaid
    try:
        yield
    except BaseException:
        if came:
            stop(128 + came[0], STOPPED)
        raise
    finally:
        late.cancel()
        sys.unraisablehook = told
        for number, handler in before.items():
            signal.signal(number, handler)


def _renamed(frame: FrameType | None) -> bool:
    """Would an error that begins here become another one? Pydantic's makes of a stopped run one that failed."""
    while frame:
        if f"{os.sep}pydantic{os.sep}" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


def _unsaid(swallowed: "sys.UnraisableHookArgs") -> None:
    """Say nothing where a library's callback swallows the signal: then the process ends a moment later."""
    if not isinstance(swallowed.exc_value, Stopped):
        sys.__unraisablehook__(swallowed)


@contextmanager
def watched() -> Iterator[None]:
    """Stop this process a moment after a signal even if its main thread does not come back from a library by then."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reading,), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(writing)


def _watch(reading: int) -> None:
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while byte := pipe.read(1):
            if byte[0] in SIGNALS:
                time.sleep(GRACE_SECONDS)
                stop(128 + byte[0], STOPPED)
