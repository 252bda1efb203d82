"""Workers that the kernel holds to a limit of memory: what each came to, and how many it killed.

    python -m tests.benchmarks.scale.bounded_workers --worker 1GB [--own 1GB] COMMAND... --runner processes --threads 8

runs a command whose workers, and its temporary server, are each in a control group of their own, itself too if asked,
and prints as JSON what the largest of them held and how many were killed for more. A group counts what a process holds
by itself, tables of the kernel and pages of files that it was the first to read; the latter go before anything is
killed, so that a group may stand at its limit and lack nothing. Linux only, as root.
"""

import argparse
import json
import os
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from tasks.runtime.machine import CGROUP, bytes_of

SITE = Path(__file__).with_name("bounded")


class Kind(NamedTuple):
    """Names of the files of a version of control groups: the limit, the peak, and what says `oom_kill N`."""

    root: Path
    limit: str
    peak: str
    kills: str


FIRST = Kind(CGROUP / "memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes", "memory.oom_control")
SECOND = Kind(CGROUP, "memory.max", "memory.peak", "memory.events")


def bounded(command: list[str], worker_bytes: int, own_bytes: int) -> dict[str, int]:
    """Run a command; returns what became of it and of the processes that it spawned."""
    kind = FIRST if FIRST.root.exists() else SECOND
    groups = kind.root / f"semhash-{os.getpid()}"
    groups.mkdir()
    if kind is SECOND:
        (groups / "cgroup.subtree_control").write_text("+memory")
    surroundings = {
        "PYTHONPATH": os.pathsep.join([str(SITE), os.environ.get("PYTHONPATH", "")]),
        "SEMHASH_GROUPS": str(groups),
        "SEMHASH_GROUP_LIMIT": kind.limit,
        "SEMHASH_WORKER_BYTES": str(worker_bytes),
    }
    own = groups / "own"
    own.mkdir()
    if own_bytes:
        (own / kind.limit).write_text(str(own_bytes))
    begun = ["sh", "-c", 'echo $$ > "$0" && exec "$@"', str(own / "cgroup.procs"), *command]
    code = subprocess.run(begun, env=os.environ | surroundings, check=False).returncode
    made = [group for group in groups.iterdir() if group.is_dir()]
    peaks = [int((group / kind.peak).read_text()) for group in made]
    told = [dict(line.split() for line in (group / kind.kills).read_text().splitlines()) for group in made]
    at = made.index(own)
    for group in [*made, groups]:
        while (group / "cgroup.procs").read_text():
            time.sleep(0.1)  # what the command started last is still ending
        group.rmdir()
    killed = sum(int(one["oom_kill"]) for one in told)
    return {
        "code": code,
        "own": peaks.pop(at),
        "processes": len(peaks),
        "largest": max(peaks, default=0),
        "killed": killed,
    }


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", default="1GB", help="memory of each process that is spawned")
    parser.add_argument("--own", help="memory of the process of the command; without, none is said")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    print(json.dumps(bounded(given.command, bytes_of(given.worker), bytes_of(given.own) if given.own else 0)))


if __name__ == "__main__":
    main()
