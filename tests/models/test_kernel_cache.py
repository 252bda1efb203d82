"""Kernels are compiled anew when code changes, not when a comment does, and by one process of all that want them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from models import kernel_cache
from tests.support import ROOT

SOURCE = '"""Sums."""\n\n\ndef half(number):\n    """Half."""\n    return number // 2\n'


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [("Half.", "Half of a number.", True), ("// 2\n", "// 2  # rounded\n", True), ("// 2", "// 3", False)],
)
def test_the_cache_is_another_where_the_code_is(tmp_path, before, after, same):
    (tmp_path / "models").mkdir()
    path = tmp_path / "models" / "sums.py"
    path.write_text(SOURCE)
    first = kernel_cache(tmp_path / "models", tmp_path)
    assert kernel_cache(tmp_path / "models", tmp_path) == first
    path.write_text(SOURCE.replace(before, after))
    assert (kernel_cache(tmp_path / "models", tmp_path) == first) is same


def test_the_cache_is_another_where_a_word_list_is(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "sums.py").write_text(SOURCE)
    (tmp_path / "models" / "en.toml").write_text('fields = "question"\n')
    first = kernel_cache(tmp_path / "models", tmp_path)
    (tmp_path / "models" / "en.toml").write_text('fields = "question answer"\n')
    assert kernel_cache(tmp_path / "models", tmp_path) != first


def test_kernels_of_code_that_nobody_starts_any_more_go_when_it_changes(tmp_path):
    (tmp_path / "models").mkdir()
    source, home = tmp_path / "models" / "sums.py", tmp_path / "home"
    made = []
    for number in range(3):
        source.write_text(SOURCE.replace("// 2", f"// {number + 2}"))
        made.append(kernel_cache(tmp_path / "models", home))
        (made[-1] / "kernel.nbi").touch()
    for path in home.iterdir():
        os.utime(path, (1e9, 1e9))
    assert kernel_cache(tmp_path / "models", home) == made[2], "nothing is new, so nobody looks"
    assert all(folder.exists() for folder in made)
    source.write_text(SOURCE.replace("// 2", "// 9"))
    last = kernel_cache(tmp_path / "models", home)
    assert [folder.exists() for folder in [*made, last]] == [False, False, True, True]


EXPLAINS = "import numba, models; from models.kernels.bits import *; print(numba.config.CACHE_DIR)"


def where(tmp_path, **given):
    """The folder that a process takes in these surroundings, or its last word."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}
    settings = {name: value for name, value in (kept | {"PYTHONPATH": str(ROOT)} | given).items() if value is not None}
    done = subprocess.run(
        [sys.executable, "-c", EXPLAINS], cwd=tmp_path, env=settings, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or done.stderr.splitlines()[-1]


def test_a_home_that_cannot_be_used_is_replaced_by_a_folder_that_lasts(tmp_path):
    (tmp_path / "file").touch()
    own = str(tmp_path / f"semhash-llm-{os.getuid()}")
    for home in ("/proc/nowhere", str(tmp_path / "file")):
        found = where(tmp_path, HOME=home, TMPDIR=str(tmp_path))
        assert found.startswith(own) and Path(found).is_dir(), "the next command finds its kernels there"
    assert where(tmp_path, HOME="/proc/nowhere", TMPDIR=str(tmp_path)) == found
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", f"semhash-llm-{os.getuid()}"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_kernels_of_somebody_else_are_never_run(tmp_path):
    theirs = tmp_path / "home" / ".cache" / "semhash-llm"
    theirs.mkdir(parents=True)
    os.chown(theirs, 65534, 65534)
    assert where(tmp_path, HOME=str(tmp_path / "home"), TMPDIR=str(tmp_path)).startswith(str(tmp_path / "semhash-llm-"))
    given_away = tmp_path / "semhash-llm-0"
    os.chown(given_away, 65534, 65534)
    told = where(tmp_path, HOME=str(tmp_path / "home"), TMPDIR=str(tmp_path))
    assert told.endswith("compiled kernels need a folder that can be written: name one in NUMBA_CACHE_DIR")


AT_ONCE = """
import sys
import numpy as np
from models.kernels.hash_set import hash_set, hash_sets
print("ready", flush=True)
sys.stdin.readline()
sets, pointers = hash_sets(np.arange(9, dtype=np.uint64), np.array([0, 4, 9]))
alone = hash_set(np.arange(9, dtype=np.uint64))
missed = [sum(kernel.stats.cache_misses.values()) for kernel in (hash_set, hash_sets)]
print(*missed, len(alone), pointers.tolist()[-1])
"""


def test_of_processes_that_want_a_kernel_at_once_one_compiles_it(tmp_path):
    started = [
        subprocess.Popen(
            [sys.executable, "-c", AT_ONCE],
            env=os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    assert [process.stdout.readline() for process in started if process.stdout] == ["ready\n"] * 3
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate()[0].split() for process in started]
    missed = [tuple(map(int, line[:2])) for line in said]
    assert [sum(kernel) for kernel in zip(*missed, strict=True)] == [1, 1], "compiled once among them all"
    assert len({tuple(line[2:]) for line in said}) == 1, "the same answers"
