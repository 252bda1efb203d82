"""`semhash-llm serve` with a database, a port and logs of its own, and ways to do harm to its parts."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self
from urllib.request import Request, urlopen

CHECKOUT = Path(__file__).resolve().parents[2]
COMMAND = "from semhash_llm.command import main; main()"
QUIET = {"PREFECT_LOGGING_LEVEL": "WARNING", "PREFECT_SERVER_SERVICES_SCHEDULER_LOOP_SECONDS": "10", "COLUMNS": "200"}

START_SECONDS = 600
"""Longest time that all takes to come up, on a machine with much else to do; a quiet one takes ten."""


def until(what: str, happened: Callable[[], Any], seconds: float = 60) -> Any:
    """Wait until `happened` answers something true and return that answer.

    Raises:
        TimeoutError: it did not within `seconds`.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := happened():
            return answer
        time.sleep(0.1)
    raise TimeoutError(f"{what}: not within {seconds:.0f} s")


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def descendants(pid: int) -> list[int]:
    """Processes that a process started, and those that they started."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    found = [int(one) for path in lists for one in path.read_text().split()]
    return found + [deeper for one in found for deeper in descendants(one)]


class Station:
    """Server, deployments and worker; on exit nothing of it runs any more."""

    def __init__(self, folder: Path, place: Path = CHECKOUT, **variables: str) -> None:
        self.folder, self.place = folder, place
        self.port = free_port()
        self.ui = f"http://127.0.0.1:{self.port}"
        self.env = os.environ | QUIET | variables
        self.env |= {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PREFECT_HOME": str(folder),
            "PREFECT_API_URL": f"{self.ui}/api",
        }

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.serving.poll() is None:
            self.serving.terminate()
            self.serving.wait(60)

    def start(self) -> None:
        """Start all and wait until it is up."""
        log = self.folder / "serve.log"
        with log.open("wb") as told:
            words = [sys.executable, "-c", COMMAND, "serve", "--port", str(self.port)]
            self.serving = subprocess.Popen(words, env=self.env, cwd=self.place, stdout=told, stderr=told)
        until("all is up", lambda: self.serving.poll() is not None or self.ui in log.read_text(), START_SECONDS)
        assert self.serving.poll() is None, log.read_text()

    def parts(self, words: str) -> list[int]:
        """Processes of the server, the worker or the runs (`prefect.engine`), found by words of their command line."""
        found = [one for one in descendants(self.serving.pid) if words in _command(one)]
        assert found, f"no process of this station has '{words}' in its command line"
        return found

    def fell(self, words: str) -> None:
        """`kill -9` of one part, after which `serve` gives up by itself, and start again."""
        os.kill(self.parts(words)[0], signal.SIGKILL)
        self.serving.wait(90)
        self.start()

    def cut_power(self) -> None:
        """`kill -9` of everything at once, and start again."""
        for one in [self.serving.pid, *descendants(self.serving.pid)]:
            os.kill(one, signal.SIGKILL)
        self.serving.wait()
        self.start()

    def prefect(self, *words: str, fails: bool = False, seconds: float = 300) -> str:
        """Call `prefect WORDS…` in the checkout; return what it says.

        Raises:
            AssertionError: it failed, or did not although it should have.
        """
        done = subprocess.run(
            ["prefect", *words], env=self.env, cwd=self.place, capture_output=True, text=True, timeout=seconds
        )
        said = done.stdout + done.stderr
        assert bool(done.returncode) == fails, f"prefect {' '.join(words)} ended with {done.returncode}:\n{said}"
        return said

    def trigger(
        self, deployment: str, given: dict[str, Any], *, fails: bool = False, watch: bool = True, name: str = ""
    ) -> str:
        """`prefect deployment run`, by default to its end; returns the id of the run."""
        told = [word for name, value in given.items() for word in ("--param", f"{name}={json.dumps(value)}")]
        told += ["--watch"] * watch + (["--flow-run-name", name] if name else [])
        self.prefect("deployment", "run", deployment, *told, fails=fails)
        return str(next(run["id"] for run in self.runs(deployment) if not run["auto_scheduled"]))

    def api(self, path: str, body: object = None) -> Any:
        """Ask the server's REST API; a body makes it a POST."""
        data = None if body is None else json.dumps(body).encode()
        asked = Request(f"{self.ui}/api{path}", data, {"Content-Type": "application/json"})
        with urlopen(asked, timeout=120) as answer:
            return json.load(answer)

    def runs(self, deployment: str) -> list[dict[str, Any]]:
        """Runs of a deployment (FLOW/NAME), the one created last first."""
        found = self.api(f"/deployments/name/{deployment}")["id"]
        asked = {"deployments": {"id": {"any_": [found]}}, "sort": "ID_DESC", "limit": 200}
        return sorted(self.api("/flow_runs/filter", asked), key=lambda run: run["created"], reverse=True)

    def logs(self, run: str) -> list[dict[str, Any]]:
        """What a run logged, the oldest first."""
        asked = {"logs": {"flow_run_id": {"any_": [run]}}, "sort": "TIMESTAMP_ASC", "limit": 200}
        found: list[dict[str, Any]] = []
        while page := self.api("/logs/filter", asked | {"offset": len(found)}):
            found += page
        return found

    def state(self, run: str) -> str:
        """Name of the state of a run."""
        return str(self.api(f"/flow_runs/{run}")["state"]["name"])

    def finished(self, run: str, seconds: float = 180) -> str:
        """Wait until a run is over; returns the name of its last state."""
        over = {"Completed", "Failed", "Crashed", "Cancelled"}
        return str(until(f"run {run} is over", lambda: self.state(run) in over and self.state(run), seconds))


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
