"""Snapshots take their names in one step, and one process at a time writes them."""

import json
import multiprocessing
import os
import signal

import pytest

from tasks.runtime.errors import BusyError, InputError
from tasks.snapshots.layout import current, manifest, place, published, switch
from tasks.snapshots.locks import writing

SPAWN = multiprocessing.get_context("spawn")


def staged(out, name, content="text"):
    folder = out / "snapshots" / f".{name}.tmp"
    (folder / "documents").mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps({"snapshot": content}))
    return folder


def test_nothing_is_current_before_the_first_publication(tmp_path):
    assert current(tmp_path) is None
    with pytest.raises(InputError, match="nothing is published under"):
        published(tmp_path)
    (tmp_path / "current").symlink_to("snapshots/gone")
    assert current(tmp_path) is None, "a link to nothing is no snapshot"


def test_a_staged_snapshot_takes_its_name_and_then_becomes_current(tmp_path):
    staging = staged(tmp_path, "one", "first")
    target = place(staging, tmp_path, "snapshots", "one")
    assert not staging.exists() and target == tmp_path / "snapshots" / "one"
    assert current(tmp_path) is None, "only the switch makes it visible"
    switch(tmp_path, target)
    assert published(tmp_path) == target.resolve()
    assert manifest(published(tmp_path)) == {"snapshot": "first"}
    assert str((tmp_path / "current").readlink()) == "snapshots/one", "relative, so that the folder can be moved"


def test_the_switch_replaces_the_link_in_one_step(tmp_path, monkeypatch):
    for name in ("one", "two"):
        place(staged(tmp_path, name), tmp_path, "snapshots", name)
    switch(tmp_path, tmp_path / "snapshots" / "one")
    seen = []
    replace = type(tmp_path).replace

    def watched(self, target):
        seen.append(current(tmp_path).name)
        found = replace(self, target)
        seen.append(current(tmp_path).name)
        return found

    monkeypatch.setattr(type(tmp_path), "replace", watched)
    switch(tmp_path, tmp_path / "snapshots" / "two")
    assert seen == ["one", "two"]
    assert {path.name for path in tmp_path.iterdir()} == {"snapshots", "current"}


def test_the_switch_survives_a_link_that_a_killed_process_left(tmp_path):
    target = place(staged(tmp_path, "one"), tmp_path, "snapshots", "one")
    (tmp_path / f".current.{os.getpid()}.tmp").symlink_to("elsewhere")
    switch(tmp_path, target)
    assert current(tmp_path) == target.resolve()


def test_a_snapshot_set_aside_replaces_an_earlier_one_of_the_same_id(tmp_path):
    place(staged(tmp_path, "one", "old"), tmp_path, "refused", "one")
    aside = place(staged(tmp_path, "one", "new"), tmp_path, "refused", "one")
    assert manifest(aside) == {"snapshot": "new"} and current(tmp_path) is None


def hold_lock(folder, wire):
    with writing(folder, role="output"):
        wire.send("writing")
        wire.recv()


@pytest.fixture
def holder(tmp_path):
    """Another process that is writing to `tmp_path`, and the wire that tells it to end."""
    wire, far = SPAWN.Pipe()
    process = SPAWN.Process(target=hold_lock, args=(tmp_path, far))
    process.start()
    assert wire.poll(60) and wire.recv() == "writing"
    yield process, wire
    process.kill()
    process.join(60)


def test_a_second_writer_is_refused_until_the_first_ends(tmp_path, holder):
    process, wire = holder
    with pytest.raises(BusyError, match=f"another run is writing to the output folder {tmp_path}"):
        writing(tmp_path, role="output").__enter__()
    wire.send("end")
    process.join(60)
    assert process.exitcode == 0
    with writing(tmp_path, role="output"):
        pass


def test_a_process_that_dies_frees_its_folder(tmp_path, holder):
    process, _ = holder
    os.kill(process.pid, signal.SIGKILL)
    process.join(60)
    with writing(tmp_path, role="output"), pytest.raises(BusyError), writing(tmp_path, role="output"):
        pass


def test_a_failing_writer_frees_its_folder_and_other_folders_stay_free(tmp_path):
    with pytest.raises(ZeroDivisionError), writing(tmp_path / "a", role="output"):
        with writing(tmp_path / "b", role="workspace"):
            pass
        raise ZeroDivisionError
    with writing(tmp_path / "a", role="output"):
        pass


def test_a_folder_that_cannot_be_written_is_an_error_of_the_user(tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(InputError, match="cannot write to the output folder"),
        writing(tmp_path / "file", role="output"),
    ):
        pass
