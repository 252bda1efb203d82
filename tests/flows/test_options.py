"""Options that flows share: one place for each, in the models of flows and in the options of commands."""

import inspect
import os

import pytest
import typer
import typer.testing
from pydantic import ValidationError

from flows.benchmark import Labelled
from flows.cli import options
from flows.cli.app import app
from flows.curate import Corpus
from flows.options import Limits, PublishOptions
from flows.refresh import Arrivals
from flows.reindex import Indexed
from flows.training.bundle import BundleCourse
from flows.training.judge import JudgeCourse
from flows.training.verifier import VerifierCourse
from models.parameters import Parameters


@pytest.mark.parametrize("model", [Corpus, Arrivals, Indexed, BundleCourse, VerifierCourse, JudgeCourse, Labelled])
def test_no_flow_has_limits_of_its_own(model):
    assert issubclass(model, Limits)
    repeated = inspect.get_annotations(model).keys() & PublishOptions.model_fields.keys()
    assert repeated <= {"workspace"}, "trainings work beside their bundle"
    shared = [name in PublishOptions.model_fields for name in model.model_json_schema()["properties"]]
    assert shared == sorted(shared), "forms ask for what is a flow's own first"


def test_commands_offer_what_flows_take():
    assert options._SHARED.keys() == PublishOptions.model_fields.keys()
    for name, (_, default) in options._SHARED.items():
        assert PublishOptions.model_fields[name].default == default


def test_a_command_takes_options_of_a_run_together():
    taken = {}

    @options.run_options("threads", "dry_run")
    def command(out: options.Out, *, options: dict) -> None:
        taken.update(options, out=out)

    tried = typer.Typer()
    tried.command()(command)
    assert list(inspect.signature(command).parameters) == ["out", "threads", "dry_run"]
    typer.testing.CliRunner().invoke(tried, ["--out", "here", "--threads", "3"])
    assert (str(taken.pop("out")), taken) == ("here", {"threads": 3, "dry_run": False})
    assert {"curate", "refresh", "reindex"} <= {one.name or one.callback.__name__ for one in app.registered_commands}


def test_a_run_has_the_limits_of_its_options_and_the_name_that_its_store_knows(tmp_path):
    chosen = PublishOptions(threads=3, memory_limit="5GB")
    with chosen.working(tmp_path / "out") as begin:
        run, again = begin(Parameters()), begin(Parameters())
    assert (run.threads, run.memory_limit, run.workspace) == (3, "5GB", tmp_path / "out" / "workspace")
    assert run.token == again.token != chosen.begin(tmp_path, Parameters()).token
    assert {Limits(memory_limit=given).memory_limit for given in ("4GB", "4 gb", " 4g", "4GiB")} == {"4GB"}
    assert Limits(threads=5000).threads <= 8 * os.cpu_count(), "thousands take a minute to begin"
    for wrong in ({"threads": 0}, {"memory_limit": "much"}, {"runner": "fast"}, {"speed": 1}):
        with pytest.raises(ValidationError):
            PublishOptions(**wrong)


def test_a_run_begins_by_clearing_what_a_killed_one_left(tmp_path):
    left = [
        tmp_path / "out" / "snapshots" / ".abc.1f.tmp",
        tmp_path / "out" / "workspace" / "scratch" / "1f.texts",
        tmp_path / "out" / "workspace" / "tables" / "verified-1f" / ".part-00000.parquet.1f.tmp",
    ]
    kept = tmp_path / "out" / "workspace" / "tables" / "verified-1f" / "part-00000.parquet"
    for path in (*left, kept):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    with PublishOptions().working(tmp_path / "out"):
        assert kept.exists() and not any(path.exists() for path in left)
