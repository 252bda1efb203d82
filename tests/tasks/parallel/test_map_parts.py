"""Parts made by others: in the order of their indices, again where one failed, and the same bytes as made here."""

import math
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack
from functools import partial

import numpy as np
import polars as pl
import pytest
from prefect.server.api.server import SubprocessASGIServer
from typer.testing import CliRunner

import tasks.parallel.runners
from flows.cli import app
from tasks.parallel.map_parts import ATTEMPTS, WORTH, bundle, bundle_size, fill, map_chunks, map_rows, spread
from tasks.parallel.runners import current, share, workers
from tasks.runtime.errors import InputError
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import parts
from tests.support.made_up import made_up
from tests.support.processes.unruly import at_work
from tests.support.runs import SETTINGS


@pytest.fixture
def unruly():
    """A function that opens such a runner for the test; returns what it tried."""
    with ExitStack() as stack:
        yield lambda *given, **times: stack.enter_context(at_work(*given, **times))


def tens(index):
    return range(10 * index, 10 * index + 3)


def rows(index, advance):
    advance(2)
    return pl.DataFrame({"doc": [2 * index, 2 * index + 1]})


@pytest.fixture
def stage(tmp_path):
    return Stage(Run(workspace=tmp_path), made_up("numbers"), [])


def test_values_come_in_the_order_of_the_indices(stage, unruly):
    alone = list(spread(stage, tens, range(5)))
    runner = unruly()
    with stage:
        assert list(spread(stage, tens, range(5))) == alone == [10 * i + k for i in range(5) for k in range(3)]
    assert runner.fails["tried"] != sorted(runner.fails["tried"]), "the order was no test"
    assert not list(stage.path.glob(".*"))


@pytest.mark.parametrize("places", [1, 2, 64])
@pytest.mark.parametrize("parts", [0, 1, 2, 25, 10_000])
def test_a_task_does_many_dear_parts_at_first_and_one_at_last(parts, places):
    sizes = handed_out(parts, places, seconds=60)
    assert sum(sizes) == parts and sizes == sorted(sizes, reverse=True)
    assert not sizes or (sizes[0] <= 1 + parts / (2 * places) and sizes[-1] == 1)
    assert len(sizes) <= 2 * places * (1 + max(0.0, math.log(max(parts, 1) / (2 * places)))) + 2


def test_cheap_parts_are_done_together_once_that_is_known():
    assert bundle_size(100, 2, seconds=0) == 25
    assert bundle_size(100, 2, seconds=0.001) == 100
    assert handed_out(100, 2, seconds=WORTH / 30) == [30, 30, 30, 10]


def handed_out(parts, places, seconds):
    sizes = []
    while parts:
        sizes.append(bundle_size(parts, places, seconds))
        parts -= sizes[-1]
    return sizes


def test_parts_that_are_done_together_are_made_again_together(stage, unruly):
    runner = unruly(OSError, together=1, places=1, i0=1)
    with stage:
        assert list(spread(stage, tens, range(5))) == [10 * i + k for i in range(5) for k in range(3)]
        assert not list(stage.path.glob(".*"))
    assert runner.fails["tried"] == [0, 0, 3], "three at first, and what is left, as they were cheap"


def joined(start, one, other):
    return start, one["doc"].to_list(), other["of"].to_list()


@pytest.mark.parametrize("batches", [0, 1, 5])
def test_rows_are_laid_out_for_workers_as_map_would_give_them(stage, unruly, batches):
    several = [
        [pl.DataFrame({name: range(first, first + number)}) for number in range(batches)]
        for name, first in (("doc", 0), ("of", 7))
    ]
    alone = list(map_rows(stage, partial(joined, 3), *several))
    unruly(OSError, together=batches, i1=1)
    with stage:
        assert list(map_rows(stage, partial(joined, 3), *map(iter, several))) == alone
        assert len(alone) == batches
        assert not list(stage.path.glob(".*"))


def gathered(k, arrays, number):
    return arrays["chosen"][number::k].tolist(), arrays["none"].shape


def test_arrays_that_all_need_are_laid_out_once(stage, unruly):
    arrays = {"chosen": np.arange(7), "none": np.empty((0, 4), np.uint64)}
    unruly(OSError, together=3, i1=1)
    with stage:
        found = list(map_chunks(stage, partial(gathered, 3), range(3), arrays))
        assert not list(stage.path.glob(".*"))
    assert found == [gathered(3, arrays, number) for number in range(3)]


def test_no_two_calls_lay_files_under_one_name(stage, unruly, monkeypatch):
    lent = []
    monkeypatch.setattr("tasks.parallel.map_parts.lend", lambda place: lent.append(place) if "tmp" in place.name else 0)
    unruly(OSError, together=1)
    with stage:
        for first in (0, 7):
            list(map_rows(stage, partial(joined, 3), *([pl.DataFrame({name: [first]})] for name in ("doc", "of"))))
            list(map_chunks(stage, partial(gathered, 1), range(1), {"chosen": np.arange(first), "none": np.empty(0)}))
    laid = [place.name for place in lent if ".rows." in place.name or ".array." in place.name]
    assert len(laid) == len(set(laid)) == 8, "a worker without a shared disk would take the first for the second"


@pytest.mark.parametrize("how", [OSError, BrokenExecutor])
def test_a_part_that_failed_is_made_again(stage, unruly, how):
    runner = unruly(how, i1=ATTEMPTS - 1, i3=1)
    with stage, stage_progress("numbers", 10) as bar:
        fill(stage, rows, range(5), bar)
        assert bar.done == 10
    assert pl.read_parquet(parts(stage.ref))["doc"].to_list() == list(range(10))
    assert [runner.fails["tried"].count(index) for index in range(5)] == [1, ATTEMPTS, 1, 2, 1]
    assert (runner.opened > 1) == (how is BrokenExecutor)


def test_a_part_that_fails_every_time_ends_the_run(stage, unruly):
    unruly(i2=ATTEMPTS)
    with pytest.raises(OSError, match="lost"), stage:
        list(spread(stage, tens, range(5)))


def test_a_worker_with_another_version_is_refused(stage, tmp_path):
    with pytest.raises(RuntimeError, match="version"):
        bundle.fn("numbers", [0], (tens, [tmp_path / "values"]), stage.made_by, "another")
    assert not list(tmp_path.iterdir())


def test_a_part_has_one_thread_where_others_run_beside_it(stage, unruly):
    assert share(stage.run).threads == 2
    unruly()
    assert share(stage.run).threads == 1


@pytest.mark.parametrize("runner", ["threads", "processes"])
def test_a_cluster_needs_a_runner_that_has_one(runner):
    with pytest.raises(InputError, match="--cluster"), workers(runner, "tcp://127.0.0.1:1", 2, 4 * 10**9):
        pass


@pytest.mark.parametrize(("limit", "started"), [(2_500_000_000, 2), (10**8, 1), (10**11, 8)])
def test_no_more_workers_than_the_memory_limit_has_room_for(limit, started, monkeypatch, capsys):
    monkeypatch.setattr(tasks.parallel.runners, "Processes", lambda **given: given["max_workers"])
    with workers("processes", None, 8, limit):
        assert current()._make() == started
    assert (f"{started} workers instead of 8" in capsys.readouterr().err) == (started < 8)


@pytest.mark.slow
def test_processes_make_what_one_process_makes(curated, tmp_path):
    given = [str(curated.parent / "corpus.parquet"), "--out", str(tmp_path), "--runner", "processes"]
    for setting in (*SETTINGS, "gate.canaries=false"):
        given += ["--set", setting]
    done = CliRunner().invoke(app, ["curate", *given])
    assert done.exit_code == 0, done.output
    assert not SubprocessASGIServer._instances, "a second server was started"
    tables = [
        {path.relative_to(out): path.read_bytes() for path in (out / "workspace").glob("tables/*/[!_]*")}
        for out in (curated, tmp_path)
    ]
    assert tables[0].keys() == tables[1].keys()
    assert [path for path in tables[0] if tables[0][path] != tables[1][path]] == []
