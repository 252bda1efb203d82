"""Original texts from the published snapshot, or from its index for what was removed."""

import shutil

import pytest

from tasks.explain.archive import restore
from tasks.runtime.errors import InputError
from tests.support.made_snapshot import TEXTS, make


@pytest.mark.parametrize("doc_id", TEXTS)
def test_every_original_comes_back(tmp_path, doc_id):
    made = make(tmp_path)
    assert restore(made.out, doc_id) == TEXTS[doc_id]


def test_no_workspace_is_needed(tmp_path):
    made = make(tmp_path)
    shutil.rmtree(tmp_path / "workspace")
    assert restore(made.out, "host-1") == TEXTS["host-1"]
    assert restore(made.out, "child") == TEXTS["child"]


def test_integer_ids_are_asked_for_as_text(tmp_path):
    made = make(tmp_path, integer_ids=True)
    for number, text in enumerate(TEXTS.values()):
        assert restore(made.out, str(100 + number)) == text


def test_unknown_ids_and_unpublished_folders_are_input_errors(tmp_path):
    with pytest.raises(InputError, match="nothing is published"):
        restore(tmp_path, "story")
    make(tmp_path)
    with pytest.raises(InputError, match=r"no document 'stroy'.*did you mean story"):
        restore(tmp_path, "stroy")
