"""Parts of a table mapped over workers, or over threads of this process: the same bytes either way.

What a part is made of is in the workspace, and so is what becomes of it: workers and this process share that folder,
and only words and numbers travel between them. A part file appears in one step, so a worker that dies leaves nothing
that anybody would read; its part is made again.
"""

import queue
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray
from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.futures import PrefectFuture

from tasks.parallel.runners import Workers, current
from tasks.parallel.threads import in_threads
from tasks.pipeline.versions import version
from tasks.remote.object_mirror import discard, fetch, lend, mirror
from tasks.remote.remote_pickle import dump, load, pack, unpack
from tasks.runtime.errors import DamageError, InputError
from tasks.runtime.memory import peak_memory_mb, reset_peak_memory
from tasks.runtime.process_exit import quietly
from tasks.runtime.progress import Bar
from tasks.storage.atomic import atomic_path
from tasks.storage.stage import Stage
from tasks.storage.work import Elsewhere, Work

Value = TypeVar("Value")
Advance = Callable[[int], None]
Make = Callable[[int, Advance], pl.DataFrame]
Arrays = Mapping[str, NDArray[Any]]
Over = Callable[..., Iterator[Any]]
"""`map`, or `map_rows` for some table."""

ATTEMPTS = 3
"""How often a part is tried before its error ends the run."""
WORTH, LEAST = 2.0, 1e-4
"""CPU seconds of parts that are worth a task, which takes a worker up to a tenth of one, and those of the cheapest."""


def fill(
    stage: Stage, make: Make, indices: Sequence[int], bar: Bar, group: int | None = None, *, dense: bool = False
) -> None:
    """Write parts of a table.

    Args:
        stage: the table.
        make: the rows of a part from its index; tells its second argument how far it is. A function of a module with
            arguments that can be pickled, as `functools.partial` makes it.
        indices: parts to be written.
        bar: counts what `make` tells.
        group: rows of a row group.
        dense: what is written cannot be compressed.
    """
    if current():
        for done in write_parts(stage, partial(_write, stage, make, group, dense), indices):
            bar.advance(done)
    else:

        def write(index: int) -> None:
            stage.write(index, make(index, bar.advance), group, dense=dense)

        for _ in in_threads(stage.run, write, indices):
            pass


def write_parts(stage: Stage, work: Callable[[int], list[Value]], indices: Sequence[int]) -> Iterator[Value]:
    """One result of `work` for each index, in their order, where `work` writes the part of that index.

    Args:
        stage: the table.
        work: a function of a module with arguments that can be pickled.
        indices: parts to be written.
    """
    for index, told in zip(indices, spread(stage, work, indices), strict=True):
        mirror(stage.part(index))
        yield told


def spread(stage: Work, work: Callable[[int], Iterable[Value]], indices: Sequence[int]) -> Iterator[Value]:
    """Results of `work` for each index, in the order of `indices` whoever is done first.

    Args:
        stage: what this is for.
        work: a function of a module with arguments that can be pickled. Where it writes parts of the table,
            `write_parts` is what to call.
        indices: its arguments.
    """
    if workers := current():
        yield from _spread(workers, stage, work, indices)
    else:
        for values in in_threads(stage.run, lambda index: list(work(index)), indices):
            yield from values


def map_numbers(stage: Work, work: Callable[[int], Value], numbers: Sequence[int]) -> Iterator[Value]:
    """Results of `work`, a function as `spread` takes it, for each number, as `map` gives them."""
    yield from spread(stage, partial(_alone, work), numbers)


def _alone(work: Callable[[int], Value], number: int) -> list[Value]:
    return [work(number)]


def map_rows(stage: Work, work: Callable[..., Value], *several: Iterable[pl.DataFrame]) -> Iterator[Value]:
    """Results of `work` for each batch of rows, as `map` gives them; workers find the rows laid out.

    Args:
        stage: what this is for.
        work: a function of a module with arguments that can be pickled, of as many frames as there are `several`.
        several: batches of rows.
    """
    if not current():
        yield from in_threads(stage.run, lambda frames: work(*frames), zip(*several, strict=True))
        return
    number, laid = -1, partial(_rows, _for_this_call(stage), len(several))
    for number, frames in enumerate(zip(*several, strict=True)):
        for frame, place in zip(frames, laid(number), strict=True):
            frame.write_ipc(place)
            lend(place)
    yield from spread(stage, partial(_with_rows, work, laid), range(number + 1))
    for done in range(number + 1):
        for place in laid(done):
            discard(place)


def _with_rows(work: Callable[..., Value], laid: Callable[[int], list[Path]], number: int) -> list[Value]:
    return [work(*(pl.read_ipc(fetch(place)) for place in laid(number)))]


def _rows(call: Path, several: int, number: int) -> list[Path]:
    return [call.with_name(f"{call.name}.{number:05d}.{which}.rows.tmp") for which in range(several)]


def _for_this_call(stage: Work) -> Path:
    """How the names of files of one call begin: a worker without a shared disk keeps what it fetched under a name."""
    return stage.path / f".{uuid.uuid4().hex}"


def map_chunks(
    stage: Work, work: Callable[[Arrays, int], Value], numbers: Sequence[int], arrays: Arrays
) -> Iterator[Value]:
    """Results of `work` for each number, as `map` gives them, with arrays that workers map instead of copying them.

    Args:
        stage: what this is for.
        work: a function of a module with arguments that can be pickled.
        numbers: its second arguments.
        arrays: its first.
    """
    if not current():
        yield from in_threads(stage.run, partial(work, arrays), numbers)
        return
    call = _for_this_call(stage)
    places = {name: call.with_name(f"{call.name}.{name}.array.tmp") for name in arrays}
    for name, array in arrays.items():
        with places[name].open("wb") as file:
            np.save(file, array)
        lend(places[name])
    yield from spread(stage, partial(_with_arrays, work, places), numbers)
    for place in places.values():
        discard(place)


def _with_arrays(work: Callable[[Arrays, int], Value], places: dict[str, Path], number: int) -> list[Value]:
    # Mapped so that kernels take them for arrays that may be written, as they are in one process.
    return [work({name: np.load(fetch(place), mmap_mode="c") for name, place in places.items()}, number)]


def _write(stage: Stage, make: Make, group: int | None, dense: bool, index: int) -> list[int]:
    done: list[int] = []
    stage.write(index, make(index, done.append), group, dense=dense)
    return [sum(done)]


@task(task_run_name="{name} from {indices[0]}", cache_policy=NO_CACHE, persist_result=False)
def bundle(name: str, indices: list[int], told: Any, made_by: list[str], made_with: str) -> Elsewhere:
    """Do some parts on a worker and leave what comes of each in the workspace; returns what they took.

    Args:
        name: of the table.
        indices: of the parts.
        told: what to do with an index, and the files for what comes of each, maybe as a parcel.
        made_by: names of what makes the table.
        made_with: their version.

    Raises:
        RuntimeError: the worker has other source of these, whose answers may differ.
    """
    if (here := version(*made_by)) != made_with:
        raise RuntimeError(f"a worker has version {here} of {' '.join(made_by)}, this run has {made_with}")
    quietly()
    reset_peak_memory()
    took, started = Elsewhere(), time.process_time()
    work, places = unpack(told)
    for index, place in zip(indices, places, strict=True):
        values = list(work(index))
        with atomic_path(place) as temporary:
            dump(values, temporary)
        lend(place)
        cpu, started = time.process_time() - started, time.process_time()
        took = took.beside(Elsewhere(cpu, cpu, peak_memory_mb()))
    return took


def bundle_size(left: int, places: int, seconds: float) -> int:
    """Number of parts of the next task: many at first, single ones at the end, so that all workers end together.

    A task costs the process of the run and a worker the same whatever it does, so parts that cost less go together.

    Args:
        left: parts that no task has yet.
        places: tasks under way at the same time, about.
        seconds: CPU seconds that a part takes, 0 as long as nobody knows.
    """
    even = -(-left // (2 * places))
    return min(left, max(even, int(WORTH / seconds))) if seconds else even


def _spread(
    workers: Workers, stage: Work, work: Callable[[int], Iterable[Value]], indices: Sequence[int]
) -> Iterator[Value]:
    ended: queue.SimpleQueue[tuple[int, int, PrefectFuture[Elsewhere]]] = queue.SimpleQueue()
    failed: Counter[int] = Counter()
    several: list[list[int]] = []
    done: set[int] = set()
    left, known, seconds = list(indices), 0, 0.0
    made_with, place = version(*stage.made_by), partial(_place, _for_this_call(stage))

    def begin(number: int) -> None:
        told = pack((work, [place(index) for index in several[number]]), stage.run.workspace)
        given = {"name": stage.name, "indices": several[number], "told": told, "made_by": stage.made_by}
        future = workers.submit(bundle, given | {"made_with": made_with})
        opened = workers.opened
        future.add_done_callback(lambda _: ended.put((number, opened, future)))

    number = 0
    while left or number < len(several):
        while left and len(several) - len(done) < workers.places * (2 if done else 1):
            size = bundle_size(len(left), workers.places, max(seconds / known, LEAST) if known else 0.0)
            several.append(left[:size])
            del left[:size]
            begin(len(several) - 1)
        if number in done and ended.empty():
            for index in several[number]:
                yield from load(fetch(place(index)), stage.run.workspace)
                discard(place(index))
            number += 1
            continue
        other, opened, future = ended.get()
        try:
            took = future.result()
        except Exception as error:
            failed[other] += 1
            if failed[other] == ATTEMPTS or isinstance(error, DamageError | InputError):
                raise
            workers.mend(error, opened)
            begin(other)
        else:
            stage.elsewhere = stage.elsewhere.beside(took)
            known, seconds = known + len(several[other]), seconds + took.cpu
            done.add(other)


def _place(call: Path, index: int) -> Path:
    return call.with_name(f"{call.name}.{index:05d}.values.tmp")
