"""Ctrl-C, SIGTERM and SIGHUP end a command at any moment: soon, with one line, and with nothing left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support import ROOT

pytestmark = pytest.mark.flows

SECONDS = 2.0
LINE = "semhash-llm: stopped; the same command goes on"
NATIVE = """
from flows.cli.stopping import stoppable, watched
from hashlib import pbkdf2_hmac
with stoppable(), watched():
    print("begun", flush=True)
    pbkdf2_hmac("sha256", b"", b"", 10**9)
"""
SERIALISING = """
import os, signal, time
from pydantic import BaseModel, model_serializer
from flows.cli.stopping import stoppable
class Model(BaseModel):
    @model_serializer
    def seen(self) -> dict:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        return {}
with stoppable():
    print(Model().model_dump_json())
    time.sleep(10)
"""
SWALLOWING = """
import os, signal, time
from flows.cli.stopping import stoppable
class Closing:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)
with stoppable():
    Closing()
    time.sleep(10)
"""
IMPORTING = """
import os, runpy, signal, sys
class Signalling:
    def find_spec(name, path, target=None):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Signalling)
"""
ENTRIES = ("runpy.run_module('flows', run_name='__main__')", "from semhash_llm.command import main; main()")


def begun(home, *words, **surroundings):
    """A command in a session, and so a group of processes, of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    settings = kept | {"PREFECT_HOME": str(home), "PYTHONPATH": str(ROOT)} | surroundings
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen([sys.executable, *words], cwd=home, env=settings, start_new_session=True, **both)


def members(session):
    """Processes of a session, also those that left its group."""
    found = []
    for page in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = page.read_text().rpartition(")")
        except OSError:
            continue
        if int(rest.split()[3]) == session and rest.split()[0] != "Z":
            found.append(name)
    return found


def stopped(command, number, until=""):
    """Send a signal to the group of a command when it has said something; returns what it said then."""
    said = next((line for line in command.stdout if until in line), "") if until else ""
    assert until in said
    os.killpg(command.pid, number)
    came = time.monotonic()
    rest, _ = command.communicate(timeout=60)
    assert time.monotonic() - came < SECONDS, rest
    assert command.returncode == 128 + number, rest
    assert rest.splitlines()[-1] == LINE, rest
    assert "Traceback" not in rest
    return rest


def left_nothing(home, command):
    """No process and no file is left."""
    time.sleep(0.1)
    assert members(command.pid) == []
    assert not [*home.rglob("*.tmp"), *home.rglob("scratch/*"), *home.rglob("spill/*")]


@pytest.fixture(scope="module")
def home(corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stopped")
    corpus.write_parquet(folder / "corpus.parquet")
    return folder


@pytest.mark.parametrize(("number", "until"), [(signal.SIGINT, 0.7), (signal.SIGHUP, "extract")])
def test_a_run_with_a_server_of_its_own_stops_at_any_moment(home, number, until):
    command = begun(home, "-m", "flows", "curate", "corpus.parquet", "--out", "out", "--set=gate.canaries=false")
    if not isinstance(until, str):
        time.sleep(until)
    stopped(command, number, until if isinstance(until, str) else "")
    left_nothing(home, command)


def test_a_training_stops(home, client):
    given = ("corpus.parquet", "--bundle", "learned", "--passages", "1000")
    command = begun(home, "-m", "flows", "train", *given, PREFECT_API_URL=str(client.api_url))
    stopped(command, signal.SIGINT, "extract")
    left_nothing(home, command)
    assert not home.joinpath("learned").exists()


def test_a_library_that_does_not_come_back_is_not_waited_for(tmp_path):
    stopped(begun(tmp_path, "-c", NATIVE), signal.SIGINT, "begun")


def test_a_signal_amid_the_writing_of_a_model_is_no_error_of_that(tmp_path):
    with begun(tmp_path, "-c", SERIALISING) as command:
        said, _ = command.communicate(timeout=60)
    assert (command.returncode, said.split("\n")) == (130, ["{}", LINE, ""])


def test_a_signal_that_a_callback_swallows_stops_all_the_same(tmp_path):
    came = time.monotonic()
    with begun(tmp_path, "-c", SWALLOWING) as command:
        said, _ = command.communicate(timeout=60)
    assert (command.returncode, said) == (130, f"{LINE}\n")
    assert time.monotonic() - came < 5


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_command_stops_while_it_is_imported(tmp_path, entry):
    with begun(tmp_path, "-c", f"{IMPORTING}{entry}") as command:
        said, _ = command.communicate(timeout=60)
    assert (command.returncode, said) == (130, f"{LINE}\n")


def test_what_is_ignored_stays_ignored(tmp_path):
    """A shell's `&` leaves SIGINT ignored, `nohup` SIGHUP."""
    ignoring = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n{NATIVE}".replace("10**9", "10**6")
    with begun(tmp_path, "-c", ignoring) as command:
        assert "begun" in command.stdout.readline()
        os.killpg(command.pid, signal.SIGHUP)
    assert command.returncode == 0


def test_a_run_with_workers_stops(home, client):
    given = ("corpus.parquet", "--out", "out", "--runner", "processes", "--memory-limit", "3GB")
    command = begun(home, "-m", "flows", "curate", *given, PREFECT_API_URL=str(client.api_url))
    stopped(command, signal.SIGINT, "embed")
    left_nothing(home, command)


def test_a_server_hears_of_it(home, client):
    """The run has not vanished: it is Crashed, and can be retried."""
    given = ("corpus.parquet", "--out", "heard", "--set=gate.canaries=false")
    command = begun(home, "-m", "flows", "curate", *given, PREFECT_API_URL=str(client.api_url))
    stopped(command, signal.SIGTERM, "verify")
    left_nothing(home, command)
    [run] = [run for run in client.read_flow_runs() if run.name == "curate-heard"]
    assert run.state.is_crashed(), run.state
