"""The server that a command starts for itself: there while it runs, gone afterwards, and not where one is set."""

import signal
import subprocess
import sys
import time
from urllib.error import URLError
from urllib.request import urlopen
from uuid import uuid4

import pytest
from prefect.settings import PREFECT_API_URL, PREFECT_LOGGING_TO_API_ENABLED, temporary_settings
from prefect.utilities.urls import url_for
from typer.testing import CliRunner

from flows import cli
from flows.server import temporary

pytestmark = pytest.mark.flows

SERVED = """
from flows.server.environment import prepare
prepare()
from flows.server.temporary import server
with server():
    from prefect.settings import PREFECT_API_URL
    print(PREFECT_API_URL.value(), flush=True)
    input()
"""

STARTING = """
import os, signal, socket, sys, uvicorn
from flows.server.environment import prepare
prepare()
from flows.server.temporary import serve
start = uvicorn.Server.startup
async def ended(self, sockets=None):
    os.kill(os.getpid(), signal.SIGTERM)
    await start(self, sockets)
    print("Traceback", file=sys.stderr, flush=True)
uvicorn.Server.startup = ended
serve(socket.create_server(("127.0.0.1", 0)), os.getppid())
"""


def _answers(address: str) -> bool:
    try:
        with urlopen(f"{address}/health") as answer:
            return bool(answer.status == 200)
    except (URLError, ConnectionError):
        return False


def test_a_server_answers_in_the_block_and_not_after_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    with temporary_settings(restore_defaults={PREFECT_API_URL}), temporary.server():
        address = PREFECT_API_URL.value()
        assert _answers(address), "what is asked before it is up waits"
        assert url_for("flow-run", uuid4()) is None, "its pages are gone before anyone could open them"
        assert not PREFECT_LOGGING_TO_API_ENABLED.value(), "logs that come late would be told as errors"
    assert (tmp_path / "prefect.db").exists(), "its runs stay, for a server that is started later"
    assert not _answers(address)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_it_does_not_outlive_its_command(tmp_path, end):
    surroundings = {"PREFECT_HOME": str(tmp_path), "PATH": "", "PYTHONPATH": "."}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", SERVED], env=surroundings, **pipes) as command:
        address = command.stdout.readline().strip()
        assert _answers(address)
        command.send_signal(end)
    until = time.monotonic() + 20
    while _answers(address):
        assert time.monotonic() < until, "nobody asks it any more"
        time.sleep(0.1)


def test_one_that_is_ended_while_it_starts_says_nothing(tmp_path):
    """The command was refused meanwhile, and has said why."""
    surroundings = {"PREFECT_HOME": str(tmp_path), "PATH": "", "PYTHONPATH": "."}
    done = subprocess.run([sys.executable, "-c", STARTING], env=surroundings, capture_output=True, timeout=120)
    assert (done.stdout, done.stderr) == (b"", b"")


def test_none_is_started_where_one_is_set(monkeypatch):
    monkeypatch.setattr(temporary, "_process", lambda _: pytest.fail("a server was started"))
    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:1/api"}), temporary.server():
        assert PREFECT_API_URL.value() == "http://127.0.0.1:1/api"


def test_a_server_that_ends_by_itself_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PREFECT_API_DATABASE_CONNECTION_URL", "sqlite+aiosqlite:////nowhere/at/all.db")
    texts = tmp_path / "texts.txt"
    texts.write_text("One text.\nAnother text.\n")
    with temporary_settings(restore_defaults={PREFECT_API_URL}):
        told = CliRunner().invoke(cli.app, ["curate", str(texts), "--out", str(tmp_path / "out")])
    assert told.exit_code == 1
    assert "no Prefect server answers" in told.output
