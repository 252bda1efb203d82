"""Every table has the same bytes, whoever made its parts, also when a worker is killed, and over an object store."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import fsspec
import pytest

from tests.runners.clusters import CHECKOUT, CLUSTERS, environment, s3
from tests.support.runs import planted, real_texts

pytestmark = pytest.mark.runners

SETTINGS = ("extract.part_rows=64", "gate.canaries=false")
RUNNERS = ("processes", "dask", "ray")


def _curate(folder: Path, out: Path, *given: str, env: dict[str, str] | None = None) -> dict[str, bytes]:
    """Curate with the command itself; bytes of all tables of its workspace."""
    settings = [word for one in SETTINGS for word in ("--set", one)]
    command = [sys.executable, "-m", "flows", "curate", str(folder / "corpus.parquet"), "--out", str(out), *settings]
    done = subprocess.run(
        [*command, *given], cwd=CHECKOUT, env=env or environment(folder), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    tables = out / "workspace" / "tables"
    return {str(path.relative_to(tables)): path.read_bytes() for path in tables.glob("*/[!_]*")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Folder with a corpus of several parts."""
    made = tmp_path_factory.mktemp("runners")
    texts = real_texts(made / "licences", 400)
    texts.vstack(planted(texts)).write_parquet(made / "corpus.parquet")
    return made


@pytest.fixture(scope="module")
def alone(folder) -> dict[str, bytes]:
    """What one process makes."""
    tables = _curate(folder, folder / "alone")
    assert sum("embeddings-" in name for name in tables) > 4, "so few parts that no worker has two"
    return tables


@pytest.fixture(scope="module", params=RUNNERS)
def runner(request, folder):
    """Options that name a runner with several workers; clusters stand beside the run and are reached by address."""
    if request.param == "processes":
        yield ["--runner", "processes"]
        return
    package = f"prefect_{request.param}"
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    with CLUSTERS[request.param](folder, environment(folder)) as address:
        yield ["--runner", request.param, "--cluster", address]


def _same(made: dict[str, bytes], alone: dict[str, bytes]) -> None:
    assert made.keys() == alone.keys()
    assert [name for name in alone if made[name] != alone[name]] == []


def test_a_runner_makes_what_one_process_makes(runner, folder, alone, tmp_path):
    _same(_curate(folder, tmp_path / "out", *runner), alone)


def test_so_it_does_when_a_worker_is_killed(runner, folder, alone, tmp_path):
    (folder / "armed").touch()
    made = _curate(folder, tmp_path / "out", *runner)
    assert not (folder / "armed").exists(), "no worker was killed"
    _same(made, alone)


@pytest.fixture(scope="module")
def bucket(folder):
    """Variables of processes that reach a bucket."""
    for package in ("s3fs", "moto"):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    with s3(folder) as told, pytest.MonkeyPatch.context() as patch:
        for name, value in told.items():
            patch.setenv(name, value)
        fsspec.filesystem("s3").mkdir("bucket")
        yield told


@pytest.fixture(params=["processes", "dask"])
def apart(request, folder, bucket, tmp_path):
    """Options and variables of a run whose workers must not look into its folder."""
    own = {"SEMHASH_HIDDEN": str(tmp_path / "out"), "SEMHASH_LOCAL": str(tmp_path / "workers")}
    env = environment(folder) | bucket | own
    given = ["--workspace", f"s3://bucket/{request.param}", "--runner", request.param]
    if request.param == "processes":
        yield given, env
        return
    if find_spec("prefect_dask") is None:
        pytest.skip("prefect_dask is not installed")
    with CLUSTERS["dask"](folder, env | {"SEMHASH_WORKER": "1"}) as address:
        yield [*given, "--cluster", address], env


def test_workers_need_nothing_in_common_but_a_bucket(apart, folder, alone, tmp_path):
    """A worker is killed, too; afterwards nothing is left but tables, from which another machine can go on."""
    given, env = apart
    (folder / "armed").touch()
    _same(_curate(folder, tmp_path / "out", *given, env=env), alone)
    assert not (folder / "armed").exists(), "no worker was killed"
    fs = fsspec.filesystem("s3", skip_instance_cache=True, use_listings_cache=False)
    place = given[1].removeprefix("s3://")
    assert {name.split("/")[2] for name in fs.find(place)} == {"tables"}
    records = {name: fs.cat_file(name) for name in fs.find(place) if name.endswith("/_table.json")}
    elsewhere = _curate(folder, tmp_path / "elsewhere", *given[:2], env=env | {"SEMHASH_HIDDEN": str(tmp_path / "out")})
    _same(elsewhere, alone)
    assert {name: fs.cat_file(name) for name in records} == records, "a finished stage was repeated"
