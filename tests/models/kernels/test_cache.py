"""Kernels are compiled anew when code changes, not when a comment does, and by one process of all that want them."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

SUMS = """
from models.kernels.jit import kernel, lean_kernel
from models.kernels.quarter import TABLE, quarter

@kernel
def half(number: int) -> int:
    '''Half.'''
    return number // 2

@kernel
def sixth(number: int) -> int:
    return half(number) // 3

@kernel
def eighth(number: int) -> int:
    return quarter(number) // 2 + TABLE[0]
"""
QUARTER = """
import tomllib
from pathlib import Path
import numpy as np
from models.kernels.jit import kernel

TABLE = np.array(tomllib.loads(Path(__file__).with_name("words.toml").read_text())["n"])

@kernel
def quarter(number: int) -> int:
    return number // 4
"""
ASKS = """
from models.kernels import sums, quarter
said = [sums.half(48), sums.sixth(48), quarter.quarter(48), sums.eighth(48)]
kernels = (sums.half, sums.sixth, quarter.quarter, sums.eighth)
print(*said, *(sum(kernel.stats.cache_misses.values()) for kernel in kernels))
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A function that runs a small tree of kernels after edits: what they say, and which were compiled."""
    root = tmp_path_factory.mktemp("tree")
    left_out = shutil.ignore_patterns("__pycache__")
    for package in ("kernels", "source"):
        shutil.copytree(ROOT / "models" / package, root / "models" / package, ignore=left_out)
    (root / "models" / "__init__.py").touch()
    cache = str(root / "cache")

    def run(tree=root, old="", new=""):
        texts = {"sums.py": SUMS, "quarter.py": QUARTER, "words.toml": "n = [0]\n"}
        for name, text in texts.items():
            (tree / "models" / "kernels" / name).write_text(text.replace(old, new) if old else text)
        done = subprocess.run(
            [sys.executable, "-c", ASKS],
            # Bytecode is dated to the second: of two edits within one, the second would run as the first.
            env=os.environ | {"PYTHONPATH": str(tree), "NUMBA_CACHE_DIR": cache, "PYTHONDONTWRITEBYTECODE": "1"},
            cwd=tree,
            capture_output=True,
            text=True,
            check=True,
        )
        said = [*map(int, done.stdout.split())]
        return said[:4], said[4:]

    run()
    run.tree, run.kernels = root, root / "cache" / "kernels"
    return run


@pytest.mark.parametrize(
    ("old", "new", "said", "compiled"),
    [
        ("", "", [24, 8, 12, 6], [0, 0, 0, 0]),
        ("Half.", "Half of a number.", [24, 8, 12, 6], [0, 0, 0, 0]),
        ("// 2\n\n", "// 2  # rounded\n\n", [24, 8, 12, 6], [0, 0, 0, 0]),
        ("// 4", "// 5", [24, 8, 9, 4], [0, 0, 1, 1]),
        ("return number // 2", "return number // 6", [8, 2, 12, 6], [1, 1, 0, 0]),
        ("half(number) // 3", "half(number) // 4", [24, 6, 12, 6], [0, 1, 0, 0]),
        ("n = [0]", "n = [1]", [24, 8, 12, 7], [0, 0, 0, 1]),
        ("import kernel, lean_kernel", "import kernel", [24, 8, 12, 6], [0, 0, 0, 0]),
        ("@kernel\ndef sixth", "@lean_kernel\ndef sixth", [24, 8, 12, 6], [0, 1, 0, 0]),
    ],
)
def test_what_uses_an_edited_function_is_compiled_anew_and_nothing_else(small, old, new, said, compiled):
    assert small(old=old, new=new) == (said, compiled)


def test_checkouts_share_what_they_have_in_common(small, tmp_path):
    shutil.copytree(small.tree / "models", tmp_path / "models")
    assert small(tmp_path, "half(number) // 3", "half(number) // 8") == ([24, 3, 12, 6], [0, 1, 0, 0])


def test_kernels_of_sources_that_nobody_starts_any_more_go_when_there_are_new_ones(small):
    small(old="// 4", new="// 7")
    before = {*small.kernels.glob("models.kernels.quarter.quarter-*")}
    for path in small.kernels.iterdir():
        os.utime(path, (1e9, 1e9))
    small()
    assert {*small.kernels.glob("models.kernels.quarter.quarter-*")} == before, "nothing is new, so nobody looks"
    small(old="// 4", new="// 9")
    assert len({*small.kernels.glob("models.kernels.quarter.quarter-*")} & before) == 1, "what the last start used"


def test_what_a_kernel_is_given_is_named_in_its_annotations():
    """Kernels read fields by their place, and the closure finds the classes of arguments by their names."""
    decorators = {"kernel", "lean", "lean_kernel", "inner", "counted", "inlined", "compiled"}
    known = set()
    for path in (ROOT / "models").rglob("*.py"):
        tree = ast.parse(path.read_text())
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            named = {getattr(getattr(one, "func", one), "id", "") for one in function.decorator_list}
            if named & decorators:
                assert function in tree.body, f"{path}: {function.name} is defined within another"
                for argument in function.args.args:
                    assert argument.annotation is not None, f"{path}: {function.name}({argument.arg})"
                    written = ast.unparse(argument.annotation).replace("NDArray[Any]", "")
                    assert "Any" not in written, f"{path}: {function.name}({argument.arg})"
                known.add(function.name)
    assert len(known) > 500


EXPLAINS = "from models.kernels.cache import FOLDER; print(FOLDER)"


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
