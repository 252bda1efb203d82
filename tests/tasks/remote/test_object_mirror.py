"""A workspace in a store: whole tables only, nothing made twice, nothing believed that is damaged, one writer."""

import json
import shutil
import time
import uuid
from concurrent.futures import Future
from functools import partial

import fsspec
import numpy as np
import polars as pl
import pytest

import tasks.parallel.runners
from tasks.parallel.map_parts import fill, map_numbers
from tasks.parallel.runners import workers
from tasks.remote import worker_scratch as guests
from tasks.remote import write_lease as lease
from tasks.remote.object_mirror import DONE, Store, detach, mirrored
from tasks.remote.remote_pickle import Parcel
from tasks.runtime.errors import BusyError, DamageError, InputError
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.storage.spill import ArrayFiles
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, one_part, scan
from tests.support.made_up import made_up
from tests.support.runs import SETTINGS, contents, curate, refresh

pytestmark = pytest.mark.flows

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
    with mirrored(url, folder, uuid.uuid4().hex), Stage(Run(workspace=folder), made_up(name), []) as stage:
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
    # What a part took is in the note on the table, and may be the same time twice.
    assert {name for name in before if before[name] != after[name]} <= {f"tables/{path.name}/{DONE}"}


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
    with mirrored(url, folder, "token"), Stage(Run(workspace=folder), made_up("copies"), []) as stage:
        stage.write(0, ROWS)
    assert {name.rpartition("/")[2] for name in objects(url)} == {"part-00000.parquet", DONE}


def test_one_writer(url, tmp_path, monkeypatch):
    one, other = tmp_path / "a", tmp_path / "b"
    one.mkdir()
    other.mkdir()
    with mirrored(url, one, "first") as store:
        with pytest.raises(BusyError, match="another run is writing"), mirrored(url, other, "second"):
            pass
        store.lease.check()
    with mirrored(url, other, "second"):
        pass
    assert not FS.find(f"{store.base}/.writers")


def test_the_right_of_a_killed_run_ends(url, tmp_path, monkeypatch):
    """At once for whoever has its folder, as nobody else can be in it; for others when nothing was heard for long."""
    one, other = tmp_path / "a", tmp_path / "b"
    one.mkdir()
    other.mkdir()

    def killed():
        with mirrored(url, one, uuid.uuid4().hex) as store:
            left = FS.cat_file(place := f"{store.base}/.writers/{store.token}")
        FS.pipe_file(place, left)
        return store

    killed()
    with mirrored(url, one, "again"):
        pass
    dead = killed()
    with pytest.raises(BusyError), mirrored(url, other, "third"):
        pass
    monkeypatch.setattr(lease, "SILENCE", 0.0)
    with mirrored(url, other, "fourth"), pytest.raises(BusyError, match="nothing was heard"):
        dead.lease.check()


def test_a_living_run_is_heard(url, tmp_path, monkeypatch):
    monkeypatch.setattr(lease, "BEAT", 0.02)
    with mirrored(url, tmp_path, "token") as store:
        place = f"{store.base}/.writers/token"
        before = FS.modified(place)
        until = time.monotonic() + 20
        while FS.modified(place) == before and time.monotonic() < until:
            time.sleep(0.01)
        assert FS.modified(place) > before


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("file:///tmp/x", "object store"),
        ("quark://bucket/x", "object store"),
        ("gs://bucket/x", "pip install gcsfs"),
    ],
)
def test_what_cannot_be_a_store_is_refused_in_one_sentence(given, said, tmp_path):
    with pytest.raises(InputError, match=said), mirrored(given, tmp_path, "token"):
        pass


def test_a_store_that_cannot_be_written_is_refused_before_anything_is_done(url, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError("Access Denied")

    monkeypatch.setattr(type(FS), "pipe_file", refuse)
    with pytest.raises(InputError, match=f"--workspace {url}.*Access Denied"), mirrored(url, tmp_path, "token"):
        pass


class Apart:
    """A task runner that works in this process as a worker does that does not see the folder of the run."""

    def __init__(self, **_):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def submit(self, task, parameters):
        future = Future()
        assert isinstance(parameters["told"], Parcel)
        try:
            future.set_result(task.fn(**parameters))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.fixture
def apart(tmp_path, monkeypatch):
    """Workers with folders of their own; yields where these are."""
    place = tmp_path / "workers"
    monkeypatch.setenv(guests.LOCAL, str(place))
    monkeypatch.setattr(tasks.parallel.runners, "Processes", Apart)
    yield place
    for store, leave in guests._guests.values():
        detach(store)
        leave()
    guests._guests.clear()
    assert not list(place.glob("*")), "a worker cleans up"


def read(stage, table, index, advance):
    """Rows of a part of a table, and where they were read."""
    path = one_part(table, index)
    advance(1)
    return pl.read_parquet(path).with_columns(place=pl.lit(str(path.parent)), run=pl.lit(str(stage.run.workspace)))


def test_a_worker_fetches_what_its_part_needs(url, tmp_path, apart):
    folder = tmp_path / "a"
    path, _ = make(folder, url)
    run = Run(workspace=folder)
    with (
        mirrored(url, folder, "token", apart=True),
        workers("processes", None, 1, 4 * 10**9),
        stage_progress("read", 2) as bar,
    ):
        with Stage(run, made_up("copies"), []) as source:
            pass
        with Stage(run, made_up("read"), [source.ref]) as stage:
            fill(stage, partial(read, stage, source.ref), [0, 2], bar)
        made = scan(stage.ref).collect()
        [own] = apart.glob("*/")
        assert set(made["run"]) == {str(own)} and set(made["place"]) == {str(own / "tables" / path.name)}
        assert {part.name for part in (own / "tables" / path.name).iterdir()} == {
            "part-00000.parquet",
            "part-00002.parquet",
        }
        assert not list(stage.path.glob(".*")) and not any("passing" in name for name in objects(url))
    assert made["doc"].to_list() == [0, 1, 2, 3, 8, 9]


def squares(files, number):
    return files(np.arange(size) ** 2 for size in (number, 0))


def total(laid, number):
    return [int(one().sum()) for one in laid[number]]


def test_arrays_that_one_worker_laid_are_read_by_others(url, tmp_path, apart):
    run = Run(workspace=tmp_path / "a")
    run.workspace.mkdir()
    with mirrored(url, run.workspace, "token", apart=True), Stage(run, made_up("read"), []) as stage:
        files = ArrayFiles(stage.path, "squares")
        with workers("processes", None, 1, 4 * 10**9):
            laid = [*map_numbers(stage, partial(squares, files), [3, 4])]
            for store, leave in guests._guests.values():  # another machine from here on
                detach(store)
                leave()
            guests._guests.clear()
            assert [*map_numbers(stage, partial(total, laid), [1, 0])] == [[14, 0], [5, 0]]
        assert laid[0][0]().tolist() == [0, 1, 4] and laid[0][1]().size == 0
        assert list(stage.path.glob(".*"))
        files.clear()
        assert not list(stage.path.glob(".*"))


def test_a_worker_does_not_believe_a_damaged_object_and_the_next_run_mends_it(url, tmp_path, apart):
    path, _ = make(tmp_path / "a", url)
    before = objects(url)
    run = Run(workspace=tmp_path / "a")

    def follow(damaged):
        with (
            mirrored(url, run.workspace, uuid.uuid4().hex, apart=True),
            workers("processes", None, 1, 4 * 10**9),
            stage_progress("read", 1) as bar,
        ):
            with Stage(run, made_up("copies"), []) as source:
                pass
            if damaged:
                key = f"{url.removeprefix('memory:/')}/tables/{path.name}/part-00000.parquet"
                FS.pipe_file(key, FS.cat_file(key)[:-1] + b"?")
            with Stage(run, made_up("read"), [source.ref]) as stage:
                fill(stage, partial(read, stage, source.ref), [0], bar)

    with pytest.raises(DamageError, match=r"part-00000.parquet of copies-\w+ was damaged"):
        follow(damaged=True)
    follow(damaged=False)
    assert {name: content for name, content in objects(url).items() if name in before} == before


def test_a_table_of_a_snapshot_is_lent_to_workers(url, tmp_path, apart):
    path, _ = make(tmp_path / "a", url)
    shown = tmp_path / "snapshot" / "documents"
    shown.mkdir(parents=True)
    for part in path.glob("part-*"):
        shutil.copy(part, shown)
    run = Run(workspace=tmp_path / "a")
    lent = TableRef("documents", str(shown), 10, "snapshot/documents")
    with (
        mirrored(url, run.workspace, "token", apart=True),
        workers("processes", None, 1, 4 * 10**9),
        stage_progress("read", 1) as bar,
        Stage(run, made_up("read"), [lent]) as stage,
    ):
        fill(stage, partial(read, stage, lent), [1], bar)
    assert scan(stage.ref).collect()["doc"].to_list() == [4, 5, 6, 7]
    assert not any("passing" in name for name in objects(url)) and not (run.workspace / "scratch" / "lent").exists()


def test_what_a_killed_worker_left_goes(tmp_path, monkeypatch):
    monkeypatch.setenv(guests.LOCAL, str(tmp_path))
    (tmp_path / "semhash-llm-dead").mkdir()
    (tmp_path / "semhash-llm-dead.lock").touch()
    first, leave_first = guests._settle("memory://x", "token")
    second, leave_second = guests._settle("memory://x", "token")
    assert {path.name for path in tmp_path.glob("*/")} == {first.folder.name, second.folder.name}
    leave_first()
    leave_second()
    assert not list(tmp_path.iterdir())


def test_a_run_elsewhere_goes_on_and_comes_to_the_same(curated, url, tmp_path):
    inputs = [curated.parent / "corpus.parquet"]
    with pytest.MonkeyPatch.context() as patch, pytest.raises(ZeroDivisionError):
        patch.setattr("tasks.encode.signatures._sketch", lambda *_: 1 / 0)
        curate(inputs, tmp_path / "one", SETTINGS, workspace=url)
    done = {name: content for name, content in objects(url).items() if name.endswith(DONE)}
    assert {name.split("/")[1].rpartition("-")[0] for name in done} >= {"documents", "prescreen", "embeddings"}
    shutil.rmtree(tmp_path / "one")
    made = curate(inputs, tmp_path / "other", SETTINGS, workspace=url)
    _same(made, curated / "current")
    assert json.loads((made / "manifest.json").read_text())["store"] == url
    after = objects(url)
    assert {name: after[name] for name in done} == done, "no finished stage was repeated"


def test_workers_apart_make_what_one_process_makes(curated, url, tmp_path, apart):
    inputs = [curated.parent / "corpus.parquet"]
    out = tmp_path / "out"
    _same(curate(inputs, out, SETTINGS, workspace=url, runner="processes"), curated / "current")
    tables = [
        {path.name: path.read_bytes() for path in sorted(place.glob("tables/embeddings-*/[!_]*"))}
        for place in (out / "workspace", curated / "workspace")
    ]
    assert tables[0] == tables[1] and tables[0]
    assert not any("passing" in name for name in objects(url))


def _same(made, other):
    for name in ("decisions", "documents", "fragments", "fragment_spans", "verified", "rejects"):
        assert contents(made, name) == contents(other, name), name


def test_a_night_with_workers_apart_is_one_left_alone(curated, corpus, url, tmp_path, apart):
    new = corpus.head(6).with_columns(doc_id=pl.lit("new-") + pl.col("doc_id"), text=pl.col("text") + pl.lit(" More."))
    other = corpus.slice(10, 2).with_columns(text=pl.lit("Another text for ") + pl.col("doc_id"))
    pl.concat([new, other]).write_parquet(tmp_path / "new.parquet")
    alone, far = (shutil.copytree(curated, tmp_path / name, symlinks=True) for name in ("alone", "far"))
    shutil.rmtree(far / "workspace")
    made = [
        refresh([tmp_path / "new.parquet"], alone),
        refresh([tmp_path / "new.parquet"], far, workspace=url, runner="processes"),
    ]
    assert made[0].name == made[1].name != (curated / "current").readlink().name
    _same(made[1], made[0])
    assert {part.parent.name for part in made[1].glob("index/*/part-*")} >= {"signatures", "frequencies"}
    for folder in ("index/signatures", "index/windows"):
        assert contents(made[1], folder) == contents(made[0], folder)
