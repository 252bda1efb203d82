"""Files that workers read make the same tables, whatever of them a worker does not have."""

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

import tasks.ingest.extract
from models.parameters import Parameters
from tasks.ingest.extract import extract
from tasks.runtime.errors import InputError
from tasks.runtime.run import Run
from tests.support.processes.unruly import at_work


def written(folder: Path) -> list[str]:
    """Seven files of unlike columns behind an empty one; some rows are no documents, an id occurs twice."""
    (folder / "0-empty.jsonl").touch()
    for number in range(7):
        rows = [
            {"doc_id": f"{number}-{at}", "text": f"Text {at} of file {number}.", f"column_{number % 3}": at}
            for at in range(9)
        ]
        rows += [{"doc_id": "twice", "text": f"Given in file {number}."}, {"doc_id": f"empty-{number}", "text": ""}]
        (folder / f"{number}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [str(folder)]


@pytest.fixture
def run(tmp_path):
    return Run(workspace=tmp_path / "alone", parameters=Parameters().with_settings(["extract.id_column=doc_id"]))


@pytest.mark.parametrize("lacking", ["nothing", "files", "the same bytes"])
def test_workers_make_the_same_tables(run, tmp_path, monkeypatch, lacking):
    (tmp_path / "given").mkdir()
    inputs = written(tmp_path / "given")
    monkeypatch.setattr(tasks.ingest.extract, "READ_BYTES", 1500)
    read_there, seen = tasks.ingest.extract._read_there, []

    def there(read, groups, number):
        if number == 2 and lacking != "nothing":
            place = Path("gone") if lacking == "files" else Path(__file__)
            groups = [[one._replace(file=one.file._replace(place=place)) for one in group] for group in groups]
        seen.append(read_there(read, groups, number))
        return seen[-1]

    monkeypatch.setattr(tasks.ingest.extract, "_read_there", there)
    made = []
    for place in (run, run.model_copy(update={"workspace": tmp_path / "spread"})):
        with nullcontext() if place is run else at_work(OSError, together=1, i1=1):
            tables = extract.fn(place, inputs, None)
        files = [path for table in tables for path in sorted(Path(table.path).glob("[!_]*"))]
        made.append({path.relative_to(place.workspace): path.read_bytes() for path in files})
    assert made[0] == made[1] and len(made[0]) == 3
    assert len(seen) == 4 and seen.count(None) == (lacking != "nothing")
    assert tables.documents.rows > 70 and tables.rejects.rows == 13


def test_what_a_user_must_mend_is_said_once(run, tmp_path, monkeypatch):
    (tmp_path / "given").mkdir()
    inputs = written(tmp_path / "given")
    (tmp_path / "given" / "3.jsonl").write_text('{"doc_id": "x", "body": "no text"}\n')
    monkeypatch.setattr(tasks.ingest.extract, "READ_BYTES", 1)
    with at_work(together=1) as runner, pytest.raises(InputError, match=r"3\.jsonl"):
        extract.fn(run, inputs, None)
    assert runner.fails["tried"].count(3) == 1
