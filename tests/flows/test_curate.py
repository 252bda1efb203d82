"""The whole flow on real text: what is published, when it is not, and that nothing but the input decides."""

import hashlib
import json
import os
import re
import subprocess
from pathlib import Path

import duckdb
import polars as pl
import pytest
from typer.testing import CliRunner

import flows.curate
import sql
from tasks.pipeline.registry import JUDGE, STAGES
from tasks.publish.gate import gate
from tasks.runtime.errors import BusyError, GateError, InputError
from tasks.snapshots.locks import writing
from tests.support.runs import SETTINGS, contents, curate, table

pytestmark = pytest.mark.flows

TABLES = {
    "conservation",
    "lost_passages",
    "documents",
    "decisions",
    "fragments",
    "fragment_spans",
    "stage_metrics",
    "rejects",
    "rewrites",
    "verified",
}


def _mount(folder: Path, size: str) -> str:
    """Give a folder a disk of its own of that size, or change its size; returns why that was not possible."""
    how = "remount," if os.path.ismount(folder) else ""
    given = ["mount", "-t", "tmpfs", "-o", f"{how}size={size}", "tmpfs", str(folder)]
    try:
        return subprocess.run(given, capture_output=True, text=True, check=False).stderr
    except OSError as error:
        return str(error)


@pytest.fixture
def small_disk(tmp_path):
    (tmp_path / "disk").mkdir()
    if why := _mount(tmp_path / "disk", "128k"):
        pytest.skip(f"a disk of its own cannot be mounted here: {why}")
    yield tmp_path / "disk"
    subprocess.run(["umount", "--lazy", str(tmp_path / "disk")], check=True)  # DuckDB keeps what it failed to write


@pytest.fixture
def small() -> dict[str, list]:
    """Two documents with columns around the text, one of them named as a column that the workflow uses."""
    bodies = ["The ferry leaves at dawn and comes back at dusk.", "Nobody has ever counted the steps of that tower."]
    return {"note": ["first", "second"], "body": bodies, "doc": [70, 80]}


@pytest.fixture(scope="session")
def snapshot(curated) -> Path:
    return (curated / "current").resolve()


def test_the_published_snapshot_is_whole(curated, snapshot):
    assert (curated / "current").readlink() == Path("snapshots") / snapshot.name
    assert {path.name for path in snapshot.iterdir()} == TABLES | {
        "files.json",
        "manifest.json",
        "report.html",
        "validation.json",
        "data_docs.html",
        "catalog.duckdb",
        "index",
    }
    assert [path.name for path in (curated / "snapshots").iterdir()] == [snapshot.name]
    assert not list(curated.rglob("*.tmp"))
    report = (snapshot / "report.html").read_text()
    assert snapshot.name in report
    assert not re.search(r"""(src|href)=["']?https?://""", report)
    with duckdb.connect(snapshot / "catalog.duckdb", read_only=True, config={"file_search_path": str(snapshot)}) as con:
        for name in TABLES:
            [(rows,)] = con.sql(f"from {name} select count(*)").fetchall()
            assert rows == table(snapshot, name).height


def test_the_manifest_says_how_the_snapshot_came_about(corpus, curated, snapshot):
    made = json.loads((snapshot / "manifest.json").read_text())
    decisions = table(snapshot, "decisions")
    counted = dict(decisions.group_by("action").len().iter_rows())
    assert made["snapshot"] == snapshot.name
    assert made["counts"] == {
        "input_rows": corpus.height,
        "documents": corpus.height,
        "rejects": 0,
        "kept": corpus.height - counted["remove"],
        "edited": counted.get("edit", 0),
        "removed": counted["remove"],
        "deleted": 0,
    }
    [given] = made["inputs"]
    assert given["bytes"] == Path(given["path"]).stat().st_size
    assert all(check["passed"] for check in made["gate"] if check["severity"] == "critical")
    assert all(check["passed"] for check in made["contracts"])
    assert made["parameters"]["extract"]["id_column"] == "doc_id"
    assert made["workspace"] == str(curated / "workspace")
    assert all(Path(path).is_dir() for path in made["tables"].values())


def test_every_document_has_one_fate_and_what_is_kept_is_untouched(corpus, snapshot):
    decisions = table(snapshot, "decisions")
    assert decisions["doc_id"].to_list() == sorted(corpus["doc_id"])
    gone = decisions.filter(action="remove")
    assert set(gone["survivor_id"]) <= set(decisions.filter(pl.col("action") != "remove")["doc_id"])
    documents = table(snapshot, "documents")
    assert documents.columns == corpus.columns
    kept = corpus.join(decisions.filter(action="keep"), on="doc_id", how="semi").sort("doc_id")
    assert documents.join(kept, on="doc_id", how="semi").sort("doc_id").select(kept.columns).equals(kept)
    assert set(documents["doc_id"]) == set(corpus["doc_id"]) - set(gone["doc_id"])


def test_the_planted_documents_fare_as_they_must(snapshot):
    fates = {row["doc_id"]: row for row in table(snapshot, "decisions").iter_rows(named=True)}
    exact = {row["doc_id"] for row in fates.values() if row["type"] == "exact"}
    assert {"planted-copy", "planted-upper"} <= exact
    assert fates["planted-copy"]["survivor_id"] == fates["planted-upper"]["survivor_id"]
    assert fates["planted-child"]["action"] == "remove"
    assert fates["planted-child"]["containment"] > 0.9
    assert fates["planted-fee-200"]["action"] == fates["planted-fee-900"]["action"] == "keep"


def test_cut_passages_put_back_give_the_original(corpus, snapshot):
    from models.lexical.text.spans import restore

    original = dict(corpus.select("doc_id", "text").iter_rows())
    published = dict(table(snapshot, "documents").select("doc_id", "text").iter_rows())
    cuts = table(snapshot, "fragment_spans").filter("cut").sort("doc_id", "start")
    edited = table(snapshot, "decisions").filter(action="edit")
    assert set(edited["doc_id"]) == set(cuts["doc_id"])
    for (doc_id,), spans in cuts.group_by("doc_id"):
        assert restore(published[doc_id], spans.select("start", "text").rows()) == original[doc_id]
        assert published[doc_id] != original[doc_id]


def test_stage_metrics_count_what_went_in_and_out(corpus, snapshot):
    metrics = table(snapshot, "stage_metrics").sort("position")
    assert metrics["stage"].to_list() == [row.name for row in STAGES if row != JUDGE]
    assert not metrics["reused"].any()
    assert metrics["documents_in"][0] == metrics["documents_out"][0] == corpus.height
    assert (metrics["seconds"] >= 0).all()
    assert metrics["pass_rate"].drop_nulls().is_between(0, 1).all()


def test_a_second_run_does_nothing_and_says_so(curated, snapshot, capfd):
    before = {
        path: path.stat().st_mtime_ns
        for path in curated.rglob("*")
        if path.is_file() and not path.name.endswith(".lock")
    }
    assert curate([curated.parent / "corpus.parquet"], curated, SETTINGS) == snapshot
    lines = [line for line in capfd.readouterr().err.splitlines() if ": " in line and "great_expectations" not in line]
    assert lines.pop(0) == "ids: column 'doc_id'"
    assert len(lines) == len(STAGES) - 1
    assert {line.partition(": ")[2] for line in lines} == {"finished earlier, not repeated"}
    assert before == {path: path.stat().st_mtime_ns for path in before}


def _split(corpus: pl.DataFrame, folder: Path) -> list[Path]:
    """The same rows in another order, in three files of three formats in two folders."""
    shuffled = corpus.sample(fraction=1, shuffle=True, seed=7)
    folder.mkdir(parents=True)
    (folder / "sub").mkdir()
    third = corpus.height // 3
    shuffled[:third].write_ndjson(folder / "z.jsonl.gz", compression="gzip")
    shuffled[third : 2 * third].write_parquet(folder / "sub" / "a.parquet")
    shuffled[2 * third :].write_csv(folder / "m.csv", quote_style="always")
    return [folder / "sub", folder / "z.jsonl.gz", folder / "m.csv"]


@pytest.mark.parametrize(("threads", "part_rows"), [(1, 4096), (3, 64)])
def test_order_files_formats_threads_and_parts_decide_nothing(corpus, snapshot, tmp_path, threads, part_rows):
    inputs = _split(corpus, tmp_path / "in")
    made = curate(inputs, tmp_path / "out", (f"extract.part_rows={part_rows}",), threads=threads)
    assert contents(made, "decisions") == contents(snapshot, "decisions")
    assert contents(made, "fragment_spans") == contents(snapshot, "fragment_spans")
    assert table(made, "documents").equals(table(snapshot, "documents"))
    assert contents(made, "documents") == contents(snapshot, "documents")


def test_ids_from_content_do_not_depend_on_files_either(corpus, tmp_path):
    texts = corpus.select("text").head(40)
    texts.write_parquet(tmp_path / "a.parquet")
    (tmp_path / "two").mkdir()
    texts[20:].write_csv(tmp_path / "two" / "b.csv", quote_style="always")
    texts[:20].write_ndjson(tmp_path / "two" / "c.jsonl")
    whole = curate([tmp_path / "a.parquet"], tmp_path / "out")
    split = curate([tmp_path / "two"], tmp_path / "other")
    assert table(whole, "documents").columns == ["doc_id", "text"]
    for name in ("decisions", "documents"):
        assert contents(split, name) == contents(whole, name)


def test_columns_keep_their_order_and_an_id_that_was_derived_comes_before_them(tmp_path, small):
    assert list(small) == ["note", "body", "doc"]
    pl.DataFrame(small).write_parquet(tmp_path / "a.parquet")
    derived = table(curate([tmp_path / "a.parquet"], tmp_path / "out", ("extract.text_column=body",)), "documents")
    assert derived.columns == ["doc_id", *small]
    assert derived.select(list(small)).sort("doc").equals(pl.DataFrame(small))
    settings = ("extract.text_column=body", "extract.id_column=doc")
    given = table(curate([tmp_path / "a.parquet"], tmp_path / "out", settings), "documents")
    assert given.equals(pl.DataFrame(small))


def test_the_manifest_names_what_was_read_even_if_the_file_changes_meanwhile(tmp_path, small, monkeypatch):
    path = tmp_path / "a.parquet"
    pl.DataFrame(small).write_parquet(path)
    read = {"path": str(path), "bytes": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}

    def changed_before_the_gate(*given):
        path.write_bytes(b"something else")
        return gate.fn(*given)

    monkeypatch.setattr(flows.curate, "gate", changed_before_the_gate)
    made = curate([path], tmp_path / "out", ("extract.text_column=body",))
    assert path.read_bytes() == b"something else"
    assert json.loads((made / "manifest.json").read_text())["inputs"] == [read]


def test_under_prefect_the_result_is_the_same_and_artifacts_are_left(corpus, curated, snapshot, tmp_path, client):
    from flows.curate import Corpus
    from flows.curate import curate as flow
    from models.parameters import Parameters

    parameters = Parameters().with_settings([*SETTINGS, "gate.canaries=false"])
    given = {"inputs": [str(curated.parent / "corpus.parquet")], "out": tmp_path / "out"}
    made = Path(flow(Corpus(**given, workspace=curated / "workspace", parameters=parameters)))
    [run] = client.read_flow_runs()
    keys = {one.key for one in client.read_artifacts()}
    assert (run.state_name, run.name) == ("Completed", "curate-out")
    assert keys >= {"stage-pass-rates", "curation-report", "publish-gate"}
    assert contents(made, "decisions") == contents(snapshot, "decisions")
    assert table(made, "stage_metrics")["reused"].all()


@pytest.fixture
def protected_copies(tmp_path) -> list[Path]:
    """Two protected documents that are copies of each other, among others."""
    text = "This text stands here twice, and both of its copies are on the list of those that must be kept. " * 3
    rows = {"a-copy": text, "b-copy": text.upper(), "other": "Something else that has nothing to do with copies."}
    pl.DataFrame({"doc_id": list(rows), "text": list(rows.values())}).write_parquet(tmp_path / "in.parquet")
    (tmp_path / "protected.txt").write_text("a-copy\nb-copy\n")
    return [tmp_path / "in.parquet"]


def test_the_gate_refuses_to_lose_a_protected_document(protected_copies, tmp_path, monkeypatch):
    """Nothing that is known can; here the method forgets who is protected."""
    out, protected = tmp_path / "out", str(tmp_path / "protected.txt")
    first = curate(protected_copies, out)
    read = sql.read
    monkeypatch.setattr(sql, "read", lambda name: read(name).replace("and not published and not protected", ""))
    with pytest.raises(GateError, match="protected") as refused:
        curate(protected_copies, out, protected=protected)
    assert (out / "current").resolve() == first
    assert [path.name for path in (out / "snapshots").iterdir()] == [first.name]
    [aside] = (out / "refused").iterdir()
    assert str(aside / "report.html") in str(refused.value)
    report = (aside / "report.html").read_text()
    shown = " ".join(re.sub("<[^>]+>", " ", report).split())
    assert re.search(
        "Protected documents that would be removed.*b-copy — protected, would go.*a-copy — would stay", shown
    )
    failed = [check for check in json.loads((aside / "manifest.json").read_text())["gate"] if not check["passed"]]
    assert failed
    with pytest.raises(GateError):
        curate(protected_copies, out, protected=protected)


def _suite(path: Path, *expectations: dict) -> str:
    path.write_text(json.dumps({"name": "house rules", "expectations": list(expectations)}))
    return str(path)


def test_a_suite_of_the_user_joins_the_gate(protected_copies, tmp_path):
    out = tmp_path / "out"
    unique = {"type": "expect_column_values_to_be_unique", "kwargs": {"column": "doc_id"}}
    kept = {"type": "expect_column_values_to_be_in_set", "kwargs": {"column": "action", "value_set": ["keep"]}}
    good, bad = _suite(tmp_path / "good.json", unique), _suite(tmp_path / "bad.json", kept)
    with pytest.raises(InputError, match=r"--expectations .*nowhere.json: .*No such file"):
        curate(protected_copies, out, expectations=["nowhere.json"])
    assert not list((out / "workspace").glob("tables/*")), "it is read before anything is done"
    first = curate(protected_copies, out)
    second = curate(protected_copies, out, expectations=[good])
    assert second != first, "a snapshot says what it was held to"
    named = {check["check"]: check["passed"] for check in json.loads((second / "manifest.json").read_text())["gate"]}
    assert named["house rules: doc_id"]
    suites = [result["suite_name"] for result in json.loads((second / "validation.json").read_text())]
    assert suites[:3] == ["snapshot", "house rules", "documents"] and "decisions" in suites
    assert "house rules" in (second / "data_docs.html").read_text()
    with pytest.raises(GateError, match="house rules: action is 1, must be expect_column_values_to_be_in_set"):
        curate(protected_copies, out, expectations=[good, f"decisions={bad}"])
    assert (out / "current").resolve() == second
    [aside] = (out / "refused").iterdir()
    assert "house rules: action" in (aside / "report.html").read_text()


def test_one_protected_copy_is_the_one_that_stays(protected_copies, tmp_path):
    (tmp_path / "protected.txt").write_text("b-copy\n")
    made = curate(protected_copies, tmp_path / "out", protected=str(tmp_path / "protected.txt"))
    fates = dict(table(made, "decisions").select("doc_id", "action").iter_rows())
    assert fates == {"a-copy": "remove", "b-copy": "keep", "other": "keep"}


def test_a_dry_run_publishes_nothing(protected_copies, tmp_path):
    out = tmp_path / "out"
    shown = curate(protected_copies, out, dry_run=True)
    assert shown.parent == out / "dry-run"
    assert (shown / "report.html").exists()
    assert not (shown / "documents").exists()
    assert not (out / "current").exists()
    assert not list((out / "snapshots").glob("[!.]*"))
    published = curate(protected_copies, out)
    assert (out / "current").resolve() == published
    assert curate(protected_copies, out, dry_run=True) == published


@pytest.mark.parametrize(("held", "role"), [("out", "output"), ("out/workspace", "workspace")])
def test_the_second_of_two_runs_into_one_folder_stops(protected_copies, tmp_path, held, role):
    with writing(tmp_path / held, role=role), pytest.raises(BusyError, match="another run is writing"):
        curate(protected_copies, tmp_path / "out")
    assert not (tmp_path / "out" / "current").exists()
    curate(protected_copies, tmp_path / "out")


def test_a_folder_that_cannot_be_written_is_named(protected_copies, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"cannot write to the output folder .*file/out"):
        curate(protected_copies, tmp_path / "file" / "out")


def _readable(folder: Path) -> None:
    for path in folder.rglob("*.parquet"):
        assert path.name.startswith(".") or pl.read_parquet(path) is not None


def test_a_full_disk_is_named_and_a_run_with_room_goes_on(curated, snapshot, small_disk, plain):
    """The disk fills up in one stage after another: extract, count, embed, verify, publish, report …"""
    from flows.cli import app

    given = ["curate", str(curated.parent / "corpus.parquet"), "--out", str(small_disk / "out")]
    given += ["--set", SETTINGS[0], "--set", "gate.canaries=false"]
    full = 0
    for size in range(128, 8192, 128):
        result = CliRunner().invoke(app, given)
        if result.exit_code == 0:
            break
        full += 1
        assert (result.exit_code, result.stderr.splitlines()[-1][:40]) == (
            1,
            "semhash-llm: no space left on the disk; ",
        )
        assert not (small_disk / "out" / "current").exists()
        assert not list((small_disk / "out").glob("snapshots/[!.]*"))
        _readable(small_disk / "out" / "workspace" / "tables")
        assert not _mount(small_disk, f"{size + 128}k")
    assert full > 4
    made = (small_disk / "out" / "current").resolve()
    assert contents(made, "decisions") == contents(snapshot, "decisions")
    assert not list(small_disk.rglob("*.tmp"))
