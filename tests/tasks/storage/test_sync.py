"""Flushing: what is published reaches the disk before its name does; what goes with the process is not flushed."""

import os
from pathlib import Path

import pytest

from tasks.storage.atomic import write_json
from tasks.storage.checksums import content, seal
from tasks.storage.sync import unsynced


@pytest.fixture
def flushed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files and folders that were flushed."""
    names: list[str] = []

    def fsync(handle: int) -> None:
        names.append(Path(f"/proc/self/fd/{handle}").readlink().name)

    monkeypatch.setattr(os, "fsync", fsync)
    return names


def test_a_file_is_flushed_before_it_has_its_name(tmp_path: Path, flushed: list[str]) -> None:
    write_json(tmp_path / "made.json", 1)
    assert len(flushed) == 1
    assert flushed[0].startswith(".made.json.")


def test_nothing_is_flushed_below_a_folder_that_passes(tmp_path: Path, flushed: list[str]) -> None:
    passing, beside = tmp_path / "passing", tmp_path / "passing beside"
    with unsynced(passing):
        write_json(passing / "deep" / "made.json", 1)
        seal(passing)
        assert flushed == []
        write_json(beside / "made.json", 1)
    assert len(flushed) == 1
    assert [*content(passing)] == ["deep/made.json"]
    write_json(passing / "later.json", 1)
    assert len(flushed) == 2
