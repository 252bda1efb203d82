"""Texts that are made of columns: the same from JSON and from Arrow, of what is said and not of who says it."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.ingest.readers.composed_text import text_of_columns, text_of_values
from tasks.runtime.errors import InputError

CALL = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}

FLIGHT = {"from": "Oslo", "id": 7, "return": True}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]], "Hi\n\nHello"),
        ([[{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello", "weight": 1}]], "Hi\n\nHello"),
        (
            [[{"role": "user", "content": [{"type": "text", "text": "One"}, {"type": "text", "text": "two"}]}]],
            "One\n\ntwo",
        ),
        (
            [[{"role": "assistant", "content": None, "tool_calls": [CALL]}]],
            'name: weather\narguments: {"city": "Oslo"}',
        ),
        (
            [[{"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "book", "arguments": FLIGHT}}]}]],
            "name: book\narguments: from: Oslo\nid: 7\nreturn: true",
        ),
        (
            [[{"role": "assistant", "content": [{"type": "tool_use", "name": "book", "input": {"to": "Oslo"}}]}]],
            "book\nto: Oslo",
        ),
        (["What is 6 times 7?", None, 42], "What is 6 times 7?\n\n42"),
        (["", [], {}, None], ""),
    ],
)
def test_what_is_said_is_the_text(row, said):
    assert text_of_values(row) == said
    columns = {str(place): pa.array([value]) for place, value in enumerate(row) if value not in ([], {})}
    assert text_of_columns("a", columns).to_pylist() == [said]


TEXTS = st.none() | st.text(st.sampled_from("ab \n"), max_size=3)
TURNS = st.none() | st.lists(st.none() | st.fixed_dictionaries({"role": st.just("user"), "content": TEXTS}), max_size=3)


@given(st.lists(st.tuples(TEXTS, TURNS), min_size=1, max_size=6), st.integers(0, 3))
def test_columns_of_arrow_say_what_json_says(rows, first):
    turns = pa.list_(pa.struct({"role": pa.string(), "content": pa.string()}))
    columns = {
        "title": pa.array([title for title, _ in rows], pa.string()),
        "turns": pa.array([own for _, own in rows], turns),
    }
    some = {name: column.slice(first) for name, column in columns.items()}
    assert text_of_columns("a", some).to_pylist() == [text_of_values(row) for row in rows[first:]]


def test_a_column_of_which_nothing_can_be_said_is_named():
    with pytest.raises(InputError, match=r"a: column 'seen' holds bool, neither text nor turns"):
        text_of_columns("a", {"title": pa.array(["x"]), "seen": pa.array([True])})
