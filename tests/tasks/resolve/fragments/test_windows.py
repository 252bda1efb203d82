"""What workers keep of the texts is what one process keeps, however the slots are shared out and whoever fails."""

import itertools
from functools import partial

import numpy as np
import polars as pl
import pytest

import tasks.resolve.fragments.search
import tasks.resolve.fragments.windows
from models.lexical.fragments.repeats import WindowCounts, hold
from models.parameters import Parameters
from tasks.resolve.fragments.search import Batch, _here, search
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tests.support.made_up import made_up
from tests.support.processes.unruly import at_work

NOTICE = "We use cookies here, and whoever reads on agrees to all of what our long policy says about them."
BOUNDS = {"min_chars": 40, "min_hosts": 3}


def batches(number: int) -> list[Batch]:
    """Documents with words of their own around a notice that most of them hold, in parts of unequal size."""
    random = np.random.default_rng(5)
    texts = [
        " ".join(map(str, random.integers(0, 10_000, 30)))
        + f"\n{NOTICE * (at % 4 > 0)}\n{NOTICE * (at % 7 == 0)}\n"
        + " ".join(map(str, random.integers(0, 10_000, 30)))
        for at in range(60)
    ]
    rows = pl.DataFrame({"doc": range(100, 160), "text": texts})
    edges = [0, *sorted(random.choice(60, number - 1, replace=False).tolist()), 60]
    return [Batch(partial(rows.slice, a, b - a)) for a, b in itertools.pairwise(edges)]


@pytest.mark.parametrize(("number", "width"), [(2, 1 << 24), (2, 8 * 11), (5, 1 << 24), (5, 512), (5, 2168)])
def test_workers_keep_what_one_process_keeps(tmp_path, monkeypatch, number, width):
    monkeypatch.setattr(tasks.resolve.fragments.windows, "RANGE", width)
    stage, given = Stage(Run(workspace=tmp_path, threads=3), made_up("numbers"), []), batches(number)
    with stage, at_work(OSError, together=1, places=1, i0=1):
        counts = [WindowCounts(12_000, *BOUNDS.values()) for _ in range(2)]
        here = list(_here(stage.run, counts[0], given, 20_000))
        there = list(tasks.resolve.fragments.windows.by_workers(stage, counts[1], [one.read for one in given], hold))
        assert not list(stage.path.glob(".*"))
    for one, other in zip(here, there, strict=True):
        for name, column in one._asdict().items():
            np.testing.assert_array_equal(column, getattr(other, name)())
    kept = sum(len(one.codes) for one in here)
    assert len(NOTICE) * 40 < kept < 0.7 * sum(one.read()["text"].str.len_chars().sum() for one in given)


@pytest.mark.parametrize("sorted_there", [1 << 24, 600])
def test_so_they_find_the_same_passages(tmp_path, monkeypatch, sorted_there):
    monkeypatch.setattr(tasks.resolve.fragments.search, "SORTED_THERE", sorted_there)
    given = batches(4)
    run = Run(workspace=tmp_path, parameters=Parameters.model_validate({"fragment": BOUNDS}))
    stage = Stage(run, made_up("numbers"), [])
    alone = search(run, given, 12_000)
    with stage, at_work(OSError, together=1, i0=1, i2=2):
        together = search(run, given, 12_000, stage)
        assert not list(stage.path.glob(".*"))
    assert all(one.equals(other) for one, other in zip(alone, together, strict=True))
    assert NOTICE.lower() in alone[0]["text"].str.to_lowercase().str.join(" ").item()
