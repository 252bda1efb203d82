"""On `PYTHONPATH`, this kills the first process that has made a certain part, before the part gets its name.

The file `SEMHASH_ARMED` arms it; of several processes only the one that removes the file dies.
"""

import os
import signal
import sys
from pathlib import Path

ARMED = os.environ.get("SEMHASH_ARMED", "")


def _hook(event: str, given: tuple[object, ...]) -> None:
    if event == "os.rename" and "/embeddings-" in str(given[1]) and str(given[1]).endswith("part-00002.parquet"):
        try:
            Path(ARMED).unlink()
        except FileNotFoundError:
            return
        os.kill(os.getpid(), signal.SIGKILL)


if ARMED:
    sys.addaudithook(_hook)
