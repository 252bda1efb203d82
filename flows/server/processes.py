"""Processes of Prefect beside this one: started, waited for, watched, and stopped in reverse order."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parents[2]
"""The checkout, or the package of an installed copy; `prefect.yaml` lies in it."""
INSTALLED = not __name__.startswith("flows.")
PLACE = Path.cwd() if INSTALLED else HOME
"""Where Prefect works, and runs start: nobody works in the folder where libraries are installed."""
BEGIN_SECONDS, END_SECONDS = 120.0, 30.0
LAST = 6
"""Lines of a process that ended which are shown."""


class Process(NamedTuple):
    """Process of Prefect, with its name and log file."""

    name: str
    handle: subprocess.Popen[bytes]
    log: Path


@contextmanager
def prefect(name: str, log: Path, settings: dict[str, str], *words: str) -> Iterator[Process]:
    """Run `prefect WORDS` where runs start while the block runs, then ask it to stop; yields the process.

    It is kept out of the terminal's group of processes, so that Ctrl-C reaches only this process and not, in any order,
    all of them.
    """
    command = [sys.executable, "-m", "prefect", *words]
    with log.open("wb") as output:
        handle = subprocess.Popen(
            command, cwd=PLACE, env=settings, stdout=output, stderr=subprocess.STDOUT, process_group=0
        )
    try:
        yield Process(name, handle, log)
    finally:
        _stop(handle)


def run(settings: dict[str, str], *words: str) -> None:
    """Run `prefect WORDS` where runs start to its end.

    Raises:
        ChildProcessError: it failed; the message has its words.
    """
    command = [sys.executable, "-m", "prefect", *words]
    done = subprocess.run(command, cwd=PLACE, env=settings, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ChildProcessError(f"prefect {' '.join(words)} failed: {(done.stderr or done.stdout).strip()}")


def wait(process: Process, ready: Callable[[], bool]) -> None:
    """Wait until the process is ready.

    Raises:
        ChildProcessError: it ended, or took too long.
    """
    until = time.monotonic() + BEGIN_SECONDS
    while not ready():
        watch(process)
        if time.monotonic() > until:
            raise ChildProcessError(f"the {process.name} is not ready after {BEGIN_SECONDS:.0f} s; see {process.log}")


def watch(*processes: Process) -> None:
    """Rest a moment; raises ChildProcessError with its last words if one of the processes has ended by itself."""
    time.sleep(0.2)
    for one in processes:
        if one.handle.poll() is not None:
            words = one.log.read_text(errors="replace").strip().splitlines()[-LAST:]
            raise ChildProcessError("\n".join([f"the {one.name} ended by itself; the end of {one.log}:", *words]))


def _stop(handle: subprocess.Popen[bytes]) -> None:
    try:
        handle.terminate()
        handle.wait(END_SECONDS)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        handle.kill()
        handle.wait()
