"""The command itself: every kind of bad input has its exit code and its sentence, and good rows beside it live."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner, Result

from flows.cli import app
from tasks.storage.atomic import unfinished
from tests.support import ROOT
from tests.support.runs import table

pytestmark = pytest.mark.flows

PLAIN = ("--set", "gate.canaries=false")
ODD = {
    "one": "x",
    "two": "y",
    "rtl": "שלום עולם، مرحبا بالعالم ١٢٣",
    "cjk": "吾輩は猫である。名前はまだ無い。どこで生れたか頓と見當がつかぬ。",
    "emoji": "👩‍👩‍👧‍👦 ❤️ 🏳️‍🌈",
    "zero-width": "zero\u200bwidth\ufeff and \u00adsoft hyphens",
    "marks": "e\u0301 n\u0303 \u0f40\u0f72",
    "line ends": 'a\r\nb\rc\td\x0b"e"',
    "00042": "An id that looks like a number and must keep its zeros.",
    "astral": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐍈 \U0010fffd",
}
BAD = {
    '{"doc_id": "null", "text": null}': "text is null or missing",
    '{"doc_id": "empty", "text": ""}': "text is empty",
    '{"doc_id": "white", "text": " \\n\\t\\u3000"}': "text has only white space",
    '{"doc_id": "surrogate", "text": "a\\ud800b"}': "lone surrogate",
    '{"doc_id": "latin", "text": "caf\udce9"}': "invalid UTF-8",
    '{"doc_id": "two", "text": "y"}': "duplicate id 'two'",
    '{"doc_id": "broken", "text": ': "broken JSON",
    '{"text": "no id"}': "id is null or missing",
}
"""JSON lines (lone surrogates stand for raw bytes) and the beginning of why they are rejected."""


def write_lines(path: Path, rows: list) -> Path:
    """Write JSON lines; strings go out as they are."""
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))
    return path


def two(tmp_path: Path, **columns: list) -> Path:
    """An input of two short documents, with further columns."""
    path = tmp_path / "two.parquet"
    pl.DataFrame({"text": ["the first of two", "and quite another"]} | columns).write_parquet(path)
    return path


def call(*given: object) -> Result:
    return CliRunner().invoke(app, [str(one) for one in given])


def complaint(result: Result) -> str:
    """The sentence with which the command stopped: the last line on stderr, and no traceback before it."""
    assert "Traceback" not in result.output
    return result.stderr.splitlines()[-1]


@pytest.fixture(scope="module")
def odd(corpus, tmp_path_factory) -> tuple[Path, Result]:
    """Output folder and outcome of a run on odd and bad rows among good ones, in several files."""
    from tests.support.runs import without_prefect

    folder = tmp_path_factory.mktemp("odd")
    texts = corpus.select("doc_id", "text")
    good = [{"doc_id": doc_id, "text": text} for doc_id, text in texts.head(60).iter_rows()]
    write_lines(folder / "a.jsonl", [{"doc_id": key, "text": text} for key, text in ODD.items()] + good + list(BAD))
    whole = "".join(json.dumps({"doc_id": f"gz-{n}", "text": f"{os.urandom(300).hex()}"}) + "\n" for n in range(900))
    packed = gzip.compress(whole.encode())
    (folder / "b.jsonl.gz").write_bytes(packed[: len(packed) // 20])
    texts.tail(20).write_parquet(folder / "c.parquet")
    (folder / "d.parquet").write_bytes((folder / "c.parquet").read_bytes()[:-30])
    (folder / "protected.txt").write_text("cjk\nnobody\n")
    given = ["curate", folder / "a.jsonl", folder / "*.jsonl.gz", folder / "?.parquet", "--out", folder / "out"]
    with without_prefect():
        strict = call(*given, *PLAIN)
        loose = ("--set", "gate.max_broken_files=2")
        result = call(*given, "--protected", folder / "protected.txt", *PLAIN, *loose)
    assert (strict.exit_code, result.exit_code) == (3, 0), result.output
    assert "files_broken is 2, must be = 0 (" in strict.output and "(unreadable from here on" in strict.output
    return folder / "out", result


@pytest.mark.parametrize("line", BAD)
def test_a_bad_row_costs_only_itself_and_is_explained(odd, line):
    rejects = table(odd[0] / "current", "rejects")
    row = 1 + len(ODD) + 60 + list(BAD).index(line)
    [reason] = rejects.filter(pl.col("file").str.ends_with("a.jsonl") & (pl.col("row") == row))["reason"]
    assert reason.startswith(BAD[line])


def test_damaged_files_give_what_can_be_read(odd):
    rejects = table(odd[0] / "current", "rejects").with_columns(pl.col("file").str.split("/").list.last())
    reasons = dict(rejects.select("file", "reason").iter_rows())
    assert "the compressed data ends early" in reasons["b.jsonl.gz"]
    assert reasons["d.parquet"].startswith("unreadable parquet")
    documents = table(odd[0] / "current", "documents")
    [(row,)] = rejects.filter(file="b.jsonl.gz").select("row").iter_rows()
    assert documents.filter(pl.col("doc_id").str.starts_with("gz-")).height == row - 1 > 20


def test_every_row_is_accounted_for(odd):
    out, result = odd
    counts = json.loads((out / "current" / "manifest.json").read_text())["counts"]
    assert counts["input_rows"] == counts["documents"] + counts["rejects"]
    assert counts["rejects"] == len(BAD) + 2 == table(out / "current", "rejects").height
    assert f"{counts['documents']} documents in, {counts['kept']} kept" in result.stdout
    assert f"{counts['rejects']} rows rejected" in result.stdout
    assert str(out / "snapshots") in result.stdout.splitlines()[-1]


@pytest.mark.parametrize("doc_id", ODD)
def test_odd_text_is_published_character_by_character(odd, doc_id):
    documents = table(odd[0] / "current", "documents")
    assert documents.filter(doc_id=doc_id)["text"].to_list() == [ODD[doc_id]]


@pytest.mark.parametrize("doc_id", ODD)
def test_odd_text_can_be_explained_and_restored(odd, doc_id):
    shown = call("explain", doc_id, "--out", odd[0])
    assert (shown.exit_code, "KEPT as it is" in shown.stdout) == (0, True)
    assert call("restore", doc_id, "--out", odd[0]).stdout_bytes.decode() == ODD[doc_id]


def test_listed_ids_that_nobody_has_are_named(odd):
    out, result = odd
    assert json.loads((out / "current" / "manifest.json").read_text())["protected_unknown"] == ["nobody"]
    assert "1 protected ids are not in the input, for example nobody" in result.stderr
    assert table(out / "current", "decisions").filter("protected")["doc_id"].to_list() == ["cjk"]


def test_a_removed_document_is_explained_and_restored(curated, corpus):
    shown = call("explain", "planted-child", "--out", curated)
    assert shown.exit_code == 0
    assert "REMOVED in favour of" in shown.stdout
    [text] = corpus.filter(doc_id="planted-child")["text"]
    assert call("restore", "planted-child", "--out", curated).stdout == text


@pytest.mark.parametrize("command", ["explain", "restore"])
def test_an_unknown_document_is_said_to_be_unknown(curated, command):
    result = call(command, "planted-chld", "--out", curated)
    assert result.exit_code == 2
    assert "no document 'planted-chld'" in complaint(result)
    assert "planted-child" in complaint(result)
    result = call(command, "x", "--out", curated / "nowhere")
    assert result.exit_code == 2
    assert "nothing is published" in complaint(result)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.jsonl", b"", "no usable document in the input (it is empty)"),
        ("empty.csv", b"", "no usable document in the input (it is empty)"),
        ("header.csv", b"text\n", "no usable document in the input (it is empty)"),
        ("empty.parquet", b"", "unreadable parquet"),
        ("white.jsonl", b'{"text": "  "}\n{"text": null}\n', "text has only white space"),
        ("latin.txt", b"caf\xe9", "text: invalid UTF-8"),
        ("broken.jsonl.gz", b"\x1f\x8b\x08\x00broken", "unreadable"),
        ("columns.jsonl", b'{"body": "a", "url": "u"}\n', "no column 'text'; its columns are: body, url"),
        ("what.docx", b"x", "extension that is not read"),
        ("missing", None, "does not exist"),
    ],
)
def test_input_without_a_usable_document_is_refused(plain, tmp_path, name, content, said):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    result = call("curate", tmp_path / name, "--out", tmp_path / "out", *PLAIN)
    assert result.exit_code == 2
    assert said in complaint(result)
    assert not (tmp_path / "out" / "current").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--text-column", "body"], "no column 'body'; its columns are: text, key"),
        (["--id-column", "doc_id"], "no column 'doc_id'; its columns are: text, key"),
        (["--source-column", "site"], "no column 'site'; its columns are: text, key"),
        (["--set", "verify.tau_b"], "expected section.key=value"),
        (["--set", "jury.model=x"], "no section 'jury'; known: extract, prescreen"),
        (["--set", "verify.tau=1"], "no key 'tau' in verify; known: decider, sure_duplicate"),
        (["--set", "verify.tau_b=high"], "verify.tau_b: Input should be a valid number"),
        (["--set", "verify.tau_b=2"], "verify.tau_b: Input should be less than or equal to 1"),
        (
            ["--set", "cascade.routing=both"],
            "cascade.routing: Input should be 'union', 'cascade', 'semantic' or 'lexical'",
        ),
        (["--memory-limit", "lots"], "'lots' is no amount of memory: say for example 4GB"),
        (["--memory-limit", "1MB"], "1MB is too little: the least that a run can work with is 200MB"),
        (["--threads", "0"], "'--threads'"),
        (["--protected", "nowhere.txt"], "nowhere.txt"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_arguments_that_cannot_be_used_are_named(plain, tmp_path, given, said):
    path = two(tmp_path, key=[1, 2])
    result = call("curate", path, "--out", tmp_path / "out", *PLAIN, *given)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("│", " ").split())
    assert "Traceback" not in result.output
    assert not (tmp_path / "out" / "current").exists()


def test_a_protected_list_of_unknown_ids_only_stops_the_run(plain, tmp_path):
    path = two(tmp_path, doc_id=["a", "b"])
    (tmp_path / "protected.txt").write_text("c\nd\n")
    result = call("curate", path, "--out", tmp_path / "out", "--protected", tmp_path / "protected.txt", *PLAIN)
    assert result.exit_code == 2
    assert complaint(result).endswith("none of the 2 protected ids occurs in the input, for example 'c'")
    assert not (tmp_path / "out" / "current").exists()


def test_whole_numbers_as_ids_stay_whole_numbers(plain, tmp_path):
    path = two(tmp_path, number=pl.Series([20, 10], dtype=pl.UInt16), n=[1.5, None])
    (tmp_path / "protected.csv").write_text("doc_id\n10\n")
    given = ["--id-column", "number", "--protected", tmp_path / "protected.csv", *PLAIN]
    result = call("curate", path, "--out", tmp_path / "out", *given)
    assert result.exit_code == 0, result.output
    documents = table(tmp_path / "out" / "current", "documents")
    assert documents.schema["number"] == pl.UInt16
    assert sorted(documents.select("number", "text", "n").rows()) == [
        (10, "and quite another", None),
        (20, "the first of two", 1.5),
    ]
    assert "doc_id" not in documents.columns
    decisions = table(tmp_path / "out" / "current", "decisions").select("doc_id", "protected").rows()
    assert sorted(decisions) == [("10", True), ("20", False)]
    assert call("restore", "10", "--out", tmp_path / "out").stdout == "and quite another"


def test_a_folder_of_texts_is_named_by_its_files(plain, tmp_path):
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "in" / "a.txt").write_text("the first of two")
    (tmp_path / "in" / "sub" / "b.txt").write_text("and quite another")
    assert call("curate", tmp_path / "in", "--out", tmp_path / "out", *PLAIN).exit_code == 0
    documents = table(tmp_path / "out" / "current", "documents")
    assert dict(documents.select("doc_id", "text").iter_rows()) == {
        "a.txt": "the first of two",
        "sub/b.txt": "and quite another",
    }


def test_too_many_rejects_are_refused_by_the_gate(plain, tmp_path):
    rows = [{"doc_id": "a", "text": "some text"}, {"doc_id": "b", "text": "other words"}, *list(BAD)[:3]]
    result = call("curate", write_lines(tmp_path / "a.jsonl", rows), "--out", tmp_path / "out", *PLAIN)
    assert result.exit_code == 3
    assert "the gate refused snapshot" in complaint(result)
    assert "reject" in complaint(result)
    assert list((tmp_path / "out").glob("refused/*/report.html"))
    assert not (tmp_path / "out" / "current").exists()


def test_a_run_that_fails_leaves_nothing_unfinished(plain, tmp_path):
    path = write_lines(tmp_path / "a.jsonl", [{"doc_id": "a", "text": None}])
    assert call("curate", path, "--out", tmp_path / "out", *PLAIN).exit_code == 2
    assert unfinished(tmp_path / "out" / "workspace") == unfinished(tmp_path / "out") == []


def test_a_dry_run_says_that_it_was_one(plain, tmp_path):
    result = call("curate", two(tmp_path), "--out", tmp_path / "out", "--dry-run", *PLAIN)
    assert (result.exit_code, result.stdout.splitlines()[0][:16]) == (0, "dry run passed: ")
    assert not (tmp_path / "out" / "current").exists()


def test_output_folder_and_workspace_may_be_the_same(plain, tmp_path):
    given = ["curate", two(tmp_path), "--out", tmp_path / "out", "--workspace", tmp_path / "out", *PLAIN]
    assert call(*given).exit_code == 0
    assert call(*given).exit_code == 0


def test_a_second_run_into_a_folder_in_use_stops(plain, tmp_path):
    from tasks.snapshots.locks import writing

    with writing(tmp_path / "out", role="output"):
        result = call("curate", two(tmp_path), "--out", tmp_path / "out", *PLAIN)
    assert result.exit_code == 2
    assert "another run is writing to the output folder" in complaint(result)


def test_a_read_only_output_folder_is_named(plain, tmp_path):
    (tmp_path / "file").write_text("")
    result = call("curate", two(tmp_path), "--out", tmp_path / "file" / "out", *PLAIN)
    assert result.exit_code == 2
    assert f"cannot write to the output folder {tmp_path / 'file' / 'out'}" in complaint(result)


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert call("--version").stdout == f"semhash-llm {version('semhash-llm')}\n"


HELP = {
    (): ["Deduplicate", "Exit codes: 0 published", "curate", "demo", "explain", "restore", "benchmark"],
    ("curate",): ["jsonl, parquet", "--out", "--protected", "must be kept", "--set", "SECTION.KEY=VALUE", "--dry-run"],
    ("plan",): ["CORPUS", "--machines", "--price-hour", "before it is done", "no machine more makes shorter", "--out"],
    ("demo",): ["--all", "licence texts"],
    ("explain",): ["DOC_ID", "what happened"],
    ("restore",): ["DOC_ID", "original text"],
    ("benchmark",): ["labelled", "truth", "--out"],
}


@pytest.mark.parametrize("command", HELP)
def test_help_teaches(command):
    result = call(*command, "--help")
    assert result.exit_code == 0
    shown = " ".join(result.stdout.replace("│", " ").split())
    assert [word for word in HELP[command] if word not in shown] == []


def test_help_has_groups_and_whole_lines():
    shown = CliRunner(env={"COLUMNS": "110"}).invoke(app, ["refresh", "--help"]).stdout.splitlines()
    first = next(number for number, line in enumerate(shown) if "Costs follow what is new" in line)
    assert min(len(line.strip()) for line in shown[first : first + 3]) > 80, "a docstring's lines are no terminal's"
    listed = call("--help").stdout
    assert listed.index("Make snapshots") < listed.index("Ask about documents") < listed.index("Learn and measure")


def test_the_command_as_installed(tmp_path):
    """The console script and the Prefect flow behind it, in a process of their own."""
    script = Path(sys.executable).with_name("semhash-llm")
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    given = [str(script), "curate", str(empty), "--out", str(tmp_path / "out")]
    settings = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_LOGGING")}
    result = subprocess.run(given, capture_output=True, text=True, check=False, timeout=120, env=settings)
    assert result.returncode == 2
    assert result.stderr.splitlines()[-1] == "semhash-llm: no usable document in the input (it is empty)"
    assert "Traceback" not in result.stderr


def test_a_quiet_run_says_only_what_came_of_it_and_as_json_if_asked(plain, tmp_path, monkeypatch):
    monkeypatch.setattr("tasks.runtime.progress._shown", True)  # what -q sets in this process ends with the test
    given = ["curate", two(tmp_path), "--out", tmp_path / "out", *PLAIN]
    quiet = call(*given, "-q")
    assert quiet.stderr == "" and quiet.stdout.startswith("published: 2 documents in, 2 kept")
    told = json.loads(call(*given, "--json", "--quiet").stdout)
    assert (told["outcome"], told["counts"]["kept"]) == ("published", 2)
    assert Path(told["report"]).exists()
    [listed] = json.loads(call("snapshots", "--out", tmp_path / "out", "--json").stdout)
    assert (listed["name"], listed["kept"], listed["is_current"]) == (told["snapshot"], 2, True)
    missing = call("curate", tmp_path / "nothing.jsonl", "--out", tmp_path / "out", "--json")
    assert missing.exit_code == 2
    failed = json.loads(missing.stdout)
    assert failed["outcome"] == "failed" and "nothing.jsonl" in failed["reason"]


def test_a_text_is_restored_on_a_terminal_that_knows_only_ascii(odd):
    given = [sys.executable, "-m", "flows", "restore", "cjk", "--out", str(odd[0])]
    settings = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(given, capture_output=True, check=False, env=settings)
    assert (done.returncode, done.stdout.decode()) == (0, ODD["cjk"]), done.stderr
    asked = subprocess.run([*given[:3], "explain", *given[4:]], capture_output=True, check=False, env=settings)
    assert asked.returncode == 0 and asked.stdout.isascii(), asked.stderr
