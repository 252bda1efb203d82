"""Columns that cannot be what they are named for are told before anything is read."""

import pytest

from models.parameters import Parameters
from tasks.ingest.columns import resolve_columns
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
    from tasks.ingest.readers import read_all

    (tmp_path / "package.json").write_text('{"name": "x"}\n')
    with pytest.raises(InputError, match=r"package\.json has no column 'text'; its columns are: name\. Name another"):
        list(read_all(discover([str(tmp_path)]), "text", None, None, 10))
