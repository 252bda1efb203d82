"""A Dask cluster, a Ray cluster of several workers and an S3 server on this machine, each a process of its own."""

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
WORKERS = 3
BEGIN_SECONDS = 180
TOKEN = secrets.token_hex(32)
"""What the nodes of the Ray cluster of this test, and who uses it, know each other by."""


@contextmanager
def process(env: dict[str, str], log: Path, *words: str) -> Iterator[subprocess.Popen]:
    """Run a command while the block runs; its words go to a file."""
    with log.open("ab") as output:
        handle = subprocess.Popen(words, env=env, cwd=CHECKOUT, stdout=output, stderr=output)
    try:
        yield handle
    finally:
        handle.terminate()
        try:
            handle.wait(30)
        except subprocess.TimeoutExpired:
            handle.kill()
            handle.wait()


@contextmanager
def dask(folder: Path, env: dict[str, str]) -> Iterator[str]:
    """Address of the scheduler of workers that nobody starts again."""
    address, log = f"tcp://127.0.0.1:{_free_port()}", folder / "dask.log"
    scheduler = ("scheduler", "--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--dashboard-address", ":0")
    worker = ("worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder))
    with ExitStack() as stack:
        for words in (scheduler, *[worker] * WORKERS):
            stack.enter_context(process(env, log, sys.executable, "-m", "dask", *words))
        from distributed import Client

        with Client(address, timeout=BEGIN_SECONDS, set_as_default=False) as client:
            client.wait_for_workers(WORKERS, timeout=BEGIN_SECONDS)
        yield address


@contextmanager
def ray(folder: Path, env: dict[str, str]) -> Iterator[str]:
    """Address of the first of several nodes with one worker each."""
    address, log = f"127.0.0.1:{_free_port()}", folder / "ray.log"
    command = (
        str(Path(sys.executable).with_name("ray")),
        "start",
        "--block",
        "--num-cpus",
        "1",
        "--disable-usage-stats",
    )
    size = ("--object-store-memory", "100000000")
    with tempfile.TemporaryDirectory(prefix="ray") as short, ExitStack() as stack:  # sockets have short names only
        head = ("--head", "--port", address.rpartition(":")[2], "--include-dashboard", "false", "--temp-dir", short)
        stack.enter_context(process(env, log, *command, *size, *head))
        _wait_for(address)
        for _ in range(WORKERS - 1):
            stack.enter_context(process(env, log, *command, *size, "--address", address))
            time.sleep(1)
        yield address


@contextmanager
def s3(folder: Path) -> Iterator[dict[str, str]]:
    """Variables for a server of its own that speaks S3 and has a bucket `bucket`."""
    port = str(_free_port())
    told = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "nobody",
        "AWS_SECRET_ACCESS_KEY": "nothing",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    words = (sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", port)
    with process(os.environ | told, folder / "s3.log", *words):
        _wait_for(f"127.0.0.1:{port}")
        yield told


CLUSTERS = {"dask": dask, "ray": ray}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(address: str) -> None:
    host, port = address.split(":")
    until = time.monotonic() + BEGIN_SECONDS
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex((host, int(port))) == 0:
                return
        time.sleep(0.2)
    raise TimeoutError(f"nobody answers at {address}")


def environment(folder: Path) -> dict[str, str]:
    """Variables of a process whose parts can be trapped: the trap is armed by the file `armed` in the folder."""
    paths = [str(Path(__file__).with_name("trapped")), str(CHECKOUT)]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "SEMHASH_ARMED": str(folder / "armed"),
        "PREFECT_HOME": str(folder / "prefect"),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": TOKEN,
    }
