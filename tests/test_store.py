"""A workspace in a store: whole tables only, nothing made twice, nothing believed that is damaged, one writer."""

import json
import shutil
import uuid
from concurrent.futures import Future
from pathlib import Path

import fsspec
import polars as pl
import pytest
from conftest import SETTINGS, contents, curate

from tasks import guests, lease
from tasks.errors import BusyError, DamageError, InputError
from tasks.lease import only
from tasks.parcel import Parcel, pack, unpack
from tasks.run import Run
from tasks.spread import fill
from tasks.store import DONE, Store, discard, fetch, lend, mirrored, of
from tasks.tables import Stage, TableRef, one_part, parts, scan
from tasks.workers import Workers, _open

ROWS = pl.DataFrame({"doc": range(10)})
FS = fsspec.filesystem("memory")


@pytest.fixture
def url():
    return f"memory://{uuid.uuid4().hex}/prefix"


def objects(url):
    """Names below the URL with their bytes, without the right to write."""
    base = url.removeprefix("memory:/") + "/"
    return {key.removeprefix(base): FS.cat_file(key) for key in FS.find(base) if ".writers" not in key}


def make(folder, url, fail_at=None, name="copies"):
    """A table of ten rows in three parts and a file beside them; returns its folder and the parts that were written."""
    folder.mkdir(exist_ok=True)
    written = []
    with mirrored(url, folder, uuid.uuid4().hex), Stage(Run(workspace=folder), name, []) as stage:
        if not stage.finished:
            for index in stage.missing(3):
                if index == fail_at:
                    raise ZeroDivisionError
                stage.write(index, ROWS.slice(4 * index, 4))
                written.append(index)
            (stage.path / "beside.npy").write_bytes(b"counts")
    assert scan(stage.ref).collect().equals(ROWS)
    return stage.path, written


def test_a_finished_table_is_in_the_store_and_comes_from_there(url, tmp_path):
    path, written = make(tmp_path / "a", url)
    assert written == [0, 1, 2]
    names = {f"tables/{path.name}/{file.name}" for file in path.iterdir()}
    assert objects(url).keys() == names and len(names) == 5
    other, written = make(tmp_path / "b", url)
    assert written == []
    assert {file.name: file.read_bytes() for file in other.iterdir()} == {
        file.name: file.read_bytes() for file in path.iterdir()
    }


def test_of_an_unfinished_table_the_parts_are_used_but_nobody_takes_it_for_finished(url, tmp_path):
    with pytest.raises(ZeroDivisionError):
        make(tmp_path / "a", url, fail_at=2)
    assert [name.rpartition("/")[2] for name in objects(url)] == ["part-00000.parquet", "part-00001.parquet"]
    assert make(tmp_path / "b", url)[1] == [2]


def test_the_record_is_put_last(url, tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(Store, "put", lambda _, paths: seen.extend(path.name for path in paths))
    make(tmp_path / "a", url)
    assert seen[-1] == DONE and seen.count(DONE) == 1 and len(seen) == 8, seen


def test_a_push_that_breaks_off_shows_nothing_and_is_made_up_for(url, tmp_path, monkeypatch):
    real = Store.put

    def broken(self, paths):
        paths = list(paths)
        if paths[0].name == DONE:
            raise OSError("gone")
        real(self, paths)

    monkeypatch.setattr(Store, "put", broken)
    with pytest.raises(OSError, match="gone"):
        make(tmp_path / "a", url)
    assert not any(name.endswith(DONE) for name in objects(url))
    monkeypatch.setattr(Store, "put", real)
    assert make(tmp_path / "a", url)[1] == [], "it is finished here"
    assert any(name.endswith(DONE) for name in objects(url))


@pytest.mark.parametrize("damage", [lambda key: FS.pipe_file(key, b"PAR1"), FS.rm_file])
def test_a_damaged_or_missing_object_is_made_again(url, tmp_path, damage):
    path, _ = make(tmp_path / "a", url)
    before = objects(url)
    [key] = FS.find(f"{url.removeprefix('memory:/')}/tables/{path.name}/part-00001.parquet")
    damage(key)
    assert make(tmp_path / "b", url)[1] == [1]
    after = objects(url)
    assert after.keys() == before.keys()
    assert [name for name in before if before[name] != after[name]] == [f"tables/{path.name}/{DONE}"]


def test_a_vanished_object_is_put_again_from_where_the_table_stands(url, tmp_path):
    path, _ = make(tmp_path / "a", url)
    before = objects(url)
    FS.rm_file(f"{url.removeprefix('memory:/')}/tables/{path.name}/part-00001.parquet")
    assert make(tmp_path / "a", url)[1] == []
    assert objects(url) == before


def test_parts_of_a_run_cut_otherwise_leave_the_store(url, tmp_path):
    with pytest.raises(ZeroDivisionError):
        make(tmp_path / "a", url, fail_at=2)
    folder = tmp_path / "b"
    folder.mkdir()
    with mirrored(url, folder, "token"), Stage(Run(workspace=folder), "copies", []) as stage:
        stage.write(0, ROWS)
    assert {name.rpartition("/")[2] for name in objects(url)} == {"part-00000.parquet", DONE}


def test_one_writer(url, tmp_path, monkeypatch):
    with mirrored(url, tmp_path / "a", "first") if (tmp_path / "a").mkdir() is None else None:
        (tmp_path / "b").mkdir()
        with pytest.raises(BusyError, match="another run is writing"), mirrored(url, tmp_path / "b", "second"):
            pass
    with mirrored(url, tmp_path / "b", "second") as store:
        store.lease.check()
    assert not FS.find(f"{store.base}/.writers")
