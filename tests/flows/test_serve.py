"""`serve` brings up everything, stops it in order however it was started, and undoes nothing that people set."""

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from prefect import flow
from prefect.client.schemas.actions import DeploymentScheduleCreate, DeploymentUpdate
from prefect.client.schemas.schedules import CronSchedule
from prefect.states import Running
from typer.testing import CliRunner

from flows.cli import app
from flows.server.abandoned import close
from flows.server.automations import NAME, deliver
from flows.server.deployments import deploy
from tests.support import ROOT

pytestmark = pytest.mark.flows

SECONDS = 120


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(ready, what):
    end = time.monotonic() + SECONDS
    while not (found := ready()):
        assert time.monotonic() < end, what
        time.sleep(0.2)
    return found


def running(home):
    """Processes that have this PREFECT_HOME in their surroundings."""
    wanted = f"PREFECT_HOME={home}".encode()
    found = []
    for page in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (page / "environ").read_bytes().split(b"\0"):
                found.append((page / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="the system does not tell what runs")
def test_everything_comes_up_and_goes_down_again(port, tmp_path):
    """Started by a shell in the background, which leaves SIGINT ignored: then a worker on its own would never stop."""
    given = [sys.executable, "-m", "flows", "serve", "--port", str(port)]
    said = tmp_path / "said"
    line = f"{shlex.join(given)} > {shlex.quote(str(said))} 2>&1 & echo $!"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    settings = kept | {"PREFECT_HOME": str(tmp_path), "PREFECT_SERVER_API_HOST": "0.0.0.0"}
    begun = subprocess.run(["sh", "-c", line], cwd=ROOT, env=settings, capture_output=True, text=True, check=True)
    pid = int(begun.stdout)
    try:
        until(lambda: "server and worker are up" in said.read_text(), "it did not come up")
        assert f"http://127.0.0.1:{port}" in said.read_text()
        found = httpx.post(f"http://127.0.0.1:{port}/api/deployments/filter", json={}).json()
        deployed = {one["name"]: one for one in found}
        assert set(deployed) == {"curate", "nightly-refresh", "train", "benchmark"}
        [schedule] = deployed["nightly-refresh"]["schedules"]
        assert (schedule["schedule"]["cron"], schedule["active"]) == ("30 2 * * *", False)
        [step] = deployed["curate"]["pull_steps"]
        assert step["prefect.deployments.steps.set_working_directory"]["directory"] == str(ROOT)
        assert len(running(tmp_path)) == 3
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"http://127.0.0.2:{port}/api/health")  # it listens on one address only
        again = subprocess.run(given, cwd=ROOT, env=settings, capture_output=True, text=True, check=False)
        assert again.returncode == 2 and f"port {port} cannot be used" in again.stderr
    finally:
        os.kill(pid, signal.SIGTERM)
    until(lambda: not running(tmp_path), f"still there: {running(tmp_path)}")
    assert "Worker" in (tmp_path / "worker.log").read_text().splitlines()[-1], "it said goodbye, so it was not killed"


def test_a_port_in_use_is_told_at_once():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        found = CliRunner().invoke(app, ["serve", "--port", str(port)])
        named = CliRunner().invoke(app, ["serve"], env={"PREFECT_SERVER_API_PORT": str(port)})
    assert (found.exit_code, named.exit_code) == (2, 2)
    assert f"port {port} cannot be used (Address already in use)" in " ".join(found.stderr.split())
    assert f"port {port} cannot be used" in " ".join(named.stderr.split())


def test_what_people_set_outlives_a_deployment(client):
    @flow
    def nightly(inputs: str = "") -> None: ...

    def schedule(slug, **given):
        return DeploymentScheduleCreate(schedule=CronSchedule(cron="30 2 * * *"), slug=slug, **given)

    def prefect(*words):
        """What `prefect deploy` does: the file names both schedules, no parameters, and one schedule as active."""
        assert words[1] == "deploy"
        schedules = [schedule("resting", active=False), schedule("other", active=True, parameters={"inputs": "file"})]
        client.create_deployment(made, "nightly", schedules=schedules, parameters={})

    made = client.create_flow_from_name("nightly")
    deploy(client, prefect, ROOT / "prefect.yaml")
    [first] = client.read_deployments()
    resting, other = sorted(first.schedules, key=lambda one: one.slug, reverse=True)
    assert (resting.active, other.active) == (False, True), "what is deployed for the first time is what the file says"
    client.update_deployment(first.id, DeploymentUpdate(parameters={"inputs": "people"}))
    client.update_deployment_schedule(first.id, resting.id, active=True, parameters={"inputs": "tonight"})
    client.update_deployment_schedule(first.id, other.id, parameters={"inputs": "people"})
    deploy(client, prefect, ROOT / "prefect.yaml")
    [second] = client.read_deployments()
    resting, other = sorted(second.schedules, key=lambda one: one.slug, reverse=True)
    assert second.parameters == {"inputs": "people"}
    assert (resting.active, resting.parameters) == (True, {"inputs": "tonight"})
    assert (other.active, other.parameters) == (True, {"inputs": "file"}), "what the file says is what counts"


def test_runs_whose_process_is_gone_are_closed(client):
    @flow
    def work() -> None: ...

    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    cases = {"here, gone": ("ours", gone.pid), "here, alive": ("ours", os.getpid()), "elsewhere": ("theirs", gone.pid)}
    runs = {}
    for name, (worker, pid) in cases.items():
        run = client.create_flow_run(work, state=Running())
        client.update_flow_run(run.id, infrastructure_pid=str(pid))
        client.update_flow_run_labels(run.id, {"prefect.worker.name": worker})
        runs[name] = run.id
    close(client, "ours")
    states = {name: client.read_flow_run(one).state.name for name, one in runs.items()}
    assert states == {"here, gone": "Crashed", "here, alive": "Running", "elsewhere": "Running"}


def test_an_automation_for_a_refused_gate_is_delivered_once_and_stays_as_people_made_it(client):
    client.create_deployment(client.create_flow_from_name("refresh"), "nightly-refresh")
    deliver(client)
    [made] = client.read_automations_by_name(NAME)
    assert not made.enabled, "whoever wants it switches it on"
    deliver(client)
    assert [one.id for one in client.read_automations_by_name(NAME)] == [made.id]
