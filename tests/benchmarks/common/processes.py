"""What a command costs with everything that it starts: CPU seconds, wall clock, memory.

    python -m tests.benchmarks.common.processes LOG COMMAND...

runs one command and prints its cost as JSON. The measuring process declares itself the reaper of orphans, so that the
CPU time of servers, pools and grandchildren counts even where their parents do not wait for them; what is left of them
when the command has ended is ended, too. Linux only.
"""

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

LOOKS = 0.2
"""Seconds between two looks at the memory."""
REAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2)."""
PATIENCE = 5.0
"""Seconds that processes have to end by themselves once the command has."""


class Cost(NamedTuple):
    """Of one command with all its descendants; memory in MB (10^6 bytes).

    `memory_mb` is the largest sum of proportional set sizes that a look saw, `largest_mb` the exact peak of the largest
    single process.
    """

    wall: float
    cpu: float
    memory_mb: float
    largest_mb: float
    code: int


def measured(arguments: list[str], log: Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> Cost:
    """Run a command to its end; what it says goes to `log`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    watcher = [sys.executable, "-I", __file__, str(log), *arguments]
    told = subprocess.run(watcher, cwd=cwd, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout
    return Cost(**json.loads(told))


def watched(arguments: list[str], log: Path) -> Cost:
    """The same in this process, which must have no other children."""
    ctypes.CDLL(None).prctl(REAPER, 1, 0, 0, 0)
    start, peak, code = time.monotonic(), 0, None
    with log.open("w") as said:
        process = subprocess.Popen(arguments, stdout=said, stderr=subprocess.STDOUT)
    while code is None:
        peak = max(peak, sum(map(_proportional, _descendants())))
        code = _reaped(process.pid, LOOKS)
    wall = time.monotonic() - start
    _bury()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall, used.ru_utime + used.ru_stime, peak * 1024 / 1e6, used.ru_maxrss * 1024 / 1e6, code)


def _reaped(wanted: int, seconds: float) -> int | None:
    """Wait for children; the exit code of the wanted one, None while it runs or, with wanted 0, while any does."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return 0
        if wanted and ended == wanted:
            return os.waitstatus_to_exitcode(status)
        if not ended:
            time.sleep(0.01)
    return None


def _bury() -> None:
    """Wait for what the command left running, and end it where it does not end."""
    for told in (None, signal.SIGTERM, signal.SIGKILL):
        if told:
            for one in _descendants():
                os.kill(one, told)
        if _reaped(0, PATIENCE) is not None:
            return


def _descendants() -> list[int]:
    """All living processes under this one."""
    found = [os.getpid()]
    for one in found:
        try:
            for thread in Path(f"/proc/{one}/task").iterdir():
                found += map(int, (thread / "children").read_text().split())
        except OSError:
            continue
    return found[1:]


def _proportional(pid: int) -> int:
    """Proportional set size in KiB; 0 once the process is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


if __name__ == "__main__":
    print(json.dumps(watched(sys.argv[2:], Path(sys.argv[1]))._asdict()))
