"""On `PYTHONPATH`, this kills a process at a certain part, and hides a folder from workers.

The file `SEMHASH_ARMED` arms the trap: the first process that has made that part dies before the part gets its name; of
several processes only the one that removes the file dies. `SEMHASH_HIDDEN` names a folder that workers must not look
into: children of the process that runs the flow, and all processes with `SEMHASH_WORKER`.
"""

import multiprocessing
import os
import signal
import sys
from pathlib import Path

ARMED = os.environ.get("SEMHASH_ARMED", "")
HIDDEN = os.environ.get("SEMHASH_HIDDEN", "")
LOOKS = ("open", "os.scandir", "os.listdir", "os.mkdir", "os.rename", "os.remove")


def _hook(event: str, given: tuple[object, ...]) -> None:
    if event == "os.rename" and "/embeddings-" in str(given[1]) and str(given[1]).endswith("part-00002.parquet"):
        try:
            Path(ARMED).unlink()
        except FileNotFoundError:
            return
        os.kill(os.getpid(), signal.SIGKILL)


def _hide(event: str, given: tuple[object, ...]) -> None:
    worker = os.environ.get("SEMHASH_WORKER") or multiprocessing.parent_process()
    if worker and event in LOOKS and str(given[0]).startswith(HIDDEN):
        raise RuntimeError(f"a worker looks into {given[0]}")


if ARMED:
    sys.addaudithook(_hook)
if HIDDEN:
    sys.addaudithook(_hide)
