"""Deployment of what `prefect.yaml` lists; parameters and schedules that were changed at the server since stay."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from prefect.client.orchestration import SyncPrefectClient
from prefect.client.schemas.actions import DeploymentUpdate
from prefect.client.schemas.responses import DeploymentResponse

CORE = ("--name", "curate", "--name", "nightly-refresh")
"""What needs none of the packages of the extra `train`."""


def deploy(client: SyncPrefectClient, prefect: Callable[..., Any], file: Path) -> None:
    """Deploy all, or what a core install can run.

    What the file leaves out or inactive stays as the server had it, what it says is what counts.

    On its own, Prefect would empty the parameters and switch off the schedules that somebody filled in and switched on
    in the UI.

    Args:
        client: of the server.
        prefect: runs the command `prefect` with the words it is given, where runs shall start.
        file: `prefect.yaml`.
    """
    before = {one.id: one for one in client.read_deployments()}
    prefect("--no-prompt", "deploy", *(["--all"] if find_spec("torch") else CORE), "--prefect-file", str(file))
    for deployed in client.read_deployments():
        if deployed.id in before:
            _keep(client, before[deployed.id], deployed)


def _keep(client: SyncPrefectClient, before: DeploymentResponse, deployed: DeploymentResponse) -> None:
    if before.parameters and not deployed.parameters:
        client.update_deployment(deployed.id, DeploymentUpdate(parameters=before.parameters))
    earlier = {one.slug: one for one in before.schedules if one.slug}
    for schedule in deployed.schedules:
        known = earlier.get(schedule.slug or "")
        if known and schedule.id:
            active, parameters = known.active or schedule.active, schedule.parameters or known.parameters
            client.update_deployment_schedule(deployed.id, schedule.id, active=active, parameters=parameters)
