"""The deployments fit their flows, and the forms of their parameters explain themselves."""

from zoneinfo import ZoneInfo

import pytest
import yaml
from prefect.exceptions import ParameterTypeError
from prefect.flows import load_flow_from_entrypoint
from prefect.utilities.callables import parameter_schema

from tests.support import ROOT

pytestmark = pytest.mark.flows

SETTINGS = yaml.safe_load((ROOT / "prefect.yaml").read_text())
DEPLOYMENTS = {deployment["name"]: deployment for deployment in SETTINGS["deployments"]}


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_deployment_fits_its_flow(name):
    deployment = DEPLOYMENTS[name]
    deployed = load_flow_from_entrypoint(deployment["entrypoint"], use_placeholder_flow=False)
    assert deployment["work_pool"]["name"] == "semhash"
    assert all(isinstance(value, str) for value in deployment["work_pool"]["job_variables"]["env"].values())
    if deployment.get("parameters"):
        deployed.validate_parameters(deployment["parameters"])


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_a_form_explains_every_field(name):
    deployed = load_flow_from_entrypoint(DEPLOYMENTS[name]["entrypoint"], use_placeholder_flow=False)
    shown = parameter_schema(deployed).model_dump_for_openapi()
    [parameter] = shown["required"]
    assert list(shown["properties"]) == [parameter], "one form with everything in it"
    for section, content in shown["definitions"].items():
        for field, about in content["properties"].items():
            assert about.get("description") or "$ref" in about, f"{section}.{field} is not explained"


def test_every_run_starts_in_the_checkout_and_alone():
    [step] = SETTINGS["build"]
    [pull] = SETTINGS["pull"]
    noted = f"{{{{ {step['prefect.deployments.steps.run_shell_script']['id']}.stdout }}}}"
    assert pull["prefect.deployments.steps.set_working_directory"]["directory"] == noted, "not that of one machine"
    for deployment in DEPLOYMENTS.values():
        assert deployment["concurrency_limit"] == {"limit": 1, "collision_strategy": "CANCEL_NEW"}


def test_the_schedule_rests_until_it_has_parameters():
    [schedule] = DEPLOYMENTS["nightly-refresh"]["schedules"]
    assert schedule["cron"] == "30 2 * * *" and ZoneInfo(schedule["timezone"])
    assert "parameters" in schedule or not schedule["active"], "it would fail every night"


def test_parameters_of_a_run_are_checked():
    curate = load_flow_from_entrypoint(DEPLOYMENTS["curate"]["entrypoint"], use_placeholder_flow=False)
    given = {"inputs": ["corpus"], "out": "published", "parameters": {"gate": {"min_preservation": 0.95}}}
    corpus = curate.validate_parameters({"corpus": given})["corpus"]
    assert corpus.parameters.gate.min_preservation == 0.95
    for wrong in ({"out": "published"}, given | {"dry": True}, given | {"parameters": {"gate": {"canary": True}}}):
        with pytest.raises(ParameterTypeError):
            curate.validate_parameters({"corpus": wrong})
