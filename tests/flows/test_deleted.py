"""Deleted means gone: after a night that deletes and `gc`, no file of output and workspace holds the text any more."""

import json
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


def test_ids_that_nobody_knows_are_told_and_nights_are_not_forgotten(nights, tmp_path):
    """Somebody's text must go: a list in quotation marks, or of another corpus, deletes nothing and must not pass."""
    (tmp_path / "gone.txt").write_text('"story"\nstory \n')
    told = CliRunner().invoke(app, ["refresh", "--out", str(nights), "--deleted", str(tmp_path / "gone.txt")])
    assert told.exit_code == 2 and "none of the 2 ids to delete was ever published" in told.output
    (tmp_path / "some.txt").write_text("story\nnobody\n")
    again = ["refresh", "--out", str(nights), "--deleted", str(tmp_path / "some.txt"), "--json"]
    told = CliRunner().invoke(app, again)
    assert told.exit_code == 0 and "1 of 2 ids are unknown, for example 'nobody'" in told.stderr
    came = json.loads(told.stdout)
    assert (came["outcome"], came["night"], came["warnings"]) == ("nothing new", {}, [])
    given = [str(nights.parent / "corpus.parquet"), "--out", str(nights)]
    told = CliRunner().invoke(app, ["curate", *given])
    assert told.exit_code == 2 and "was refreshed 1 times" in told.output and "--start-over" in told.output
