"""Deleted means gone: after a night that deletes and `gc`, no file of output and workspace holds the text any more."""

from pathlib import Path

import polars as pl
import polars.selectors as cs
import pytest
from typer.testing import CliRunner

from flows.cli import app
from tasks.review import store as reviews
from tests.support.runs import curate, refresh

pytestmark = pytest.mark.flows

MARK = "quagmire-ossuary"
"""Words of no other text."""
STORY = (
    f"The keeper of the {MARK} wrote down every evening which of the boats had come back, and which had not. "
    "Her ledger, bound in sealskin, was found two hundred years later below the floor of the old net loft. "
    "It names forty-one skippers, the weather of each day, and the price that herring fetched in the town. "
)


def cells(path: Path) -> bytes:
    """All that stands in the cells of a table."""
    table = pl.read_parquet(path)
    packed = [value for column in table.select(cs.binary()) for value in column.drop_nulls()]
    return b"".join([table.select(~cs.binary()).write_json().encode(), *packed])


def holders(folder: Path) -> list[str]:
    """Files in which the mark stands, whatever wraps it."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            held = cells(path) if path.suffix == ".parquet" else path.read_bytes()
            found += [str(path.relative_to(folder))] if MARK.encode() in held else []
    return found


@pytest.fixture(scope="module")
def nights(corpus, tmp_path_factory) -> Path:
    """Output folder of a corpus, an audit of people, and a night that deletes all documents with the mark."""
    folder = tmp_path_factory.mktemp("deleted")
    gone = {
        "story": STORY,
        "story-again": f"{STORY}The loft is a museum now, open on the first Sunday of each month.",
        "story-copy": f"  {STORY.upper()}",
        "story-near": STORY.replace("forty-one", "forty-one brave"),
    }
    columns = {"doc_id": [*gone, "story", "null"], "text": [*gone.values(), f"Another text on the {MARK}.", None]}
    told = pl.DataFrame(columns | {"source": "diary", "license_expression": f"by the {MARK}", "language": ""})
    pl.concat([corpus.head(60), told.select(corpus.columns)]).write_parquet(folder / "corpus.parquet")
    out = folder / "out"
    loose = ("gate.max_reject_share=0.5", "gate.max_content_lost=1", "gate.max_source_content_lost=1")
    curate([folder / "corpus.parquet"], out, ("extract.part_rows=64", *loose))
    curate([folder / "corpus.parquet"], out, ("extract.part_rows=64", "verify.tau_a=0.9", *loose), dry_run=True)
    reviews.keep(out / reviews.FILE, reviews.decided(("story", "story-near"), (STORY, gone["story-near"]), "duplicate"))
    (folder / "gone.txt").write_text("\n".join(gone))
    assert holders(out)
    refresh([], out, deleted=str(folder / "gone.txt"))
    return out


def test_the_text_is_in_no_file_any_more(nights):
    told = CliRunner().invoke(app, ["gc", "--out", str(nights), "--keep", "1"])
    assert told.exit_code == 0, told.output
    assert holders(nights) == []
