"""The examples do what they say: each ends with a check of its own."""

import json
import runpy
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

pytestmark = pytest.mark.flows

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path, monkeypatch, capsys):
    if path.stem == "hugging_face":
        pytest.importorskip("datasets")
    monkeypatch.setattr(sys, "argv", [str(path)])
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


def test_the_notebook_runs(monkeypatch):
    """Its cells in order, without a kernel; `make e2e` runs it in one."""
    pages = json.loads((ROOT / "examples/notebook.ipynb").read_text())["cells"]
    cells = ["".join(page["source"]) for page in pages if page["cell_type"] == "code"]
    names: dict = {}
    exec("\n".join(cells), names)
    assert names["result"].kept["id"].to_list() == ["a", "c", "d"]
    assert "<b>3</b><br>kept" in names["result"]._repr_html_()


def test_recipes_name_examples_that_exist():
    page = (ROOT / "docs/recipes.md").read_text()
    assert all(f"examples/{Path(path).name}" in page for path in EXAMPLES)
