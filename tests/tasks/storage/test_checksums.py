"""What a sealed folder held is known, and damage shows."""

import os

import pytest

from tasks.storage.checksums import CONTENT, content, damaged, seal


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "one" / "deep").mkdir(parents=True)
    (tmp_path / "one" / "a.txt").write_text("alpha")
    (tmp_path / "one" / "deep" / "b.txt").write_text("beta")
    seal(tmp_path / "one")
    return tmp_path / "one"


def test_a_sealed_folder_is_sound_until_a_file_goes_grows_or_changes(folder):
    assert damaged(folder) == []
    (folder / "a.txt").write_text("alphA")
    assert damaged(folder) == ["a.txt"]
    (folder / "deep" / "b.txt").unlink()
    assert damaged(folder) == ["a.txt", "deep/b.txt"]
    (folder / CONTENT).write_text("{")
    assert damaged(folder) == [CONTENT], "what it held is not known any more"


def test_files_shared_with_a_sealed_folder_are_not_read_again(folder, tmp_path, monkeypatch):
    other = tmp_path / "two"
    other.mkdir()
    os.link(folder / "a.txt", other / "a.txt")
    (other / "c.txt").write_text("gamma")
    read = []
    monkeypatch.setattr(
        "tasks.storage.checksums.file_of", lambda path: read.append(path.name) or content(folder)["a.txt"]
    )
    seal(other, folder)
    assert read == ["c.txt"] and content(other)["a.txt"] == content(folder)["a.txt"]


def test_a_folder_before_that_lost_files_is_no_hindrance(folder, tmp_path):
    (folder / "a.txt").unlink()
    other = tmp_path / "two"
    other.mkdir()
    (other / "a.txt").write_text("alpha")
    seal(other, folder)
    assert damaged(other) == []
