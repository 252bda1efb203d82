"""A Prefect server for as long as one command runs, where none is set: so that its runs are recorded all the same.

Prefect would start one itself, but only after it has imported the whole server into this process, too.
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from data_contracts.imports import at_once

CHECKOUT = Path(__file__).resolve().parent.parent
END_SECONDS = 5.0


@contextmanager
def server() -> Iterator[None]:
    """Run a server in the block unless an address of one is set.

    Raises:
        RuntimeError: it ended by itself, or did not answer in the time that Prefect gives one.
    """
    from prefect.settings import PREFECT_API_URL, PREFECT_UI_URL, get_current_settings, temporary_settings

    ours = get_current_settings().server.ephemeral
    if PREFECT_API_URL.value() or not ours.enabled:
        yield
        return
    port = _free_port()
    command = [sys.executable, "-m", "uvicorn", "--app-dir", str(CHECKOUT), "--factory", "flows.temporary:app"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--log-level", "error", "--lifespan", "on"]
    handle = subprocess.Popen(command, env={**os.environ, "PREFECT_UI_ENABLED": "0"})
    try:
        address = f"http://127.0.0.1:{port}/api"
        _wait(handle, f"{address}/health", ours.startup_timeout_seconds)
        # Nobody could open a page there afterwards.
        with temporary_settings({PREFECT_API_URL: address, PREFECT_UI_URL: ""}):
            yield
    finally:
        _stop(handle)


def app() -> Any:
    """What uvicorn serves: the API without UI and schedules."""
    with at_once():
        from prefect.server.api.server import create_app

        return create_app(ephemeral=True, final=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(handle: subprocess.Popen[bytes], health: str, seconds: float) -> None:
    until = time.monotonic() + seconds
    while handle.poll() is None and time.monotonic() < until:
        try:
            urlopen(health, timeout=seconds).close()
            return
        except (URLError, TimeoutError, ConnectionError):
            time.sleep(0.1)
    raise RuntimeError("the temporary API server of Prefect ended by itself or took too long")


def _stop(handle: subprocess.Popen[bytes]) -> None:
    handle.terminate()
    try:
        handle.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        handle.kill()
        handle.wait()
