"""An audit: what is drawn, what is shown of it, what is kept of the answers, and what they come to."""

import csv
import shutil
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from flows.cli import app
from tasks import audit
from tasks.audit import answers
from tasks.audit.cases import CUT, NEAR, REMOVAL, draw
from tasks.audit.excerpt import excerpt
from tasks.audit.pages import pages
from tasks.audit.word_marks import mark
from tasks.explain.archive import Archive
from tasks.explain.differences import Piece
from tasks.quality.conservation_summary import figures
from tasks.runtime.errors import InputError
from tasks.snapshots.layout import current
from tests.support.made_snapshot import FRAGMENT, STORY, make
from tests.support.processes.dialogue import typing

pytestmark = pytest.mark.flows

ALL = audit.Sizes(150, 80, 40)


@pytest.fixture
def out(tmp_path) -> Path:
    return make(tmp_path / "out").out


def called(*given: object) -> str:
    result = CliRunner().invoke(app, ["audit", *map(str, given)])
    assert "Traceback" not in result.output
    return f"{result.exit_code} {result.output}"


def marked(pieces: list[Piece]) -> list[str]:
    return [piece.text for piece in pieces if piece.marked]


def test_what_only_one_text_says_is_marked_and_nothing_else():
    one, other = mark(
        "Alpha beta gamma delta epsilon zeta eta theta. Only the first says this thing. Iota kappa lambda mu nu xi.",
        "Iota kappa lambda mu nu xi! And alpha beta gamma delta epsilon zeta eta theta.",
    )
    assert marked(one.pieces) == ["Only the first says this thing"]
    assert marked(other.pieces) == ["And"], "what stands in another place is said, too"
    assert "".join(piece.text for piece in one.pieces).startswith("Alpha beta")
    assert one.share == pytest.approx(6 / 20)
    assert [stretch.words for stretch in one.alone] == [6]


def test_a_word_between_two_changed_ones_is_not_marked():
    one, _ = mark("the red house stands on a low hill", "the blue house stands on a high hill")
    assert marked(one.pieces) == ["red", "low"]


def test_texts_without_words_and_empty_survivors():
    one, other = mark("Some words here", "")
    assert marked(one.pieces) == ["Some words here"] and other.pieces == []
    assert mark("!!!", "???")[0].pieces == [Piece("!!!", marked=False)]


def test_an_excerpt_keeps_what_is_marked():
    pieces = [Piece("a" * 500, marked=False), Piece("KEY", marked=True), Piece("b" * 500, marked=False)]
    shown = "".join(piece.text for piece in excerpt(pieces, 20, 1000))
    assert "aaaaKEYbbbb" in shown and len(shown) < 120
    short = excerpt(pieces, 20, 30)
    assert short[-1].text.endswith("characters more")


def test_removals_cuts_and_near_misses_are_drawn(out):
    with Archive.current(out) as archive:
        sample = draw(archive, ALL, 1)
        again = draw(archive, ALL, 1)
    assert sample == again
    assert sample.populations == {"exact": 1, "B": 1, "D": 1, CUT: 2, NEAR: 3}
    by_kind = {kind: [case for case in sample.cases if case.kind == kind] for kind in (REMOVAL, CUT, NEAR)}
    assert {(case.stratum, case.doc_id, case.other_id) for case in by_kind[REMOVAL]} == {
        ("exact", "story-copied", "story"), ("B", "story-edited", "story"), ("D", "child", "story"),
    }  # fmt: skip
    assert {case.doc_id for case in by_kind[CUT]} == {"host-1", "host-2"}
    pairs = {(case.doc_id, case.other_id) for case in by_kind[NEAR]}
    assert pairs == {("record-1", "record-2"), ("praise-1", "praise-2"), ("host-1", "host-2")}


def test_a_larger_sample_holds_the_smaller(out):
    with Archive.current(out) as archive:
        few, more = (draw(archive, audit.Sizes(size, size, size), 3).cases for size in (1, 2))
    assert set(few) < set(more)


def test_pages_show_the_survivor_as_published_and_where_else_it_stands(tmp_path):
    note = " A further note about the reading room says that it closes at nine on the eve of every feast."
    texts = {
        "story": STORY,
        "story-edited": STORY.replace("forty", "fifty") + note,
        "story-copied": STORY.upper(),
        "child": STORY[4:150] + " Nobody else knows that the carpenters sang while they planed it.",
        "other": f"From the town gazette.{note}",
    }
    out = make(tmp_path / "out", texts=texts).out
    with Archive.current(out) as archive:
        made = {page.case.doc_id: page for page in pages(archive, draw(archive, ALL, 1).cases)}
    assert marked(made["story-copied"].one.pieces) == []
    edited = made["story-edited"]
    assert marked(edited.one.pieces)[0] == "fifty" and marked(edited.other.pieces) == ["forty"]
    (stretch,) = edited.stretches
    assert stretch.text.startswith("A further note") and "other" in stretch.place and "1 published doc" in stretch.place
    (stretch,) = made["child"].stretches
    assert stretch.place == "nowhere in what is published" and stretch.words == 11


def test_pages_of_cuts_show_passage_surroundings_and_copies(out):
    with Archive.current(out) as archive:
        made = [page for page in pages(archive, draw(archive, ALL, 1).cases) if page.case.kind == CUT]
    for page in made:
        assert marked(page.one.pieces) == [FRAGMENT]
        assert FRAGMENT not in page.other.pieces[0].text and page.other.pieces[0].text.strip()
        assert "all of it stands in 1 published document, for example host-3" in page.stretches[0].place
        assert "host-1, host-2, host-3" in page.told[1]


def test_answers_are_kept_at_once_and_not_asked_again(out, capsys):
    said = audit.listen(out, ALL, 5, typing("r", "W  it says fifty", "nonsense", "s", "u", "q"))
    assert "3 of 8 cases read" in said and "it says fifty" in said
    assert (out / "audits" / "5.csv").exists()
    capsys.readouterr()
    said = audit.listen(out, ALL, 5, typing(*"rrrrrrrrr"))
    assert "8 of 8 cases read" in said
    assert "3 of 8: " in capsys.readouterr().out, "numbers stay with their cases; the skipped one is asked again"
    assert audit.listen(out, ALL, 5, typing("w")) == said, "nothing is left to ask"
    assert "0 of 8" in audit.listen(out, ALL, 6, typing()), "another seed has answers of its own"


def test_rates_weigh_the_types(out):
    with Archive.current(out) as archive:
        cases = draw(archive, ALL, 1).cases
    wrong = next(case for case in cases if case.stratum == "B")
    path = answers.path_of(out, 1)
    said = [answers.now(case, "wrong" if case == wrong else "right") for case in cases if case.stratum != "exact"]
    answers.keep(path, "abc123", said)
    told = audit.listen(out, ALL, 1, typing())
    lines = {line[:46].strip(): line[46:] for line in told.splitlines()}
    assert "100.0% (100.0% to 100.0%)" in lines["type B, lightly edited copy"]
    assert "50.0% (50.0% to 50.0%)" in lines["all removals, types weighed"]
    assert "Nothing was read of exact" in told and "1 (1 to 1) wrong in the run" in told


def test_a_csv_makes_the_way_out_and_back(out, tmp_path):
    sheet = tmp_path / "cases.csv"
    assert "8 cases in" in called("--out", out, "--seed", 9, "--export", sheet)
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8 and all(row["answer"] == "" for row in rows)
    edited = next(row for row in rows if row["doc_id"] == "story-edited")
    assert "[fifty]" in edited["one"] and "[forty]" in edited["other"]
    rows[0]["answer"], rows[1]["answer"], rows[1]["note"] = "Right", "wrong", "=1+1, not the same"
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assert "2 of 8 cases read" in called("--out", out, "--seed", 9, "--csv", sheet)
    given = answers.load(answers.path_of(out, 9), "abc123")
    assert [(one.answer, one.note) for one in given.values()] == [("right", ""), ("wrong", "=1+1, not the same")]
    again = tmp_path / "again.csv"
    called("--out", out, "--seed", 9, "--export", again)
    with again.open(encoding="utf-8-sig", newline="") as file:
        assert [row["answer"] for row in csv.DictReader(file)][:2] == ["right", "wrong"]


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [("answer", "maybe", "answers must be right"), ("doc_id", "ghost", "1 case not in the sample of seed 2")],
)
def test_a_sheet_with_a_mistake_changes_nothing(out, tmp_path, column, value, says):
    sheet = tmp_path / "cases.csv"
    audit.export(out, ALL, 2, sheet)
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = [row | {"answer": "right"} for row in csv.DictReader(file)]
    rows[3][column] = value
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(InputError, match=says):
        audit.take_over(out, ALL, 2, sheet)
    assert not answers.path_of(out, 2).exists()


def test_a_seed_belongs_to_one_snapshot(out):
    audit.listen(out, ALL, 4, typing("r"))
    path = answers.path_of(out, 4)
    path.write_text(path.read_text(encoding="utf-8").replace("abc123", "older"), encoding="utf-8")
    assert "2 semhash-llm: " in called("--out", out, "--seed", 4) and current(out)
    with pytest.raises(InputError, match="another --seed"):
        audit.listen(out, ALL, 4, typing("r"))


def test_the_web_page_holds_every_case_and_runs_nothing(out, tmp_path):
    page = tmp_path / "page.html"
    assert "8 cases in" in called("--out", out, "--html", page)
    text = page.read_text(encoding="utf-8")
    assert text.count('<section class="pair"') == 8 or text.count('id="case-') == 8
    assert "<script" not in text and "http" not in text.replace("http-equiv", "")
    assert "<mark>fifty</mark>" in text


def test_a_corpus_without_removals_or_cuts(tmp_path):
    out = make(tmp_path / "out", texts={"praise-1": "The film moved me to tears."}, removed={}).out
    assert "0 of 0 cases read" in audit.listen(out, ALL, 1, typing("r"))


def test_only_one_thing_at_a_time(out, tmp_path):
    assert "one of them at a time" in called("--out", out, "--csv", tmp_path / "a", "--html", tmp_path / "b")


def test_integer_ids(tmp_path):
    out = make(tmp_path / "out", integer_ids=True).out
    with Archive.current(out) as archive:
        assert len(pages(archive, draw(archive, ALL, 1).cases)) == 8
        assert archive.table("decisions").collect_schema()["doc_id"] == pl.String


def test_what_a_machine_measured_of_all_removals_is_told(out):
    told = audit.listen(out, ALL, 1, typing())
    found = figures((out / "current").resolve())
    assert found["survivors_lacking"]["of"] > 0
    for name in ("survivors_lacking", "removals_that_lose_a_passage", "cut_passages_without_a_copy"):
        assert f"  {found[name]['lost']} of {found[name]['of']} ({found[name]['share']:.2%}) " in told
    shutil.rmtree((out / "current").resolve() / "conservation")
    assert "By machine" not in audit.listen(out, ALL, 1, typing()), "an older snapshot was not measured"
