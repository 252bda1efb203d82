"""Old snapshots go with what only they needed; what somebody reads, and what is shared, stays."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import fsspec
import pytest
from typer.testing import CliRunner

import tasks.snapshots.garbage_collect
from flows.cli import app
from tasks.runtime.errors import BusyError, InputError
from tasks.snapshots.garbage_collect import collect
from tasks.snapshots.layout import current, switch
from tasks.snapshots.locks import reading, writing

pytestmark = pytest.mark.flows

SIZE = 1000


class Place(NamedTuple):
    out: Path
    workspace: Path

    def snapshot(self, name):
        return self.out / "snapshots" / name

    def names(self, folder="snapshots"):
        return {path.name for path in (self.out / folder).iterdir()}

    def tables(self):
        return {path.name for path in (self.workspace / "tables").iterdir()}


def made(place, name, day, tables, folder="snapshots"):
    """A snapshot with one file, and the tables that it was made from (they are there once)."""
    for table in tables:
        path = place.workspace / "tables" / table
        path.mkdir(parents=True, exist_ok=True)
        (path / "part-00000.parquet").write_bytes(b"t" * SIZE)
    snapshot = place.out / folder / name
    (snapshot / "documents").mkdir(parents=True)
    (snapshot / "documents" / "part-00000.parquet").write_bytes(b"d" * SIZE)
    page = {
        "created": f"2026-01-{day:02}T02:30:00+00:00",
        "counts": {"documents": 1, "kept": 1, "removed": 0},
        "bundle": "5e11",
        "workspace": str(place.workspace),
        "tables": {table: str(place.workspace / "tables" / table) for table in tables},
    }
    (snapshot / "manifest.json").write_text(json.dumps(page))
    return snapshot


def nights(place):
    """Four nights: `n1` to `n4`, of which the last is current; what was refused and tried on the first and the last."""
    for day in (1, 2, 3, 4):
        made(place, f"n{day}", day, ["all", f"t{day}"])
    for day in (1, 4):
        made(place, f"r{day}", day, [f"refused{day}"], "refused")
        made(place, f"d{day}", day, [f"dry{day}"], "dry-run")
    made(place, "stray", 1, ["unfinished"], "elsewhere")
    switch(place.out, place.snapshot("n4"))
    return place


@pytest.fixture
def place(tmp_path):
    return nights(Place(tmp_path / "out", tmp_path / "out" / "workspace"))


def test_the_newest_and_what_they_need_stay(place):
    collect(place.out, keep=2)
    assert place.names() == {"n3", "n4"}
    assert (place.names("refused"), place.names("dry-run")) == ({"r4"}, {"d4"})
    assert place.tables() == {"all", "t3", "t4", "refused4", "dry4"}
    assert current(place.out) == place.snapshot("n4").resolve()


def test_the_current_one_stays_however_old_it_is(place):
    switch(place.out, place.snapshot("n1"))
    collect(place.out, keep=1)
    assert place.names() == {"n1", "n4"}
    assert {"t1", "t4", "refused1"} <= place.tables(), "nothing that is kept lost its tables"


def test_a_dry_run_tells_the_same_and_removes_nothing(place):
    before = sorted(path for path in place.out.rglob("*") if not path.name.endswith(".lock"))
    planned = collect(place.out, keep=2, dry_run=True)
    assert sorted(path for path in place.out.rglob("*") if not path.name.endswith(".lock")) == before
    assert planned == collect(place.out, keep=2)
    assert [one.name for one in planned.snapshots] == ["n2", "n1"]


def test_bytes_count_only_with_the_last_link(place):
    shared = place.snapshot("n1") / "documents" / "part-00000.parquet"
    os.link(shared, place.snapshot("n2") / "documents" / "part-00001.parquet")
    os.link(
        place.snapshot("n2") / "documents" / "part-00000.parquet", place.snapshot("n4") / "documents" / "kept.parquet"
    )
    pages = sum((place.out / page).stat().st_size for page in ("refused/r1/manifest.json", "dry-run/d1/manifest.json"))
    pages += sum((place.snapshot(name) / "manifest.json").stat().st_size for name in ("n1", "n2"))
    gone = {"t1", "t2", "refused1", "dry1", "unfinished"}
    # n1's file once for its two links, n2's not at all, those of r1 and d1, and one file per table
    assert collect(place.out, keep=2).freed == (1 + 2 + len(gone)) * SIZE + pages
    assert gone.isdisjoint(place.tables())


def test_a_leased_snapshot_stays_with_its_tables_until_the_reader_is_done(place):
    switch(place.out, place.snapshot("n1"))
    with reading(place.out) as snapshot:
        switch(place.out, place.snapshot("n4"))
        found = collect(place.out, keep=1)
        assert [one.name for one in found.in_use] == ["n1"] and "t1" in place.tables()
        assert (snapshot / "documents" / "part-00000.parquet").stat().st_size == SIZE
    assert [one.name for one in collect(place.out, keep=1).snapshots] == ["n1"]


def test_a_lease_begun_too_late_leads_to_the_snapshot_that_is_current_now(place, monkeypatch):
    import tasks.snapshots.locks as module

    switch(place.out, place.snapshot("n1"))
    found = module.published

    def slow(out):
        snapshot = found(out)
        if snapshot.name == "n1":
            switch(place.out, place.snapshot("n4"))
            collect(place.out, keep=1)
        return snapshot

    monkeypatch.setattr(module, "published", slow)
    with reading(place.out) as snapshot:
        assert snapshot.name == "n4" and snapshot.exists()
    assert place.names() == {"n4"}


HOLDS = {
    "file": "import sys, time; held = open(sys.argv[1] + '/documents/part-00000.parquet')",
    "folder": "import os, sys, time; os.chdir(sys.argv[1] + '/documents')",
}


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the system does not tell which files are open")
@pytest.mark.parametrize("how", HOLDS)
def test_a_reader_that_knows_nothing_of_leases_is_seen(place, how):
    given = [
        sys.executable,
        "-c",
        f"{HOLDS[how]}; print('open', flush=True); time.sleep(60)",
        str(place.snapshot("n1")),
    ]
    with subprocess.Popen(given, stdout=subprocess.PIPE) as reader:
        assert reader.stdout.readline() == b"open\n"
        told = CliRunner().invoke(app, ["gc", "--keep", "2", "--out", str(place.out)]).stdout
        reader.kill()
    assert place.names() == {"n1", "n3", "n4"}
    assert f"left, because it is being read: {place.snapshot('n1')}" in told


@pytest.mark.parametrize("role", ["output", "workspace"])
def test_nothing_is_removed_under_a_run(place, role):
    with writing(place.out if role == "output" else place.workspace, role=role), pytest.raises(BusyError):
        collect(place.out, keep=1)
    assert place.names() == {"n1", "n2", "n3", "n4"}


def test_what_a_killed_gc_left_is_invisible_and_goes_next_time(place, monkeypatch):
    def die(folder):
        if folder.name == ".n2.tmp":
            raise MemoryError  # nothing is tidied up after it, as after a kill
        remove(folder)

    remove = tasks.snapshots.garbage_collect.shutil.rmtree
    monkeypatch.setattr(tasks.snapshots.garbage_collect.shutil, "rmtree", die)
    with pytest.raises(MemoryError):
        collect(place.out, keep=2)
    assert place.names() == {".n2.tmp", "n1", "n3", "n4"}
    monkeypatch.undo()
    collect(place.out, keep=2)
    assert place.names() == {"n3", "n4"}


def test_in_a_workspace_elsewhere_only_tables_of_removed_snapshots_go(tmp_path):
    place = nights(Place(tmp_path / "out", tmp_path / "space"))
    other = Place(tmp_path / "other", tmp_path / "space")
    made(other, "o1", 1, ["others"])
    collect(place.out, keep=3)
    assert place.tables() == {"all", "t2", "t3", "t4", "refused4", "dry4", "others", "unfinished"}


def test_another_spelling_of_the_folder_is_the_same_folder(place, tmp_path):
    (tmp_path / "link").symlink_to(place.out)
    page = place.snapshot("n4") / "manifest.json"
    page.write_text(page.read_text().replace(str(place.out), f"{tmp_path}/link"))
    collect(tmp_path / "x" / ".." / "out", keep=1)
    assert place.tables() == {"all", "t4", "refused4", "dry4"}


def test_bad_arguments_are_told(place, tmp_path):
    assert CliRunner().invoke(app, ["gc", "--keep", "0", "--out", str(place.out)]).exit_code == 2
    with pytest.raises(InputError, match="no snapshot under"):
        collect(tmp_path / "empty", keep=1)


def test_what_goes_is_told_as_json(place):
    given = ["gc", "--keep", "2", "--out", str(place.out), "--json"]
    told = json.loads(CliRunner().invoke(app, [*given, "--dry-run"]).stdout)
    assert told == json.loads(CliRunner().invoke(app, given).stdout)
    assert {Path(one).name for one in told["snapshots"]}.isdisjoint(place.names()) and told["freed"] > 0
    empty = CliRunner().invoke(app, [*given[:3], "--out", str(place.out / "none"), "--json"])
    assert empty.exit_code == 2 and json.loads(empty.stdout)["outcome"] == "failed"


def test_readers_never_miss_the_published_snapshot_while_old_ones_go(tmp_path):
    """A reader that opens `current` again and again, while snapshots are published and collected."""
    place = Place(tmp_path / "out", tmp_path / "out" / "workspace")
    switch(place.out, made(place, "n0", 1, []))
    read = (
        "import sys; from pathlib import Path; from tasks.snapshots.locks import reading\n"
        "while not Path(sys.argv[1], 'end').exists():\n"
        "    with reading(Path(sys.argv[1])) as snapshot:\n"
        "        assert (snapshot / 'documents' / 'part-00000.parquet').stat().st_size == 1000\n"
        "    print(snapshot.name, flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", read, str(place.out)], stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout.readline() == "n0\n"
        for night in range(1, 60):
            switch(place.out, made(place, f"n{night}", 1 + night // 2, []))
            collect(place.out, keep=1)
            time.sleep(0.002)
        (place.out / "end").touch()
        seen = set(reader.stdout.read().split())
    assert reader.returncode == 0 and len(seen) > 5


def test_tables_go_from_the_store_too(tmp_path):
    """Those that nothing left needs, also where the folder no longer has them; a store that is gone stops nobody."""
    fs = fsspec.filesystem("memory")
    place = nights(Place(tmp_path / "out", tmp_path / "out" / "workspace"))
    for day in (1, 2, 3, 4):
        page = place.snapshot(f"n{day}") / "manifest.json"
        page.write_text(json.dumps(json.loads(page.read_text()) | {"store": "memory://gc/store"}))
    for table in ("all", "t1", "t2", "t3", "t4", "elsewhere"):
        fs.pipe_file(f"/gc/store/tables/{table}/part-00000.parquet", b"t")
    shutil.rmtree(place.workspace / "tables" / "t2")
    collect(place.out, keep=2, dry_run=True)
    assert len(fs.find("/gc/store")) == 6
    assert collect(place.out, keep=2).unreached == []
    assert {name.split("/")[4] for name in fs.find("/gc/store")} == {"all", "t3", "t4", "elsewhere"}
    page = place.snapshot("n4") / "manifest.json"
    page.write_text(json.dumps(json.loads(page.read_text()) | {"store": "gs://gone/store"}))
    found = collect(place.out, keep=1)
    assert "t3" not in place.tables() and ["gs://gone" in one for one in found.unreached] == [True]
    assert {name.split("/")[4] for name in fs.find("/gc/store")} == {"all", "t4", "elsewhere"}
