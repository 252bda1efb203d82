"""Workers end with the process that they work for, however that ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support import ROOT

CONDUCTOR = """
import multiprocessing, sys, time

from tasks.runtime.process_exit import work_for_another


def work(said):
    work_for_another()
    said.put(multiprocessing.current_process().pid)
    time.sleep(600)


if __name__ == "__main__":
    spawn = multiprocessing.get_context("spawn")
    said = spawn.Queue()
    several = [spawn.Process(target=work, args=(said,)) for _ in range(2)]
    for one in several:
        one.start()
    print(*(said.get() for _ in several), flush=True)
    time.sleep(600)
"""


def alive(pid: int) -> bool:
    """A killed process stays in the table until whoever inherited it looks."""
    try:
        with Path(f"/proc/{pid}/stat").open() as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_end_when_the_process_of_the_run_is_killed(tmp_path):
    script = tmp_path / "conductor.py"
    script.write_text(CONDUCTOR)
    surroundings = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=surroundings) as run:
        workers = [int(word) for word in run.stdout.readline().split()]
        assert len(workers) == 2
        assert all(map(alive, workers))
        os.kill(run.pid, signal.SIGKILL)
        deadline = time.monotonic() + 30
        while any(map(alive, workers)) and time.monotonic() < deadline:
            time.sleep(0.05)
    assert not any(map(alive, workers)), "workers outlived the process that they work for"


LEAVING = """
import multiprocessing, os

from tasks.runtime.process_exit import quietly

quietly()
lock = multiprocessing.get_context("spawn").Lock()
os._exit(0)
"""


def test_nothing_is_said_of_what_a_process_that_ends_at_once_leaves_to_python():
    surroundings = os.environ | {"PYTHONPATH": str(ROOT)}
    # Whoever tidies up behind it holds its standard error open, and so is waited for.
    ended = subprocess.run(
        [sys.executable, "-c", LEAVING], capture_output=True, text=True, env=surroundings, timeout=60
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
