"""Columns that cannot be what they are named for are told before anything is read."""

import json

import pytest

from models.parameters import Parameters, column_settings
from tasks.ingest.columns import resolve_columns, try_columns
from tasks.runtime.errors import InputError


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["extract.text_column=x", "extract.id_column=x"], "'x' is named for the text and for something else"),
        (["extract.text_column=^t.*$"], r"'\^t\.\*\$' is called like a pattern"),
        (["extract.id_column=^i.*$"], r"'\^i\.\*\$' is called like a pattern"),
        ([], r"a\.jsonl has its ids in 'doc_id' and .*package\.json has no ids.* Leave out what is no part"),
    ],
)
def test_columns_that_cannot_serve_are_refused(tmp_path, settings, said):
    (tmp_path / "a.jsonl").write_text('{"doc_id": "a", "text": "some words"}\n')
    (tmp_path / "package.json").write_text('{"name": "x"}\n')
    with pytest.raises(InputError, match=said):
        resolve_columns(Parameters().with_settings(settings), [str(tmp_path)])


def test_a_page_among_texts_is_named_with_its_columns(tmp_path):
    from tasks.ingest.discover import discover
    from tasks.ingest.readers import Columns, read_all

    (tmp_path / "package.json").write_text('{"name": "x"}\n')
    with pytest.raises(InputError, match=r"package\.json has no column 'text'; its columns are: name\. Name another"):
        list(read_all(discover([str(tmp_path)]), Columns("text"), 10))


@pytest.mark.parametrize(
    ("row", "made"),
    [
        ({"messages": [{"role": "user", "content": "Hi"}]}, ("messages",)),
        ({"instruction": "Add.", "input": "1 2", "output": "3"}, ("instruction", "input", "output")),
        ({"instruction": "Add 1 and 2.", "output": "3"}, ("instruction", "output")),
        ({"prompt": "a", "text": "b"}, ()),
        ({"question": "What is 6 times 7?", "answer": "42"}, ("question", "answer")),
        ({"question": "Which is true?", "choices": ["a", "b"], "answer": "a"}, ()),
    ],
)
def test_a_text_is_made_of_conventional_columns_where_there_is_none_and_stays_whole(tmp_path, row, made):
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    resolved = resolve_columns(Parameters(), [str(tmp_path)])
    assert resolved.extract.text_from == made
    assert resolved.fragment.action == ("annotate" if made else "keep_one")


def test_a_made_text_takes_no_column_of_the_users(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"question": "a", "text": "b"}')
    named = Parameters().with_settings(column_settings(None, None, None, "question"))
    with pytest.raises(InputError, match="made of question would be published as 'text', and there is such a column"):
        try_columns(named, [str(tmp_path)])


def test_what_is_made_of_columns_is_not_cut():
    with pytest.raises(ValueError, match=r"set fragment\.action=annotate"):
        Parameters().with_settings(["extract.text_from=messages", "fragment.action=cut"])
    named = column_settings(None, None, None, "question,answer")
    assert Parameters().with_settings(named).fragment.action == "annotate"
    assert Parameters().with_settings(["fragment.action=off", *named]).fragment.action == "off"
