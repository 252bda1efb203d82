"""Temporary Prefect server that records the runs of one command where no server is configured.

Prefect would start one itself, but only after it has imported the whole server into this process, too.
"""

import ctypes
import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType

from data_contracts.imports import at_once
from tasks.runtime.process_exit import hush

END_SECONDS = 5.0
DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""
SIGNALS = {signal.SIGINT: signal.SIG_IGN, signal.SIGHUP: signal.SIG_IGN, signal.SIGTERM: signal.SIG_DFL}
"""What the server makes of signals; those that a terminal sends to a whole group of processes are for the command."""
UNWANTED = ("CANCELLATION_CLEANUP", "CLEANUP_RECONCILER", "FOREMAN", "LATE_RUNS", "PAUSE_EXPIRATIONS", "REPOSSESSOR")
"""Services for runs that wait for a worker; here is none."""
TOGETHER = 64
"""Events of task runs that are written down together; by default each takes a transaction of its own."""


@contextmanager
def server() -> Iterator[None]:
    """Run a server in the block unless an address of one is set; what is asked before it is up, waits."""
    with at_once():
        from prefect.settings import (
            PREFECT_API_URL,
            PREFECT_LOGGING_TO_API_ENABLED,
            PREFECT_UI_URL,
            get_current_settings,
            temporary_settings,
        )

    if PREFECT_API_URL.value() or not get_current_settings().server.ephemeral.enabled:
        yield
        return
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        process = _process(listener)
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        process.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/api"
    try:
        # Nobody could open a page there afterwards.
        own = {PREFECT_API_URL: address, PREFECT_UI_URL: "", PREFECT_LOGGING_TO_API_ENABLED: False}
        with temporary_settings(own):
            yield
            _say_all()
    except KeyboardInterrupt:  # nobody has time to wait for it
        process.kill()
        raise
    finally:
        process.terminate()
        process.join(END_SECONDS)
        process.kill()
        process.join()


def _say_all() -> None:
    """Tell the server what it has not been told yet: later nobody answers, and libraries complain."""
    if "prefect.events.worker" in sys.modules:
        from prefect.events.worker import EventsWorker

        EventsWorker.drain_all(timeout=END_SECONDS)


def _process(listener: socket.socket) -> BaseProcess:
    """A process to serve in: with what is imported here already, as long as no thread here could hold a lock."""
    tasks = Path("/proc/self/task")
    alone = tasks.exists() and len(list(tasks.iterdir())) == 1
    if alone:
        return multiprocessing.get_context("fork").Process(target=serve, args=(listener, os.getpid()), daemon=True)
    return multiprocessing.get_context("spawn").Process(target=serve, args=(listener, os.getpid()), daemon=True)


def serve(listener: socket.socket, parent: int) -> None:
    """Serve the API without UI and schedules on a listening socket until the parent process ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        return
    os.setpgrp()
    for number, meaning in SIGNALS.items():
        signal.signal(number, meaning)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    os.environ |= {"PREFECT_UI_ENABLED": "0", "PREFECT_SERVER_SERVICES_SCHEDULER_ENABLED": "0"}
    os.environ |= {f"PREFECT_SERVER_SERVICES_{name}_ENABLED": "0" for name in UNWANTED}
    recorder = "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER"
    os.environ |= {f"{recorder}_{name}_SIZE": str(TOGETHER) for name in ("READ_BATCH", "BATCH")}
    os.environ |= {f"{recorder}_FLUSH_INTERVAL": "1", "PY_KEY_VALUE_DISABLE_BEARTYPE": "true"}
    with at_once():
        import uvicorn
        from prefect.context import refresh_global_settings_context

        refresh_global_settings_context()
        from prefect.server.api.server import create_app

        api = create_app(ephemeral=True, final=True)

    class Server(uvicorn.Server):
        """It ends without a word: services that have hardly begun print tracebacks when they are cancelled."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            hush()
            super().handle_exit(sig, frame)

    Server(uvicorn.Config(api, log_level="error", lifespan="on")).run([listener])
