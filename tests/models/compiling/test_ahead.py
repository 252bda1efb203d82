"""Kernels are compiled ahead by several processes, from a page of argument types that holds for the code."""

import inspect
import os
import shutil
import subprocess
import sys

import numba
import pytest

from models.compiling.argument_types import Page
from tests.support import ROOT

SUMS = """
from typing import NamedTuple
import numpy as np
from models.kernels.jit import kernel, lean_kernel

CELL = np.dtype([("count", np.int32), ("sum", np.uint64)], align=True)

class Pile(NamedTuple):
    cells: np.ndarray
    table: np.ndarray
    size: int

@lean_kernel
def half(number):
    return number // 2

@kernel
def total(pile, strided, fixed, round_up):
    found = half(pile.size) + strided.sum() + fixed[0] + pile.table.shape[1]
    for cell in pile.cells:
        found += cell.count
    return found + round_up
"""
PAGE = """
[tuples]
"models.kernels.sums.Pile" = ["models.kernels.sums.CELL[:]", "float32[:,:]", "int64"]

[kernels]
"models.kernels.sums.half" = [["int64"]]
"models.kernels.sums.total" = [["models.kernels.sums.Pile", "int64[:]A", "int64[:] const", "bool"]]
"models.kernels.sums.gone" = [["int64"]]
"models.kernels.hashing.mix" = [["int64[:]", "int64"]]
"""
AHEAD = """
from models.compiling import ahead, argument_types
done = []
waiting = ahead.missing()
ahead.compile_ahead([one for one in waiting if "sums" in one.module], 2, done.append)
print(len(waiting), sum(done), *(one.name for one in ahead.missing()))
argument_types.write()
"""
CALLS = """
import numpy as np
from models.kernels.sums import CELL, Pile, half, total
fixed = np.ones(4, np.int64)
fixed.flags.writeable = False
pile = Pile(np.ones(3, CELL), np.zeros((2, 5), np.float32), 20)
print(total(pile, np.arange(8)[::2], fixed, True), half(7))
print(*(sum(kernel.stats.cache_misses.values()) for kernel in (total, half)))
"""


@pytest.mark.slow
def test_kernels_of_the_page_are_compiled_for_what_they_are_given_and_a_page_that_is_old_does_no_harm(tmp_path):
    for package in ("kernels", "source", "compiling"):
        shutil.copytree(ROOT / "models" / package, tmp_path / "models" / package)
    (tmp_path / "models" / "__init__.py").touch()
    (tmp_path / "models" / "kernels" / "sums.py").write_text(SUMS)
    page = tmp_path / "models" / "compiling" / "argument_types.toml"
    page.write_text(PAGE)
    here = os.environ | {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def said(script):
        run = [sys.executable, "-c", script]
        done = subprocess.run(run, env=here, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert said(AHEAD) == ["3", "2", "mix"], "a kernel that is gone is none, and one with other types is left"
    assert said(CALLS) == ["32", "3", "0", "0"], "nothing was compiled where it was called"
    [index] = (tmp_path / "cache").rglob("*.half-*/*.nbi")
    index.write_bytes(index.read_bytes().replace(numba.__version__.encode(), b"0.00.0"))
    assert said("from models.compiling import ahead; print(*(one.name for one in ahead.missing()))") == ["half", "mix"]
    written = page.read_text()
    assert "gone" not in written
    assert [line for line in PAGE.splitlines() if "sums" in line and "gone" not in line] == [
        line for line in written.splitlines() if "sums" in line
    ]


@pytest.mark.slow
def test_the_page_holds_for_the_kernels_there_are():
    page = Page()
    for kernel in page.typed():
        wanted = inspect.signature(kernel.kernel().py_func).parameters
        assert len(page.types_of(kernel)) == len(wanted), f"{kernel}: python -m models.compiling.argument_types"


LEFT = """
import os
from models.compiling import ahead
parents = iter([1, 1, 2])
os.getppid = lambda: next(parents)
seen = []
ahead.missing = lambda: [Typed(name) for name in "abc"]
class Typed:
    def __init__(self, name):
        self.name = name
    def is_compiled(self):
        seen.append(self.name)
        return True
ahead.work()
print(*seen)
"""


def test_a_process_whose_starter_is_gone_compiles_no_more():
    done = subprocess.run([sys.executable, "-c", LEFT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["a"]


def test_nothing_is_compiled_for_an_import(tmp_path):
    """A wrong path is told at once on a machine where nothing is compiled yet."""
    every = "import flows.cli.app, flows.curate, flows.refresh, flows.reindex, semhash_llm, tasks.explain"
    subprocess.run(
        [sys.executable, "-c", every], cwd=ROOT, env=os.environ | {"XDG_CACHE_HOME": str(tmp_path)}, check=True
    )
    assert not list(tmp_path.rglob("*.nbi"))
