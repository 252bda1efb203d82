"""Paths of input and output: they work, or are told before anything begins."""

import os
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tasks.ingest.discover import arrived, discover, left_out
from tasks.runtime.errors import InputError
from tasks.runtime.paths import hold_output


def made(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text('{"text": "x"}')
    return folder


def test_linked_folders_are_read_once_and_circles_end(tmp_path):
    made(tmp_path, "in/a.jsonl", "else/b.jsonl")
    (tmp_path / "in" / "linked").symlink_to(tmp_path / "else")
    (tmp_path / "in" / "again").symlink_to(tmp_path / "else")
    (tmp_path / "else" / "circle").symlink_to(tmp_path / "in")
    assert sorted(file.path.name for file in discover([str(tmp_path / "in")])) == ["a.jsonl", "b.jsonl"]


def test_a_folder_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    made(tmp_path, "in/a.jsonl", "in/closed/b.jsonl")
    scandir = os.scandir

    def denied(path):  # root may read everything
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", denied)
    with pytest.raises(InputError, match="closed' cannot be read: Permission denied"):
        discover([str(tmp_path / "in")])


def test_what_a_run_wrote_below_a_named_folder_is_no_input(tmp_path):
    made(tmp_path, "in/a.jsonl", "in/out/.output.lock", "in/out/snapshots/1/documents/b.jsonl")
    made(tmp_path, "in/ws/.workspace.lock", "in/ws/c.jsonl")
    for given in ("in", "in/**", "in/**/*.jsonl", "in/*"):
        assert [file.path.name for file in discover([str(tmp_path / given)])] == ["a.jsonl"], given
    named = discover([str(tmp_path / "in/out/snapshots/1/documents")])
    assert [file.path.name for file in named] == ["b.jsonl"], "unless it is named itself"


def test_brackets_of_folders_that_exist_are_no_pattern(tmp_path):
    made(tmp_path, "in[1]/a[0].jsonl", "in[1]/b?.jsonl", "in1/c.jsonl")
    for given in ("in[1]", "in[1]/*.jsonl", "in[1]/?*.jsonl"):
        assert sorted(file.name for file in discover([str(tmp_path / given)])) == ["a[0].jsonl", "b?.jsonl"], given
    assert [file.name for file in discover([str(tmp_path / "in[1]" / "a[0].jsonl")])] == ["a[0].jsonl"]


def test_a_name_that_is_no_text_is_told_with_its_bytes(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / os.fsdecode(b"caf\xe9.txt")).write_text("x")
    for given in (tmp_path / "in", tmp_path / "in" / os.fsdecode(b"caf\xe9.txt")):
        with pytest.raises(InputError, match=r"caf\\xe9\.txt' is not UTF-8") as told:
            discover([str(given)])
        str(told.value).encode()


def test_files_of_other_kinds_in_named_folders_are_told(tmp_path):
    made(tmp_path, "in/a.jsonl", "in/b/README.md", "in/.git/config", "in/out/.output.lock", "in/out/x.html", "c.docx")
    assert left_out([str(tmp_path / "in"), str(tmp_path / "*.jsonl")]) == [tmp_path / "in" / "b" / "README.md"]


def test_the_pages_beside_a_saved_data_set_are_no_documents(tmp_path):
    made(tmp_path, "in/dataset_dict.json", "in/train/state.json", "in/train/dataset_info.json", "in/train/data.arrow")
    assert [file.path.name for file in discover([str(tmp_path / "in")])] == ["data.arrow"]


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("o[1]", r"has a '\[' in its path"),
        ("o?ut/x", r"has a '\?' in its path"),
        ("day=1/out", "lies in 'day=1'"),
        (os.fsdecode(b"o\xff"), r"o\\xff' is not UTF-8"),
        ("file.jsonl", "it is a file"),
        ("taken", "is no link to a snapshot"),
        ("elsewhere", "is no snapshot in this folder"),
    ],
)
def test_a_folder_that_cannot_be_published_to_is_told(tmp_path, out, said):
    made(tmp_path, "file.jsonl", "taken/current/manifest.json", "elsewhere/x", "other/y")
    (tmp_path / "elsewhere" / "current").symlink_to(tmp_path / "other")
    with pytest.raises(InputError, match=said):
        hold_output(tmp_path / out)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["curate", ""], "an input is empty"),
        (["refresh", ""], "an input is empty"),
        (["curate", "nowhere.jsonl"], "'nowhere.jsonl' does not exist"),
        (["curate", "in", "--out", "o[1]"], "has a '['"),
        (["curate", "in", "--workspace", "w*"], "has a '*'"),
        (["curate", "in", "--memory-limit", "0GB"], "0GB is too little"),
        (["curate", "in", "--text-column", "body"], "has no column 'body'"),
        (["curate", "in", "--set", "verify.tau_z=1"], "no key 'tau_z' in verify"),
        (["curate", "in", "--preset", "wild"], "--preset wild: known are"),
        (["curate", "in", "--out", "https://a.org/x"], "nothing can be written there"),
        (["curate", "in", "--protected", "nobody.txt"], "the list 'nobody.txt' does not exist"),
    ],
)
def test_wrong_arguments_are_told_within_a_second_and_start_no_server(tmp_path, monkeypatch, given, said):
    import flows.cli.guard
    from flows.cli import app

    monkeypatch.chdir(made(tmp_path, "in/a.jsonl"))
    monkeypatch.setattr(flows.cli.guard, "server", lambda: pytest.fail("a server was started"))
    began = time.process_time()  # of this process alone: others may keep the machine busy
    found = CliRunner().invoke(app, [given[0], "--out", "out", *given[1:]])
    assert found.exit_code == 2 and said in found.output, found.output
    assert time.process_time() - began < 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]


def test_a_folder_may_be_empty_on_a_quiet_night_but_not_missing(tmp_path):
    (tmp_path / "arrivals").mkdir()
    (tmp_path / "one.jsonl").write_text("{}\n")
    quiet = [str(tmp_path / "arrivals"), str(tmp_path / "arrivals" / "*.jsonl")]
    assert arrived([*quiet, str(tmp_path / "one.jsonl")]) == [str(tmp_path / "one.jsonl")]
    for typo in (tmp_path / "arrrivals", tmp_path / "two.jsonl"):
        with pytest.raises(InputError, match="does not exist"):
            arrived([str(typo)])
    mistyped = str(tmp_path / "arrrivals" / "*.jsonl")
    assert arrived([mistyped]) == [mistyped], "discover refuses it"
