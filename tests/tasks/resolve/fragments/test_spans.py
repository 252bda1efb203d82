"""Spans of fragments are written with the text that stands there, whatever a part holds."""

import polars as pl
import pytest

from data_contracts.schemas import FRAGMENT_SPANS, SPANS
from tasks.resolve.fragments import spans
from tasks.resolve.fragments.spans import with_text, write_spans
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tests.support.made_up import made_up

TEXTS = {doc: f"Document {doc} says ä中𝔘 and more {doc}." for doc in range(40)}


def spans_of(docs: range) -> pl.DataFrame:
    """Two spans of each document, the later ones first."""
    rows = [(doc % 3, doc, start, start + 5 + doc % 4, doc % 2 == 0) for start in (12, 0) for doc in reversed(docs)]
    return pl.DataFrame(rows, schema=SPANS.schema, orient="row")


@pytest.mark.parametrize(("rows", "chars", "parts"), [(1 << 16, 1 << 24, 2), (7, 1 << 24, 12), (99, 20, 31)])
def test_spans_stand_in_the_order_of_documents_with_their_text(tmp_path, monkeypatch, rows, chars, parts):
    monkeypatch.setattr(spans, "ROWS", rows)
    monkeypatch.setattr(spans, "CHARS", chars)
    with Stage(Run(workspace=tmp_path), made_up("spans"), []) as stage:
        behind = write_spans(stage, spans_of(range(30)), TEXTS, 0)
        assert write_spans(stage, spans_of(range(0)), TEXTS, behind) == behind
        assert write_spans(stage, spans_of(range(30, 40)), TEXTS, behind) == parts
        made = [pl.read_parquet(stage.part(part)) for part in range(parts)]
    every = pl.concat(made)
    assert every.schema == FRAGMENT_SPANS.schema
    assert every.select("doc", "start").rows() == [(doc, start) for doc in range(40) for start in (0, 12)]
    assert all(text == TEXTS[doc][start:end] for _, doc, start, end, text, _ in every.iter_rows())
    assert every.equals(with_text(every.drop("text"), TEXTS))


def test_without_spans_there_is_one_part(tmp_path):
    with Stage(Run(workspace=tmp_path), made_up("spans"), []) as stage:
        assert write_spans(stage, spans_of(range(0)), {}, 0) == 1
        assert pl.read_parquet(stage.part(0)).schema == FRAGMENT_SPANS.schema
