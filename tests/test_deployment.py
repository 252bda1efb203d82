"""The deployment fits the flow, and a run under Prefect leaves what its pages show."""

from pathlib import Path

import pytest
import yaml
from made_snapshot import CHECKS, make
from prefect import flow, task
from prefect.artifacts import Artifact
from prefect.exceptions import ParameterTypeError
from prefect.flows import load_flow_from_entrypoint
from prefect.testing.utilities import prefect_test_harness
from prefect.utilities.callables import parameter_schema
from prefect.utilities.engine import collect_task_run_inputs_sync

from tasks import artifacts
from tasks.ledger import STAGES
from tasks.tables import TableRef

SETTINGS = yaml.safe_load((Path(__file__).resolve().parent.parent / "prefect.yaml").read_text())
DEPLOYMENTS = {deployment["name"]: deployment for deployment in SETTINGS["deployments"]}
REFUSING = {"check": "protected_removed", "value": 0.123456, "bound": ">= 1", "passed": False, "severity": "critical"}


@pytest.fixture(scope="module")
def server():
    with prefect_test_harness(server_startup_timeout=120):
        yield


@task
def table(name: str) -> TableRef:
    return TableRef(name=name, path=f"tables/{name}-1", rows=int("1000"), fingerprint=name * 2)


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_deployment_fits_its_flow(name):
    deployment = DEPLOYMENTS[name]
    deployed = load_flow_from_entrypoint(deployment["entrypoint"], use_placeholder_flow=False)
    assert deployment["work_pool"]["name"] == "semhash"
    assert all(isinstance(value, str) for value in deployment["work_pool"]["job_variables"]["env"].values())
    if deployment.get("parameters"):
        deployed.validate_parameters(deployment["parameters"])


def test_the_form_of_curate_explains_every_field():
    curate = load_flow_from_entrypoint(DEPLOYMENTS["curate"]["entrypoint"], use_placeholder_flow=False)
    shown = parameter_schema(curate).model_dump_for_openapi()
    assert shown["required"] == ["corpus"]
    assert shown["definitions"]["Corpus"]["required"] == ["inputs", "out"]
    for section, content in shown["definitions"].items():
        for field, about in content["properties"].items():
            assert about.get("description") or "$ref" in about, f"{section}.{field} is not explained"


def test_parameters_of_a_run_are_checked():
    curate = load_flow_from_entrypoint(DEPLOYMENTS["curate"]["entrypoint"], use_placeholder_flow=False)
    given = {"inputs": ["corpus"], "out": "published", "parameters": {"gate": {"min_preservation": 0.95}}}
    corpus = curate.validate_parameters({"corpus": given})["corpus"]
    assert corpus.parameters.gate.min_preservation == 0.95
    for wrong in ({"out": "published"}, given | {"dry": True}, given | {"parameters": {"gate": {"canary": True}}}):
        with pytest.raises(ParameterTypeError):
            curate.validate_parameters({"corpus": wrong})


def test_a_run_leaves_artifacts(server, tmp_path):
    made = make(tmp_path / "out")

    @flow
    def leave() -> None:
        artifacts.keep(made.path, [*CHECKS, REFUSING], "refused")

    leave()
    rates = Artifact.get("stage-pass-rates")
    assert rates.type == "table"
    assert [row["stage"] for row in yaml.safe_load(rates.data)] == list(STAGES)
    gate = {row["check"]: row for row in yaml.safe_load(Artifact.get("publish-gate").data)}
    assert gate["protected_removed"]["value"] == 0.1235
    assert gate["protected_removed"]["bound"] == "≥ 1"  # `>` would be a quotation in the UI
    assert gate["protected_removed"]["passed"] == "NO"
    report = Artifact.get("curation-report")
    assert report.type == "markdown"
    assert "# Snapshot abc123: refused" in report.data
    assert "- **protected_removed** is" in report.data
    assert "| removed, exact copy | 1 |" in report.data
    assert "![funnel](data:image/svg+xml;base64," in report.data


def test_a_table_points_only_to_the_task_that_made_it(server):
    """What Prefect draws as arrows: a reference must share no tracked object with the references of other tasks."""

    @flow
    def chain() -> list[int]:
        made = [table("documents"), table("copies"), table("prescreen")]
        return [len(collect_task_run_inputs_sync(ref)) for ref in made]

    assert chain() == [1, 1, 1]
