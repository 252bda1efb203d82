"""The notebook of the examples, run in a kernel: results show themselves."""

from pathlib import Path

import pytest

from tests.support import ROOT

pytestmark = pytest.mark.e2e


def executed(path: Path) -> str:
    """What a notebook shows as HTML, cell for cell."""
    import nbformat
    from nbclient import NotebookClient

    page = nbformat.read(path, as_version=4)
    NotebookClient(page, timeout=600, resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [one for cell in page.cells for one in cell.get("outputs", [])]
    shown = [_shown(one.get("data", {}), one.get("text", "")) for one in outputs]
    return "<meta charset=utf-8><style>body{font:14px sans-serif;margin:2em}pre{font-size:12px}</style>" + "<hr>".join(
        shown
    )


def _shown(data: dict, printed: str) -> str:
    return data.get("text/html") or f"<pre>{data.get('text/plain', printed)}</pre>"


def test_a_result_shows_itself(browser, tmp_path, keep):
    for package in ("nbformat", "nbclient", "ipykernel"):
        pytest.importorskip(package, reason="pip install 'semhash-llm[notebook]'")
    (tmp_path / "page.html").write_text(executed(ROOT / "examples/notebook.ipynb"))
    browser.see(f"file://{tmp_path}/page.html", "kept", "removed as", "Longest passage in common")
    keep("notebook")
