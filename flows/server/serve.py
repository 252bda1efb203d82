"""Server, deployments of this checkout and a worker on one machine, until told to stop."""

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from prefect.client.orchestration import SyncPrefectClient
from prefect.exceptions import ObjectNotFound

from flows.server import processes
from flows.server.abandoned import close
from flows.server.automations import deliver
from flows.server.deployments import deploy
from flows.server.environment import DEFAULTS
from tasks.runtime.errors import InputError

POOL = "semhash"
WORKER = f"serve-{socket.gethostname()}"
LEASES = "prefect.server.concurrency.lease_storage.filesystem"
"""Kept in memory, a server that restarts during a run would never again let a run of that deployment begin."""


def serve(port: int, host: str) -> None:
    """Run server and worker until Ctrl-C or SIGTERM, then stop the worker, and after it the server.

    Args:
        port: of the server.
        host: address that it listens on, whatever the environment says.

    Raises:
        InputError: the port is taken.
        ChildProcessError: a process ended by itself, or did not become ready; the message has its last words.
    """
    # Before anything is started: a worker begun with SIGINT ignored, as after a shell's `&`, could not be stopped.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    _check(port, host)
    with suppress(KeyboardInterrupt), _running(port, host) as both:
        sys.stdout.write(f"server and worker are up: {_address(port, host)}  (Ctrl-C stops both)\n")
        sys.stdout.flush()
        while True:
            processes.watch(*both)


@contextmanager
def _running(port: int, host: str) -> Iterator[tuple[processes.Process, processes.Process]]:
    settings = _settings(port, host)
    logs = Path(os.environ.get("PREFECT_HOME", "~/.prefect")).expanduser()
    with (
        SyncPrefectClient(settings["PREFECT_API_URL"]) as client,
        processes.prefect("server", logs / "server.log", settings, "server", "start") as server,
    ):
        processes.wait(server, lambda: client.api_healthcheck() is None)
        _pool(client, settings)
        deploy(client, partial(processes.run, settings), processes.HOME / "prefect.yaml")
        deliver(client)
        close(client, WORKER)
        words = ("worker", "start", "--pool", POOL, "--name", WORKER)
        begun = datetime.now(UTC)
        with processes.prefect("worker", logs / "worker.log", settings, *words) as worker:
            processes.wait(worker, lambda: _beats(client, begun))
            yield server, worker


def _check(port: int, host: str) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except socket.gaierror as error:
            raise InputError(f"--host {host} is no address of this machine ({error.strerror})") from error
        except OSError as error:
            raise InputError(f"port {port} cannot be used ({error.strerror}): name another with --port") from error


def _settings(port: int, host: str) -> dict[str, str]:
    """Surroundings of the processes; these do log, other than a command at the terminal."""
    kept = {name: value for name, value in os.environ.items() if "LOGGING" not in name or DEFAULTS.get(name) != value}
    own = {
        "PREFECT_SERVER_API_HOST": host,
        "PREFECT_SERVER_API_PORT": str(port),
        "PREFECT_API_URL": f"{_address(port, host)}/api",
    }
    return {"PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": LEASES} | kept | own


def _address(port: int, host: str) -> str:
    """Where the server is reached from this machine."""
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{near}]:{port}" if ":" in near else f"http://{near}:{port}"


def _pool(client: SyncPrefectClient, settings: dict[str, str]) -> None:
    try:
        client.read_work_pool(POOL)
    except ObjectNotFound:
        processes.run(settings, "--no-prompt", "work-pool", "create", POOL, "--type", "process")


def _beats(client: SyncPrefectClient, begun: datetime) -> bool:
    found = {worker.name: worker.last_heartbeat_time for worker in client.read_workers_for_work_pool(POOL)}
    last = found.get(WORKER)
    return last is not None and last >= begun
