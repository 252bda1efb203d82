"""Threads of this process for the parts of a table: kernels and libraries let go of the interpreter while they compute.

What a part becomes follows from its number alone, and results come in the order of the parts, so no byte depends on how
many are made at the same time.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from itertools import chain, islice
from typing import TypeVar

from tasks.runtime.run import Run

Value = TypeVar("Value")
Item = TypeVar("Item")

FIRST_BYTES, MORE_BYTES = 2_000_000_000, 1_000_000_000
"""Of the memory limit: what a run needs that makes one part at a time, and what it needs for each one more."""
_within: ContextVar[bool] = ContextVar("within", default=False)


def at_once(run: Run) -> int:
    """Parts that are made at the same time: as many as the run has threads and room for, one where these make parts."""
    if _within.get():
        return 1
    return max(1, min(run.threads, 1 + (run.limit_bytes - FIRST_BYTES) // MORE_BYTES))


def in_threads(run: Run, work: Callable[[Item], Value], items: Iterable[Item]) -> Iterator[Value]:
    """Results of `work` for each item, in their order; no more of them wait than are in the making.

    Args:
        run: says how many are made at the same time.
        work: what may be done by several threads at the same time.
        items: its arguments; they are asked for as they are needed, by the thread that takes the results.
    """
    threads, rest = at_once(run), iter(items)
    first = list(islice(rest, 2))
    if threads == 1 or len(first) == 1:
        yield from map(work, chain(first, rest))
        return
    waiting: deque[Future[Value]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in chain(first, rest):
                waiting.append(pool.submit(copy_context().run, _alone, work, item))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _alone(work: Callable[[Item], Value], item: Item) -> Value:
    _within.set(True)
    return work(item)
