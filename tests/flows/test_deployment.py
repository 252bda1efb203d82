"""The deployments fit their flows, and the forms of their parameters explain themselves."""

from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
import yaml
from prefect import flow
from prefect.context import FlowRunContext
from prefect.exceptions import ParameterTypeError
from prefect.flows import load_flow_from_entrypoint
from prefect.utilities.callables import parameter_schema

from flows.curate import Corpus
from flows.forms import form
from tasks.runtime.errors import InputError
from tests.support import ROOT

pytestmark = pytest.mark.flows

SETTINGS = yaml.safe_load((ROOT / "prefect.yaml").read_text())
EMPTY = {
    "id_column": "",
    "text_column": "text",
    "source_column": "",
    "preset": "balanced",
    "settings": [],
    "cluster": "",
}
EMPTY |= {"protected": "", "workspace": ""}
"""Fields of the form of `curate` that nobody filled in."""
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
    assert shown["required"] == {"benchmark": ["split", "out"], "train": ["inputs", "bundle"]}.get(
        name, ["inputs", "out"]
    )
    assert not shown["definitions"], "plain fields and lists, no sections"
    for field, about in shown["properties"].items():
        assert about.get("description"), f"{field} is not explained"
        assert "anyOf" not in about, f"{field}: one kind of value, no switch"


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
    given = {"inputs": ["corpus"], "out": "published"}
    assert curate.validate_parameters(given)["preset"] == "balanced"
    for wrong in (given | {"threads": 0}, given | {"preset": "bold"}):
        with pytest.raises(ParameterTypeError):
            curate.validate_parameters(wrong)


def test_a_name_that_was_typed_stays_and_a_run_by_the_clock_is_named(monkeypatch):
    for name, parameter in (("curate", "out"), ("refresh", "out"), ("train", "bundle"), ("benchmark", "out")):
        place = "training.bundle" if name == "train" else name
        [deployed] = (one for one in DEPLOYMENTS.values() if one["entrypoint"] == f"flows.{place}.deployed")
        named = load_flow_from_entrypoint(deployed["entrypoint"], use_placeholder_flow=False).flow_run_name
        for by_clock, expected in ((False, "typed"), (True, f"{name}-published")):
            run = SimpleNamespace(auto_scheduled=by_clock, name="typed")
            context = SimpleNamespace(flow_run=run, parameters={parameter: "/data/published"})
            monkeypatch.setattr(FlowRunContext, "get", lambda context=context: context)
            assert named() == expected


def test_what_is_filled_in_arrives():
    asked = []

    @flow
    def curate(corpus: Corpus) -> str:
        asked.append(corpus)
        return ""

    filled = form(curate).fn
    filled(
        inputs=["a"],
        out="b",
        **EMPTY | {"id_column": "key", "preset": "wording-only", "settings": ["verify.tau_a=0.7"]},
    )
    [corpus] = asked
    assert (corpus.protected, corpus.workspace, corpus.cluster) == (None, None, None), "what is left empty is not given"
    assert corpus.parameters.extract.id_column == "key"
    assert (corpus.parameters.verify.tau_a, corpus.parameters.encoder.name) == (0.7, "none")
    with pytest.raises(InputError, match="tau_z"):
        filled(inputs=["a"], out="b", **EMPTY | {"settings": ["verify.tau_z=0.7"]})
