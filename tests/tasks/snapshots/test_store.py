"""Output behind a URL: every machine sees what was published last, whole or not at all, and one publishes at a time."""

import uuid
from functools import partial, partialmethod
from pathlib import Path

import fsspec
import pytest
from typer.testing import CliRunner

import semhash_llm as sh
from flows.cli import app
from tasks.ingest import remote
from tasks.runtime.errors import BusyError, DamageError, InputError
from tasks.snapshots import output_mirror, store
from tasks.snapshots.layout import current, switch
from tasks.snapshots.output_mirror import folder_of
from tasks.snapshots.store import catalogued, pull, shared
from tasks.storage.atomic import sweep, unfinished
from tasks.storage.checksums import seal
from tests.flows.test_columns import TEXTS

pytestmark = pytest.mark.flows

FAST = {"gate.canaries": False}
ROWS = [{"id": f"d{row}", "text": text} for row, text in enumerate(TEXTS[:12])]
ROWS[5] = ROWS[5] | {"text": ROWS[1]["text"].upper()}
LATE = [{"id": "late", "text": "What came in late is about quite another thing, of bees and wax."}]


@pytest.fixture
def machines(tmp_path, monkeypatch):
    """Makes this process another machine: one whose mirrors lie elsewhere."""
    monkeypatch.setitem(remote.PACKAGES, "memory", "")

    def machine(name: str) -> None:
        monkeypatch.setattr(output_mirror, "mirrors", lambda: tmp_path / name)

    machine("first")
    return machine


@pytest.fixture
def url(machines, monkeypatch):
    """A prefix of a server of S3, or of a store in this process where there is none."""
    name = uuid.uuid4().hex
    try:
        import s3fs
        from moto.server import ThreadedMotoServer
    except ImportError:
        yield f"memory://{name}/corpus"
        return
    server = ThreadedMotoServer(port=0)
    server.start()
    host, port = server.get_host_and_port()
    keys = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}
    for key, value in (keys | {"AWS_ENDPOINT_URL": f"http://{host}:{port}"}).items():
        monkeypatch.setenv(key, value)
    s3fs.S3FileSystem.clear_instance_cache()
    fsspec.filesystem("s3").mkdir(name)
    yield f"s3://{name}/corpus"
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


def listed(url: str) -> list[str]:
    fs, base = fsspec.url_to_fs(url, use_listings_cache=False)
    return sorted(str(key).partition(f"{base.strip('/')}/")[2] for key in fs.find(base))


def run(*words: str):
    return CliRunner().invoke(app, words)


def test_what_one_machine_publishes_another_reads_refreshes_and_rolls_back(url, machines):
    made = sh.deduplicate(ROWS, out=url, settings=FAST, preset="wording-only")
    first, names = made.snapshot.name, listed(url)
    fs, base = fsspec.url_to_fs(url)
    assert fs.cat_file(f"{base}/current") == f"snapshots/{first}\n".encode()
    assert {name.partition("/")[2].partition("/")[0] for name in names if "/" in name} == {first}
    assert not [name for name in names if ".writers" in name or ".tmp" in name]
    assert len(names) == 1 + len([path for path in made.snapshot.rglob("*") if path.is_file()])

    machines("second")
    opened = sh.open(url)
    assert opened.snapshot != made.snapshot and opened.kept.equals(made.documents)
    assert "removed" in run("explain", "d5", "--out", url).output.lower()
    night = sh.refresh(url, LATE)
    assert sorted(night.kept["id"]) == sorted([*opened.kept["id"], "late"])

    machines("first")
    assert sh.open(url).snapshot.name == night.snapshot.name
    told = run("snapshots", "--out", url, "--check")
    assert told.exit_code == 0 and first in told.output and night.snapshot.name in told.output, told.output

    machines("third")
    back = run("rollback", first, "--out", url)
    assert back.exit_code == 0 and "12 documents" in back.output, back.output
    machines("second")
    assert sh.open(url).snapshot.name == first
    swept = run("gc", "--keep", "1", "--out", url)
    assert swept.exit_code == 0, swept.output
    assert {name.split("/")[1] for name in listed(url) if "/" in name} == {first, night.snapshot.name}
    assert run("rollback", night.snapshot.name, "--out", url).exit_code == 0
    assert run("gc", "--keep", "1", "--out", url).exit_code == 0
    assert {name.split("/")[1] for name in listed(url) if "/" in name} == {night.snapshot.name}


def publish(out: Path, name: str, **files: str) -> None:
    """Publish a snapshot of a few files."""
    with shared(out):
        show(out, name, **files)


def show(out: Path, name: str, **files: str) -> None:
    folder = out / "snapshots" / name
    if not folder.exists():
        (folder / "table").mkdir(parents=True)
        (folder / "manifest.json").write_text("{}")
        for file, text in files.items():
            (folder / "table" / file).write_text(text)
        seal(folder)
    switch(out, folder)


def shown(url: str) -> dict[str, str]:
    """Files of what a reader on this machine sees."""
    out = folder_of(url)
    pull(out)
    found = current(out)
    return {path.name: path.read_text() for path in found.glob("table/*")} if found else {}


@pytest.fixture
def bucket(machines):
    """URL of a store in this process with one snapshot."""
    url = f"memory://{uuid.uuid4().hex}/corpus"
    publish(folder_of(url), "one", a="old", b="1")
    return url


def test_only_what_is_new_goes_and_comes(bucket, machines, monkeypatch):
    machines("second")
    assert shown(bucket) == {"a": "old", "b": "1"}
    machines("first")
    kind, moved = type(fsspec.filesystem("memory")), []
    for name in ("put", "get"):
        whole = getattr(kind, name)
        spy = partial(lambda whole, self, come, go: (moved.extend(go), whole(self, come, go))[1], whole)
        monkeypatch.setattr(kind, name, partialmethod(spy))
    publish(folder_of(bucket), "two", a="old", b="2")
    machines("second")
    assert shown(bucket) == {"a": "old", "b": "2"}
    assert [Path(one).name for one in moved] == ["b", "files.json", "files.json", "b"]


def test_an_upload_that_breaks_off_shows_nothing_and_the_next_run_ends_it(bucket, machines, monkeypatch):
    kind = type(fsspec.filesystem("memory"))

    def broken(self, here, there):
        kind.pipe_file(self, there[0], b"half")
        raise OSError("the cable is out")

    with monkeypatch.context() as patch, pytest.raises(InputError, match="the cable is out"):
        patch.setattr(kind, "put", broken)
        publish(folder_of(bucket), "two", a="new")
    assert shown(bucket)["a"] == "old"
    machines("second")
    assert shown(bucket)["a"] == "old"
    with catalogued(folder_of(bucket)) as listed:
        assert [folder.name for folder in (listed / "snapshots").iterdir()] == ["one"]
    machines("first")
    publish(folder_of(bucket), "two", a="new")
    machines("second")
    assert shown(bucket)["a"] == "new"


def test_a_run_that_begins_sweeps_nothing_away_that_a_reader_fetches(bucket, machines, monkeypatch):
    machines("second")
    out, kind = folder_of(bucket), type(fsspec.filesystem("memory"))
    whole = kind.get

    def beside(self, come, go):
        whole(self, come, go)
        monkeypatch.setattr(kind, "get", whole)
        sweep(out)

    monkeypatch.setattr(kind, "get", beside)
    assert shown(bucket) == {"a": "old", "b": "1"}
    sweep(out)
    assert not unfinished(out)


def test_two_runs_do_not_publish_over_each_other(bucket, machines, monkeypatch):
    first = folder_of(bucket)
    machines("second")
    second = folder_of(bucket)
    with shared(first), pytest.raises(BusyError, match="another run is writing there"), shared(second):
        pass
    monkeypatch.setattr(store, "LEASED", frozenset())
    with pytest.raises(BusyError, match="has published there meanwhile"), shared(first):
        publish(second, "two", a="of the second")
        show(first, "three", a="of the first")
    assert shown(bucket)["a"] == "of the second"


def test_damage_in_the_store_is_told_and_nothing_of_it_is_shown(bucket, machines):
    machines("second")
    fsspec.filesystem("memory").pipe_file(f"{bucket}/snapshots/one/table/a", b"odd")
    with pytest.raises(DamageError, match="table/a of snapshot one is gone or damaged"):
        pull(folder_of(bucket))
    assert not list(folder_of(bucket).glob("snapshots/*")) and current(folder_of(bucket)) is None


def test_wrong_urls_are_told_and_a_file_is_a_folder(machines, tmp_path):
    for url, said in (("https://a.org/x", "nothing can be written there"), ("ftp://a/x", "a URL of abfs, az, gcs")):
        with pytest.raises(InputError, match=said):
            folder_of(url)
    assert run("explain", "d1", "--out", "ftp://a/x").exit_code == 2
    assert folder_of(f"file://{tmp_path}/a%20b") == tmp_path / "a b"
    with pytest.raises(InputError, match="nothing is published under memory://"):
        sh.open(f"memory://{uuid.uuid4().hex}/nothing")
