"""Every table has the same bytes, whoever made its parts, and also when a worker is killed with a part in its hands."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import planted, real_texts

from runners.clusters import CHECKOUT, CLUSTERS, environment

pytestmark = pytest.mark.runners

SETTINGS = ("extract.part_rows=64", "gate.canaries=false")
RUNNERS = ("processes", "dask", "ray")


def _curate(folder: Path, out: Path, *given: str) -> dict[str, bytes]:
    """Curate with the command itself; bytes of all tables of its workspace."""
    settings = [word for one in SETTINGS for word in ("--set", one)]
    command = [sys.executable, "-m", "flows", "curate", str(folder / "corpus.parquet"), "--out", str(out), *settings]
    done = subprocess.run(
        [*command, *given], cwd=CHECKOUT, env=environment(folder), capture_output=True, text=True, check=False
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
