"""Commands run as a user runs them, but in children of a process that has imported everything, and without a server."""

import faulthandler
import os
import signal
import sys
import time
from pathlib import Path
from typing import NamedTuple

from tests.support.processes.children import CONTEXT, forked_from

SECONDS = 300.0
"""Longest time of a run of some dozen documents, on a machine with much else to do."""
STOP_SECONDS = 30.0
"""Longest time after a signal, on such a machine; a quiet one takes two (`tests/flows/test_stop.py`)."""


class Done(NamedTuple):
    """Exit code of a command, what it said, and how long it took."""

    code: int | None
    said: str
    seconds: float


def prepare() -> None:
    """Choose what children are forked from."""
    os.environ["PREFECT_API_URL"] = "http://127.0.0.1:1/api"  # no server is started, none is asked
    forked_from("flows.curate", "flows.refresh", "great_expectations", "flows.cli", "tests.support.runs")


def run(words: list[str], log: Path, number: str = "", after: float = 0.0, seconds: float = SECONDS) -> Done:
    """Run a command to its end, or until a signal after some seconds; a command that hangs is killed, code None."""
    log.unlink(missing_ok=True)
    process = CONTEXT.Process(target=_command, args=(words, str(log)))
    begun = time.monotonic()
    process.start()
    while process.is_alive() and not log.exists():
        time.sleep(0.01)  # until its signals are its own
    process.join(after if number else seconds)
    if number and process.is_alive():
        os.kill(process.pid, getattr(signal, number))
        process.join(STOP_SECONDS)
    hung = process.is_alive()
    if hung and process.pid:
        os.kill(process.pid, signal.SIGUSR1)  # where its threads stand goes into the log
        process.join(1)
    process.kill()
    process.join()
    return Done(None if hung else process.exitcode, log.read_text(errors="replace"), time.monotonic() - begun)


def _command(words: list[str], log: str) -> None:
    from flows.cli import main
    from tests.support.runs import without_prefect

    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's `&` and `nohup` leave them ignored
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    faulthandler.register(signal.SIGUSR1)
    sys.argv = ["semhash-llm", *words]
    with without_prefect(), without_prefect("refresh"):
        main()
