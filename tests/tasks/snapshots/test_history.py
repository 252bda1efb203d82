"""Published snapshots are listed, and any of them can be made current again."""

import json
import shutil

import polars as pl
import pytest
from typer.testing import CliRunner

from flows.cli import app
from tasks.runtime.errors import InputError
from tasks.snapshots.history import after, history, roll_back, taken_back
from tasks.snapshots.layout import current, switch
from tasks.snapshots.locks import writing

pytestmark = pytest.mark.flows


@pytest.fixture
def out(tmp_path):
    """Three snapshots, `b2` current, and one that is being written."""
    days = {"a1": "2026-01-03", "b1": "2026-01-01", "b2": "2026-01-02", ".c1.tmp": "2026-01-04"}
    for number, (name, day) in enumerate(days.items()):
        folder = tmp_path / "snapshots" / name
        folder.mkdir(parents=True)
        counts = {"documents": 10 * number, "kept": 9 * number, "removed": number}
        page = {"created": f"{day}T02:30:00+00:00", "counts": counts, "bundle": "5e11"}
        (folder / "manifest.json").write_text(json.dumps(page))
    switch(tmp_path, tmp_path / "snapshots" / "b2")
    return tmp_path


def test_snapshots_are_listed_newest_first_and_the_current_one_is_marked(out):
    assert [(one.name, one.is_current) for one in history(out)] == [("a1", False), ("b2", True), ("b1", False)]
    lines = CliRunner().invoke(app, ["snapshots", "--out", str(out)]).stdout.splitlines()
    assert lines[0].split() == ["snapshot", "created", "documents", "kept", "removed", "bundle"]
    assert lines[2].split() == ["*", "b2", "2026-01-02T02:30:00+00:00", "20", "18", "2", "5e11"]


def test_a_clock_that_was_set_back_makes_no_snapshot_the_older_one(out, tmp_path_factory):
    assert after(out) == ["2026-01-03T02:30:01+00:00"]
    assert after(tmp_path_factory.mktemp("empty")) == []


def test_the_current_mark_goes_with_the_link(out):
    (out / "current").unlink()
    assert not any(one.is_current for one in history(out))


def test_a_beginning_that_fits_one_snapshot_is_enough(out):
    assert roll_back(out, "a").name == "a1"
    assert current(out) == (out / "snapshots" / "a1").resolve()
    assert {path.name for path in (out / "snapshots").iterdir()} == {"a1", "b1", "b2", ".c1.tmp"}


@pytest.mark.parametrize(("name", "why"), [("b", "several snapshots begin"), ("c", "no snapshot begins")])
def test_a_beginning_that_fits_none_or_several_changes_nothing(out, name, why):
    found = CliRunner().invoke(app, ["rollback", name, "--out", str(out)])
    assert found.exit_code == 2 and why in found.stderr and "a1, b2, b1" in " ".join(found.stderr.split())
    assert current(out) == (out / "snapshots" / "b2").resolve()


@pytest.mark.parametrize(
    ("what", "read", "rolled"),
    [("folder", "move it away", 2), ("elsewhere", "remove the link", 0), ("gone", "rollback", 0)],
)
def test_a_current_that_is_none_is_told_and_can_be_mended(out, what, read, rolled):
    (out / "current").unlink()
    if what == "folder":
        shutil.copytree(out / "snapshots" / "a1", out / "current")
    else:
        (out / "current").symlink_to(out.parent if what == "elsewhere" else out / "snapshots" / what)
    asked = CliRunner().invoke(app, ["restore", "x", "--out", str(out)])
    assert asked.exit_code == 2 and read in " ".join(asked.stderr.split())
    mended = CliRunner().invoke(app, ["rollback", "a1", "--out", str(out)])
    assert mended.exit_code == rolled and ("move it away" in mended.stderr) == bool(rolled)
    assert not list(out.glob(".current*"))


def test_a_run_that_is_publishing_is_not_disturbed(out):
    with writing(out, role="output"):
        found = CliRunner().invoke(app, ["rollback", "a1", "--out", str(out)])
    assert found.exit_code == 2 and "another run is writing" in found.stderr
    assert current(out).name == "b2"


def test_nothing_published_is_said(tmp_path, out):
    shutil.rmtree(out / "snapshots")
    with pytest.raises(InputError, match="no snapshot under"):
        history(out)


@pytest.mark.parametrize(
    "content",
    ["{}", "null", "[]", "3", '{"counts": null}', '{"created": 1}', "{", "\udcff", '{"counts": {"kept": "x"}}'],
)
def test_a_damaged_manifest_spoils_only_its_own_snapshot(out, content):
    page = out / "snapshots" / "b2" / "manifest.json"
    page.write_bytes(content.encode("utf-8", "surrogateescape"))
    assert [one.name for one in history(out)] == ["a1", "b1"]
    listed = CliRunner().invoke(app, ["snapshots", "--out", str(out)])
    assert listed.exit_code == 0 and "cannot be read: b2" in listed.stderr
    asked = CliRunner().invoke(app, ["explain", "x", "--out", str(out)])
    assert asked.exit_code == 1 and "rollback" in asked.stderr, asked.exception
    assert CliRunner().invoke(app, ["rollback", "a1", "--out", str(out)]).exit_code == 0
    assert current(out).name == "a1"
    assert CliRunner().invoke(app, ["gc", "--out", str(out), "--keep", "5"]).exit_code == 1, "it names no workspace"


def test_what_was_refused_and_is_damaged_stays_where_it_is(out):
    for name in ("a1", "b1", "b2"):
        page = out / "snapshots" / name / "manifest.json"
        page.write_text(json.dumps(json.loads(page.read_text()) | {"workspace": str(out), "tables": {}}))
    refused = out / "refused" / "r1" / "manifest.json"
    refused.parent.mkdir(parents=True)
    refused.write_text("{}")
    assert CliRunner().invoke(app, ["gc", "--out", str(out), "--keep", "5"]).exit_code == 0
    assert refused.exists()


def test_a_rollback_says_what_it_takes_back(tmp_path):
    for name, fates in (("a", {"x": "keep", "y": "remove"}), ("b", {"x": "delete", "y": "remove", "z": "keep"})):
        (tmp_path / name / "decisions").mkdir(parents=True)
        pl.DataFrame({"doc_id": list(fates), "action": list(fates.values())}).write_parquet(
            tmp_path / name / "decisions" / "part-00000.parquet"
        )
    assert taken_back(tmp_path / "b", tmp_path / "a") == (1, 1)
    assert taken_back(tmp_path / "a", tmp_path / "b") == (0, 0)
    assert taken_back(tmp_path / "b", tmp_path) == (0, 0)
