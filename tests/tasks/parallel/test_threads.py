"""Parts made by threads of this process: in order, a few at a time, and as many as the memory limit has room for."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tasks.parallel.threads import FIRST_BYTES, MORE_BYTES, at_once, in_threads
from tasks.runtime.run import Run


def _run(threads: int, limit: int = 64_000_000_000) -> Run:
    return Run(workspace=Path("unused"), threads=threads, memory_limit=f"{limit // 10**6}MB")


def _slower_first(number: int) -> int:
    time.sleep(0.02 if number % 3 == 0 else 0)
    return number * number


def test_results_come_in_order_whoever_is_done_first() -> None:
    assert list(in_threads(_run(4), _slower_first, range(20))) == [n * n for n in range(20)]


@pytest.mark.parametrize(
    ("threads", "limit", "expected"),
    [(4, FIRST_BYTES, 1), (4, FIRST_BYTES + MORE_BYTES, 2), (4, 10**9, 1), (4, 64 * 10**9, 4), (1, 64 * 10**9, 1)],
)
def test_as_many_at_once_as_there_is_room_for(threads: int, limit: int, expected: int) -> None:
    assert at_once(_run(threads, limit)) == expected


def test_parts_are_made_side_by_side() -> None:
    both = threading.Barrier(2, timeout=10)  # breaks where one waits for the other to be over
    list(in_threads(_run(2), lambda _: both.wait(), range(4)))


def test_no_more_is_asked_for_than_is_in_the_making() -> None:
    asked: list[int] = []

    def items() -> Iterator[int]:
        for number in range(100):
            asked.append(number)
            yield number

    results = in_threads(_run(3), _slower_first, items())
    next(results)
    assert len(asked) == 4
    results.close()  # type: ignore[attr-defined]


def test_what_makes_parts_within_a_part_makes_them_one_by_one() -> None:
    def inner(number: int) -> list[str]:
        return list(in_threads(_run(4), lambda _: threading.current_thread().name, range(3)))

    for names in in_threads(_run(2), inner, range(4)):
        assert len(set(names)) == 1


def test_a_single_part_is_made_by_the_thread_that_asks() -> None:
    assert list(in_threads(_run(4), lambda _: threading.current_thread().name, [0])) == [threading.main_thread().name]


def test_an_error_ends_the_rest() -> None:
    made: list[int] = []

    def work(number: int) -> int:
        if number == 2:
            raise ValueError("part 2")
        made.append(number)
        return number

    with pytest.raises(ValueError, match="part 2"):
        list(in_threads(_run(2), work, range(100)))
    assert len(made) < 10
