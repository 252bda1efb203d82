"""Wheel: one name in site-packages, and others' packages of our names beside it do no harm."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tasks.pipeline.versions import version

ROOT = Path(__file__).resolve().parent.parent
TABLE = "tasks.ingest.extract:extract"
SCRIPT = """
import json, sys
import semhash_llm
from semhash_llm.command import main
from semhash_llm.flows.curate import curate
from semhash_llm.tasks.pipeline.versions import ours, version
from semhash_llm.models.parameters import Extract
ours_by_name = {"flows", "tasks", "models", "sql", "data_contracts"}
print(json.dumps({
    "from": semhash_llm.__file__,
    "others": sorted(name for name in sys.modules if name.partition(".")[0] in ours_by_name),
    "version": version("TABLE"),
    "section": ours(f"{Extract.__module__}:Extract"),
}))
""".replace("TABLE", TABLE)


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """Folder into which the wheel of this checkout was unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    left_out = shutil.ignore_patterns(".git", ".venv", "*.egg-info", "build", "dist", "__pycache__", ".*_cache")
    shutil.copytree(ROOT, folder / "source", ignore=left_out)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*command, str(folder / "source")], check=True, timeout=300)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


@pytest.mark.flows
def test_a_wheel_holds_one_name_and_all_that_runs_need(installed):
    assert sorted(path.name.partition("-")[0] for path in installed.iterdir()) == ["semhash_llm", "semhash_llm"]
    inside = installed / "semhash_llm"
    for package in ("flows", "tasks", "models", "sql", "data_contracts"):
        kept = {
            path.relative_to(ROOT) for path in (ROOT / package).rglob("*") if path.suffix in (".py", ".sql", ".toml")
        }
        assert kept and all((inside / path).is_file() for path in kept), package
    assert list(inside.glob("models/bundles/*/*.safetensors"))


@pytest.mark.flows
def test_an_installed_copy_meets_no_packages_of_others_and_names_tables_alike(installed, tmp_path):
    for package in ("flows", "tasks", "models", "sql", "data_contracts"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("raise RuntimeError('somebody else')\n")
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    where = os.pathsep.join([str(tmp_path), str(installed), *libraries])
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False,
        env=os.environ | {"PYTHONPATH": where},
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout.splitlines()[-1])
    assert Path(told["from"]).is_relative_to(installed) and told["others"] == []
    assert told["version"] == version(TABLE), "a workspace of the repository serves an installed copy"
    assert told["section"] == ["models.parameters:Extract"]
