"""Settings as they are listed, explained and read from a file."""

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.cli.commands.settings import chosen
from models.parameters import PRESETS, Parameters
from tasks.pipeline.settings import PAGE, page, settings, told


def test_the_page_is_that_of_the_parameters():
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tasks.pipeline.settings"


def test_every_setting_is_listed_with_its_default_and_can_be_set_to_it():
    found = settings()
    known = Parameters().model_dump()
    assert {one.name for one in found} == {f"{name}.{key}" for name, keys in known.items() for key in keys}
    assert all(one.says and one.allowed for one in found)
    again = [f"{one.name}={one.default}" for one in found if one.default not in ("none", "")]
    assert Parameters().with_settings(again) == Parameters()


def test_a_word_finds_by_name_and_meaning_and_values_in_force_are_told():
    assert [one.name for one in settings("TAU_A")] == ["verify.tau_a"]
    assert "gate.canaries" in [one.name for one in settings("look-alikes")]
    changed = Parameters().with_settings(["verify.tau_a=0.8"])
    assert told(settings("tau_a"), changed).startswith(f"verify.tau_a = 0.8   (default {Parameters().verify.tau_a})")


def test_a_file_and_a_preset_are_settings(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text('[verify]\ntau_a = 0.8\n[extract]\nsource_priority = ["b", "a"]\n[gate]\ncanaries = false\n')
    found = Parameters().with_settings(chosen("wording-only", path))
    assert (found.verify.tau_a, found.extract.source_priority, found.gate.canaries) == (0.8, ("b", "a"), False)
    assert found.encoder.name == "none"
    assert all(Parameters().with_settings([*given.settings]) for given in PRESETS.values())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--preset", "wild"], "--preset wild: known are strict, balanced, aggressive, wording-only"),
        (["--config", "none.toml"], "--config none.toml: "),
        (["--config", "s.toml"], "'tau_a' stands outside of a section"),
        (["--set", "tau_a=1"], "did you mean verify.tau_a?"),
    ],
)
def test_what_cannot_be_set_is_told(tmp_path, monkeypatch, given, said):
    import contextlib

    import flows.cli.guard

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(flows.cli.guard, "server", contextlib.nullcontext)
    (tmp_path / "s.toml").write_text("tau_a = 0.8\n")
    (tmp_path / "a.jsonl").write_text('{"text": "x"}')
    found = CliRunner().invoke(app, ["curate", "a.jsonl", "--out", "out", *given])
    assert found.exit_code == 2 and said in found.output


def test_the_command_lists_and_says_what_it_does_not_know():
    found = CliRunner().invoke(app, ["settings", "tau_a"])
    assert found.exit_code == 0 and found.stdout.startswith("verify.tau_a = ")
    assert CliRunner().invoke(app, ["settings", "zebra"]).exit_code == 2
