"""Automation for a refused gate: ready in the UI, and off until somebody switches it on."""

from prefect.client.orchestration import SyncPrefectClient
from prefect.events.actions import PauseDeployment
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture

from tasks.publish.prefect_artifacts import REFUSED

NAME = "pause nightly-refresh when the gate refuses"
DESCRIPTION = "No night builds on what nobody looked at; resume the deployment afterwards. Add a notification here."


def deliver(client: SyncPrefectClient) -> None:
    """Make the automation, unless it is there: what people made of it stays."""
    nightly = [one for one in client.read_deployments() if one.name == "nightly-refresh"]
    if not nightly or client.read_automations_by_name(NAME):
        return
    trigger = EventTrigger(
        expect={REFUSED},
        match={"prefect.resource.id": "semhash-llm.snapshot.*"},
        posture=Posture.Reactive,
        threshold=1,
    )
    pause = PauseDeployment(source="selected", deployment_id=nightly[0].id)
    client.create_automation(
        AutomationCore(name=NAME, description=DESCRIPTION, enabled=False, trigger=trigger, actions=[pause])
    )
