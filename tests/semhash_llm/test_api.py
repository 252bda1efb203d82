"""Python interface: every kind of data in and out, results, settings, no server and no noise."""

import time
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import semhash_llm as sh
from tests.flows.test_columns import TEXTS

pytestmark = pytest.mark.flows

FAST = {"gate.canaries": False}
ROWS = [{"id": f"d{9 - row}", "text": text, "n": row} for row, text in enumerate(TEXTS[:8])]
ROWS[5] = ROWS[5] | {"text": ROWS[1]["text"].upper()}
"""A copy but for case: one of rows 1 and 5 goes."""


@pytest.fixture(scope="module")
def result() -> sh.Result:
    return sh.deduplicate(pl.DataFrame(ROWS), id="id", settings=FAST, preset="wording-only")


def test_a_result_answers_what_was_kept_and_why(result, tmp_path):
    gone = result.decisions.filter(action="remove")
    assert result.counts["documents"] == 8 and gone.height == 1
    [lost], [stays] = gone["doc_id"], gone["survivor_id"]
    assert {lost, stays} == {"d8", "d4"}
    expected = pl.DataFrame([row for row in ROWS if row["id"] != lost])
    assert result.kept.equals(expected), "the same frame without one row, in its order"
    assert result.duplicates_of(stays)["doc_id"].to_list() == [lost]
    assert stays in result.explain(lost)
    assert not list(result.snapshot.glob("*.html")), "nobody has asked for a page"
    assert "<html" in result.report(tmp_path / "r.html").read_text()[:200]
    shown = result._repr_html_()
    assert all(one in shown for one in ("<b>8</b><br>documents", "exact copy", "The gate passed."))
    assert "7 kept" in repr(result)
    assert sh.open(result.out).kept.sort("id").equals(result.documents.sort("id"))
    assert result.rejects.is_empty()


@pytest.mark.parametrize(
    ("data", "columns"),
    [
        (pd.DataFrame(ROWS), {"id": "id"}),
        (pa.Table.from_pylist(ROWS), {}),
        (pl.LazyFrame(ROWS), {"id": ""}),
        (ROWS, {"id": "id"}),
        ([row["text"] for row in ROWS], {}),
    ],
    ids=["pandas", "arrow", "lazy", "dictionaries", "texts"],
)
def test_kept_is_of_the_kind_that_was_given(data, columns):
    made = sh.deduplicate(data, settings=FAST, preset="wording-only", **columns)
    kept = made.kept
    assert isinstance(kept, pl.DataFrame if isinstance(data, pl.LazyFrame) else type(data)) and len(kept) == 7
    texts = kept if isinstance(data, list) and isinstance(data[0], str) else pd.DataFrame(
        kept if isinstance(kept, list) else kept.to_dict("records") if isinstance(kept, pd.DataFrame)
        else kept.to_pylist() if isinstance(kept, pa.Table) else kept.to_dicts())["text"].to_list()  # fmt: skip
    expected = [row["text"] for row in ROWS]
    assert texts in [[text for at, text in enumerate(expected) if at != lost] for lost in (1, 5)]


TURNS = [
    {"messages": [{"role": "user", "content": "And then?"}, {"role": "assistant", "content": text}], "n": row}
    for row, text in enumerate([*TEXTS[:4], TEXTS[1]])
]


@pytest.mark.parametrize(
    "data", [TURNS, pl.DataFrame(TURNS), pa.Table.from_pylist(TURNS)], ids=["list", "polars", "arrow"]
)
def test_conversations_come_back_as_they_went_in(data, tmp_path):
    made = sh.deduplicate(data, settings=FAST, preset="wording-only")
    kept = made.kept if isinstance(data, list) else pl.DataFrame(made.kept).to_dicts()
    assert kept in ([*TURNS[:1], *TURNS[2:]], TURNS[:4])
    said = "\n\n".join(turn["content"] for turn in TURNS[0]["messages"])
    assert said in made.documents["text"].to_list()
    [name] = made.export(tmp_path / "again", keep_layout=True)
    read = (
        pl.read_ndjson(tmp_path / "again" / name)
        if isinstance(data, list)
        else pl.read_parquet(tmp_path / "again" / name)
    )
    assert read.drop("doc_id").to_dicts() == kept, "what was made of the columns is not the user's"


PROMPT = (
    "You are a patient assistant who answers as helpfully as possible while being safe. Your answers should not "
    "include any harmful, rude or dangerous content, and they should be fair to everybody who may read them. If a "
    "question does not make sense, or is not coherent, explain why instead of answering something that is not correct. "
    "If you do not know the answer, say so plainly."
)
EXCHANGES = [
    ("Your coat, Becky!", "Just get in yours."), ("I am Cindy.", "I am Hanson, the caretaker."),
    ("Go now.", "Right away."), ("Lock the door.", "I told you to do that."), ("Any news?", "None."),
    ("Could you come over?", "I will send somebody."), ("What do you mean?", "You have some nerve."),
    ("He loves you.", "I know."), ("Pull them out.", "Everybody, pull!"), ("She is gone.", "Where to?"),
    ("What will you have?", "The usual, Barry."), ("Come back here!", "What for?"),
]  # fmt: skip


def test_short_exchanges_below_one_long_prompt_stay_and_one_that_goes_on_holds_its_beginning():
    longer = [PROMPT, *EXCHANGES[0], "And then?", "We leave by the back stairs."]
    said = [*([PROMPT, *one] for one in EXCHANGES), longer]
    rows = [{"id": str(row), "messages": [{"content": text} for text in turns]} for row, turns in enumerate(said)]
    made = sh.deduplicate(rows, settings=FAST)
    gone = made.decisions.filter(action="remove")
    assert gone.select("doc_id", "survivor_id", "type").rows() == [("0", "12", "D")]


def test_a_night_of_conversations_follows(tmp_path):
    made = sh.deduplicate(TURNS, out=tmp_path / "out", settings=FAST, preset="wording-only")
    more = [TURNS[2] | {"n": 7}, {"messages": [{"role": "user", "content": TEXTS[5]}], "n": 8}]
    night = sh.refresh(tmp_path / "out", more)
    assert made.counts["kept"] == 4 and night.counts["kept"] == 5
    assert TEXTS[5] in night.documents["text"].to_list()


def test_a_column_that_parameters_name_is_the_text():
    rows = [{"body": row["text"], "text": "the same"} for row in ROWS]
    named = sh.Parameters().with_settings(["extract.text_column=body", "gate.canaries=false"])
    assert len(sh.deduplicate(rows, parameters=named).kept) == 7


def test_paths_go_in_and_a_night_follows(tmp_path):
    pl.DataFrame(ROWS).write_ndjson(tmp_path / "a.jsonl")
    made = sh.deduplicate(tmp_path / "a.jsonl", out=tmp_path / "out", settings=FAST, preset="wording-only")
    assert made.kept.columns == ["id", "text", "n"] and made.kept.height == 7
    night = sh.refresh(tmp_path / "out", [{"id": "new", "text": "Tonight's is another matter: of bees and wax."}],
                       deleted=["d9"])  # fmt: skip
    assert set(night.kept["id"]) == {*made.kept["id"], "new"} - {"d9"}
    assert sh.open(tmp_path / "out").snapshot == night.snapshot


def test_protected_ids_stay(result):
    [lost] = result.decisions.filter(action="remove")["doc_id"]
    made = sh.deduplicate(ROWS, protected=[lost], settings=FAST, preset="wording-only")
    assert lost in [row["id"] for row in made.kept] and len(made.kept) == 7


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"data": 7}, "int is no data"),
        ({"data": ["a", {}]}, "one kind of them"),
        ({"data": ["a b c"], "preset": "none"}, "no preset 'none'; known: strict, balanced, aggressive, wording-only"),
        ({"data": ["a b c"], "settings": {"tau_a": 1}}, "did you mean verify.tau_a"),
        ({"data": pl.DataFrame({"x": ["a"]})}, "has no column 'text'"),
        ({"data": "nowhere.jsonl"}, "does not exist"),
        ({"data": pd.Series(["a"])}, "Series is no data"),
        ({"data": ["a b c"], "thread": 2}, "^thread: Extra inputs are not permitted$"),
        ({"data": ["a b c"], "settings": {"verify.tau_a": 7}}, "verify.tau_a"),
    ],
)
def test_what_cannot_be_used_is_told(given, said):
    with pytest.raises(sh.InputError, match=said):
        sh.deduplicate(**given)


def test_views_of_arrow_come_back_as_texts():
    made = sh.deduplicate(pa.table({"text": pa.array(TEXTS[:3], pa.string_view())}), settings=FAST)
    assert made.kept["text"].to_pylist() == TEXTS[:3]


def test_two_texts_are_compared():
    same = sh.compare(TEXTS[0], TEXTS[0] + " ")
    assert same.verdict in ("a goes", "b goes") and same.reason
    other = sh.compare(TEXTS[0], TEXTS[0].replace("13", "14").replace("town 0", "town 7"))
    assert other.verdict == "distinct" and other.differences and other.shared in TEXTS[0]
    with pytest.raises(sh.InputError, match="b is no text but None"):
        sh.compare("a", None)  # type: ignore[arg-type]


def test_a_call_is_quiet_and_starts_no_server(capfd, monkeypatch):
    import flows.server.temporary

    monkeypatch.setattr(flows.server.temporary, "server", lambda: pytest.fail("a server was started"))
    began = time.process_time()
    sh.deduplicate([row["text"] for row in ROWS], settings=FAST, preset="wording-only")
    assert capfd.readouterr() == ("", "")
    assert time.process_time() - began < 10
    sh.deduplicate(ROWS, settings=FAST, preset="wording-only", progress=True)
    assert "of 24): 8 documents" in capfd.readouterr().err
    assert not list(Path().glob("given*"))


def test_records_of_one_form_stay_and_explain_says_why():
    task = " ".join(TEXTS[:10]) + ".\n\nWord from it: "
    words = {"adjective": ("agitée", "acculée"), "verb": ("bavarder", "laver"), "noun": ("grenouille", "pierre")}
    fills = [f"{word}\n{kind}" for kind, both in words.items() for word in both]
    rows = [{"id": f"r{number}", "text": task + fill} for number, fill in enumerate(fills)]
    copy = {"id": "copy", "text": f"Posted on 3 May 2021 at 10:41\n{rows[2]['text']}"}
    made = sh.deduplicate([*rows, copy], id="id", settings=FAST)
    gone = made.decisions.filter(action="remove")
    assert {*gone["doc_id"], *gone["survivor_id"]} == {"r2", "copy"}, "the copy, and no other record"
    assert "each is a record of one form" in " ".join(made.explain("r0").split())
