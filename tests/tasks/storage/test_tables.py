"""Tables that are named after what made them: reused when whole, made again when not, never seen half-written."""

import json
import multiprocessing
import os
import signal
from pathlib import Path

import polars as pl
import pytest

from models.parameters import Prescreen, Sketch
from tasks.pipeline.registry import COLLAPSE
from tasks.quality.enforce_contracts import RECORD, hold, verdicts
from tasks.remote.object_mirror import DONE
from tasks.runtime.errors import ContractError
from tasks.runtime.run import Run
from tasks.storage.atomic import atomic_path
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about, parts, scan
from tests.support.made_up import made_up

ROWS = pl.DataFrame({"doc": range(10)})


@pytest.fixture
def run(tmp_path):
    return Run(workspace=tmp_path, token="first")


def source(fingerprint):
    return TableRef(name="documents", path="anywhere", rows=1, fingerprint=fingerprint)


def make(run, cut=(4, 3, 3), name="copies", **recipe):
    """A table of ten rows in three parts; returns the reference and the indices that had to be written."""
    with Stage(run, made_up(name), [], **recipe) as stage:
        written = []
        if not stage.finished:
            for index in stage.missing(len(cut)):
                stage.write(index, ROWS.slice(sum(cut[:index]), cut[index]))
                written.append(index)
            stage.counts = {"documents_in": 10}
            stage.facts = {"made": True}
    return stage.ref, written


def test_the_name_follows_from_all_that_makes_the_table(run):
    def named(name="copies", inputs=(), sections=(), **recipe):
        return Stage(run, made_up(name), [source(one) for one in inputs], *sections, **recipe).path

    variants = [
        named(),
        named(name="other"),
        named(inputs=["x"]),
        named(inputs=["y"]),
        named(inputs=["x", "y"]),
        named(inputs=["y", "x"]),
        named(sections=[Prescreen()]),
        named(sections=[Prescreen(hashes=5)]),
        named(sections=[Prescreen(), Sketch()]),
        named(extra="encoder 1"),
        named(extra="encoder 2"),
    ]
    assert len(set(variants)) == len(variants)
    assert named(inputs=["x"], sections=[Prescreen()], extra=[1]) == named(
        inputs=["x"], sections=[Prescreen(hashes=7)], extra=[1]
    )
    assert not any(path.exists() for path in variants), "naming touches no disk"


def test_other_source_is_another_table(run, monkeypatch):
    before = Stage(run, made_up("copies"), []).path
    monkeypatch.setattr("tasks.storage.stage.version", lambda *_: "next")
    assert Stage(run, made_up("copies"), []).path != before


def test_threads_and_limits_do_not_name_a_table(run):
    other = run.model_copy(update={"threads": 7, "memory_limit": "9GB", "token": "second"})
    assert Stage(run, made_up("copies"), []).path == Stage(other, made_up("copies"), []).path


def test_a_sealed_table_is_whole_and_not_made_again(run):
    ref, written = make(run)
    assert written == [0, 1, 2] and ref.rows == 10
    assert scan(ref).collect().equals(ROWS)
    record = about(ref)
    assert (record["rows"], record["counts"], record["facts"]) == (10, {"documents_in": 10}, {"made": True})
    assert record["token"] == "first" and record["seconds"] >= 0 and record["peak_memory_mb"] > 0
    stamps = {path: path.stat().st_mtime_ns for path in Path(ref.path).iterdir()}
    again, written = make(run.model_copy(update={"token": "second"}))
    assert again == ref and written == []
    assert stamps == {path: path.stat().st_mtime_ns for path in Path(ref.path).iterdir()}


def test_a_body_that_fails_seals_nothing_and_the_next_run_goes_on(run):
    with pytest.raises(ZeroDivisionError), Stage(run, made_up("copies"), []) as stage:
        stage.write(0, ROWS.head(4))
        raise ZeroDivisionError
    assert not (stage.path / DONE).exists()
    kept = stage.part(0).stat().st_mtime_ns
    ref, written = make(run)
    assert written == [1, 2] and stage.part(0).stat().st_mtime_ns == kept
    assert scan(ref).collect().equals(ROWS)


@pytest.mark.parametrize("damage", [lambda part: part.unlink(), lambda part: part.write_bytes(b"PAR1")])
def test_a_vanished_or_shortened_part_is_made_again(run, damage):
    ref, _ = make(run)
    damage(parts(ref)[1])
    again, written = make(run)
    assert again == ref and written == [1]
    assert scan(ref).collect().equals(ROWS)


def test_a_vanished_companion_file_opens_the_table_again(run):
    """Frequency tables stand beside the parts of their stage."""

    def companion():
        with Stage(run, made_up("frequencies"), []) as stage:
            finished = stage.finished
            if not finished:
                stage.write(0, ROWS)
                with atomic_path(stage.path / "words.npy") as temporary:
                    temporary.write_bytes(b"counts")
        return stage, finished

    assert companion()[1] is False
    stage, finished = companion()
    assert finished and stage.ref.rows == 10
    (stage.path / "words.npy").unlink()
    stage, finished = companion()
    assert not finished and (stage.path / "words.npy").read_bytes() == b"counts"


def test_parts_of_a_run_cut_otherwise_do_not_stay(run):
    """A stage that starts over writes fewer parts than the interrupted run did: the rows must not come twice."""
    with pytest.raises(ZeroDivisionError), Stage(run, made_up("copies"), []) as stage:
        for index in range(5):
            stage.write(index, ROWS.slice(2 * index, 2))
        raise ZeroDivisionError
    with Stage(run, made_up("copies"), []) as stage:
        stage.write(0, ROWS.head(6))
        stage.write(1, ROWS.tail(4))
    assert stage.ref.rows == 10 and scan(stage.ref).collect().equals(ROWS)


def test_leftovers_of_a_killed_run_are_cleaned(run):
    ref, _ = make(run)
    leftovers = [Path(ref.path) / name for name in (".part-00001.parquet.77.tmp", ".supposed.parquet.tmp")]
    for leftover in leftovers:
        leftover.write_bytes(b"half")
    make(run)
    assert not any(leftover.exists() for leftover in leftovers)


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "deep" / "file"
    with atomic_path(path) as temporary:
        temporary.write_text("old")
        assert not path.exists(), "nothing is visible before the end"
    with pytest.raises(ZeroDivisionError), atomic_path(path) as temporary:
        temporary.write_text("new, but only h")
        raise ZeroDivisionError
    assert path.read_text() == "old" and list(path.parent.iterdir()) == [path]


def write_and_die(run):
    """Die between writing a part and renaming it."""
    with Stage(run, made_up("copies"), []) as stage:
        Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        stage.write(0, ROWS)


def test_a_process_killed_before_the_rename_shows_nothing(run):
    process = multiprocessing.get_context("spawn").Process(target=write_and_die, args=(run,))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    folder = Stage(run, made_up("copies"), []).path
    left = list(folder.iterdir())
    assert [path.suffix for path in left] == [".tmp"], "it died after writing and before the rename"
    ref, written = make(run)
    assert written == [0, 1, 2] and not left[0].exists()
    assert scan(ref).collect().equals(ROWS)


def test_a_table_made_again_is_judged_again(run):
    good = pl.DataFrame({"doc": [1], "copy_of": [0]})
    with Stage(run, made_up("documents"), []) as documents:
        documents.write(
            0,
            pl.DataFrame(
                {"doc": [0, 1], "text_hash": "h", "canary": [None, None]}, schema_overrides={"canary": pl.String}
            ),
        )

    def judged():
        with Stage(run, made_up("copies"), []) as stage:
            if not stage.finished:
                stage.write(0, good)
        hold(run, COLLAPSE, copies=stage.ref, documents=documents.ref)
        return stage.path / RECORD

    record = judged()
    held = [one["expectation_config"]["kwargs"].get("column") for one in json.loads(record.read_text())["results"]]
    assert "copies_chained" in held
    stamp = record.stat().st_mtime_ns
    assert judged().stat().st_mtime_ns == stamp, "a verdict stands as long as its table"
    (record.parent / "part-00000.parquet").unlink()
    assert judged().stat().st_mtime_ns != stamp


def test_a_broken_table_is_refused(run):
    with Stage(run, made_up("documents"), []) as documents:
        documents.write(0, pl.DataFrame({"doc": [0], "text_hash": "h", "canary": pl.Series([None], dtype=pl.String)}))
    with Stage(run, made_up("copies"), []) as copies:
        copies.write(0, pl.DataFrame({"doc": [0, 0], "copy_of": [0, 0]}))
    with pytest.raises(ContractError, match="copies_repeated = 1"):
        hold(run, COLLAPSE, copies=copies.ref, documents=documents.ref)
    assert not (copies.path / RECORD).exists(), "the next run must validate it again"


def test_verdicts_are_kept_beside_their_tables(run):
    with Stage(run, made_up("documents"), []) as documents:
        documents.write(
            0, pl.DataFrame({"doc": [0, 1], "text_hash": "h", "canary": pl.Series([None, None], dtype=pl.String)})
        )
    with Stage(run, made_up("copies"), []) as copies:
        copies.write(0, pl.DataFrame({"doc": [1], "copy_of": [0]}))
    assert verdicts([documents.ref, copies.ref]) == []
    hold(run, COLLAPSE, copies=copies.ref, documents=documents.ref)
    (kept,) = verdicts([documents.ref, copies.ref, copies.ref])
    assert kept.passed and kept.suite == "copies"


def test_an_empty_table_keeps_its_columns(run):
    with Stage(run, made_up("copies"), []) as stage:
        stage.write(0, ROWS.clear())
    assert stage.ref.rows == 0 and scan(stage.ref).collect().schema == ROWS.schema
