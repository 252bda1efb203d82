"""People decide about pairs: on the terminal and in a spreadsheet, with every way to get it wrong."""

import csv
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from typer.testing import CliRunner

from flows.cli import app
from tasks.explain import explain
from tasks.review import session as review
from tasks.review import store as reviews
from tasks.review.csv_sheet import HEAD, Filled, inert, read
from tasks.runtime.errors import BusyError, DamageError, InputError
from tasks.runtime.visible import visible
from tasks.snapshots.locks import writing
from tests.support.made_snapshot import TEXTS, make
from tests.support.processes.dialogue import typing


@pytest.fixture
def out(tmp_path) -> Path:
    return make(tmp_path / "out").out


def call(*given: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["review", *map(str, given)])
    assert "Traceback" not in result.output
    return result.exit_code, " ".join(result.output.split())


def kept(out: Path) -> list[tuple]:
    return reviews.load(out / reviews.FILE).select("doc_id_a", "doc_id_b", "label").rows()


def write_sheet(path: Path, *rows: tuple, head: tuple = ("doc_id_a", "doc_id_b", "label", "note")) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([head, *rows])
    return path


def test_pairs_are_shown_with_what_differs_the_most_uncertain_first(out, capsys):
    said = review.decide(out, None, typing("s", "nonsense", "q"))
    shown = capsys.readouterr().out
    assert "0 decisions kept, 0 in all" in said
    assert "2. " in shown and "3. " not in shown
    review.decide(out, None, typing(*"sssss"))
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.index("5. record-1 and record-2") > shown.index("4. "), "of this one the judge was sure"
    assert "type F, look-alike with other facts, distinct; p 0.50 ± 0.10; judge: distinct (0.04); both 0.26" in shown
    assert "Bus [41] leaves" in shown and "Bus [43] leaves" in shown


def test_every_answer_is_kept_at_once_and_not_asked_again(out, capsys):
    assert "3 decisions kept, 3 in all" in review.decide(out, 3, typing("d", "X ", "c", "d"))
    labels = [label for *_, label in kept(out)]
    assert labels == ["duplicate", "distinct", "contained"]
    capsys.readouterr()
    review.decide(out, None, typing())
    shown = capsys.readouterr().out
    assert not any(f"{one} and {other}" in shown or f"{other} and {one}" in shown for one, other, _ in kept(out))

    def dies(_: str) -> str:
        if len(kept(out)) == 4:
            raise RuntimeError
        return "d"

    with pytest.raises(RuntimeError):
        review.decide(out, None, dies)
    assert len(kept(out)) == 4
    assert not list(out.glob(".reviews.parquet*"))


def test_documents_cannot_command_the_terminal(tmp_path, capsys):
    texts = TEXTS | {"record-1": TEXTS["record-1"] + " \x1b[2J\u202e [bold]tags[/bold]"}
    review.decide(make(tmp_path, texts=texts).out, None, typing(*"ssss"))
    shown = capsys.readouterr().out
    assert "\x1b" not in shown and "\u202e" not in shown and "[bold]tags[/bold]" in shown


def test_a_sheet_goes_out_and_comes_back(out, tmp_path):
    sheet = tmp_path / "pairs.csv"
    code, said = call("--out", out, "--export", sheet, "--limit", 3)
    assert code == 0 and said.startswith(f"3 pairs in {sheet}")
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == HEAD and {row["label"] for row in rows} == {""}
    assert call("--out", out, "--csv", sheet)[1].startswith("0 decisions kept"), "nothing is filled in yet"
    rows[0] |= {"label": " Duplicate", "note": "two scans of one page"}
    rows[2] |= {"label": "distinct"}
    write_sheet(sheet, *(row.values() for row in rows), head=HEAD)
    code, said = call("--out", out, "--csv", sheet)
    assert code == 0 and said.startswith("2 decisions kept, 2 in all")
    told = reviews.load(out / reviews.FILE)
    assert told["note"].to_list() == ["two scans of one page", ""]
    assert (told["text_hash_a"] < told["text_hash_b"]).all()
    assert {*told["text_a"], *told["text_b"]} <= set(TEXTS.values())
    assert told["reviewer"][0] and told["time"][0].endswith("+00:00")
    write_sheet(sheet, (rows[0]["doc_id_b"], rows[0]["doc_id_a"], "contained"), head=HEAD[:3])
    assert call("--out", out, "--csv", sheet)[1].startswith("1 decision kept, 2 in all"), "the later one counts"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("story", "child", "same")], "line 2: 'same'"),
        (
            [("story", "host-1", "distinct"), ("story", "nobody", "distinct")],
            "1 id not in snapshot abc123, for example nobody",
        ),
        ([("story", "story-copied", "distinct")], "'story' stands beside an equal text"),
        ([("story", "story", "duplicate")], "'story' stands beside an equal text"),
    ],
)
def test_a_sheet_with_a_mistake_is_refused_as_a_whole(out, tmp_path, rows, said):
    sheet = write_sheet(tmp_path / "sheet.csv", *((*row, "") for row in rows))
    code, output = call("--out", out, "--csv", sheet)
    assert code == 2 and said in output
    assert not (out / reviews.FILE).exists()


def test_what_cannot_be_read_is_named(out, tmp_path):
    sheet = write_sheet(tmp_path / "sheet.csv", head=("doc_id_a", "label"))
    assert call("--out", out, "--csv", sheet) == (
        2,
        f"semhash-llm: {sheet}: no column doc_id_b; needed are doc_id_a, doc_id_b, label, note if any",
    )
    sheet.write_bytes(b"\xff\xfe\x00")
    assert call("--out", out, "--csv", sheet)[0] == 2
    assert call("--out", out, "--csv", tmp_path / "none.csv")[0] == 2
    assert call("--out", out, "--csv", sheet, "--export", sheet)[0] == 2
    code, said = call("--out", tmp_path / "nowhere")
    assert code == 2 and "nothing is published" in said and not (tmp_path / "nowhere").exists()
    (out / reviews.FILE).write_bytes(b"PAR1 but not much more")
    code, said = call("--out", out)
    assert code == 1 and "reviews.parquet cannot be read" in said
    with pytest.raises(DamageError):
        reviews.load(out / reviews.FILE)


def test_one_reviewer_at_a_time(out):
    with writing(out, role="reviews"), pytest.raises(BusyError):
        review.decide(out, None, typing())


@given(st.text(max_size=8))
@example("\x1b]0;owned\x07")
@example('"a"')
def test_no_cell_is_computed_and_every_id_comes_back(tmp_path_factory, text):
    assert not inert(text).startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
    assert visible(inert(text)) == inert(text), "a terminal would obey it"
    if "\r" in text or "\n" in text:
        return
    sheet = tmp_path_factory.getbasetemp() / "round.csv"
    write_sheet(sheet, (inert(text), "b", "distinct", inert(text)))
    assert read(sheet) == [Filled(text, "b", "distinct", text)]


def test_a_formula_in_a_document_is_text_in_the_sheet(tmp_path):
    spoiled = TEXTS | {"record-1": "=1+1 leaves the stop at 7:15", "record-2": "@SUM(A1) leaves the stop at 9:45"}
    out = make(tmp_path / "out", texts=spoiled).out
    review.export(out, tmp_path / "pairs.csv", None)
    with (tmp_path / "pairs.csv").open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert {cell[:2] for cell in cells} >= {"'=", "'@"}
    assert not any(cell.startswith(("=", "@", "+", "-")) for cell in cells)


def test_explain_names_the_reviewer(out):
    review.take_over(out, write_sheet(out.parent / "sheet.csv", ("record-1", "record-2", "distinct", "other buses")))
    path = out / "snapshots" / "abc123" / "verified" / "part-00000.parquet"
    about = pl.col("a_id") == "record-1"
    found = pl.read_parquet(path).with_columns(
        judge_source=pl.when(about).then(pl.lit("review")).otherwise("judge_source")
    )
    found.write_parquet(path)
    told = " ".join(explain(out, "record-1").split())
    [reviewer] = reviews.load(out / reviews.FILE)["reviewer"]
    assert "a person who compared them calls the pair distinct. Reviewed: distinct by " + reviewer in told
    assert told.count("other buses") == 1
    with pytest.raises(InputError):
        explain(out, "nobody")
