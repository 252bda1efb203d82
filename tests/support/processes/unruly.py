"""A task runner in this process whose workers are done in any order, and fail when told to."""

import random
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from tasks.parallel.map_parts import bundle
from tasks.parallel.runners import CLUSTER, Workers, _open


class Unruly:
    """A task runner that does what it is given at the end, in any order, and fails when told to."""

    def __init__(self, fails: dict, together: int) -> None:
        self.fails, self.together, self.waiting, self.opened = fails, together, [], 0

    def __enter__(self):
        self.opened += 1
        return self

    def __exit__(self, *_):
        self.waiting.clear()

    def submit(self, task, parameters):
        assert task is bundle
        future = Future()
        self.waiting.append((future, parameters))
        if len(self.waiting) == self.together or self.opened > 1 or self.fails["tried"]:
            self.work()
        return future

    def work(self):
        todo, self.waiting = self.waiting, []
        for future, parameters in random.Random(1).sample(todo, len(todo)):
            index = parameters["indices"][0]
            self.fails["tried"].append(index)
            if self.fails["tried"].count(index) <= self.fails["times"].get(index, 0):
                future.set_exception(self.fails["how"]("lost"))
            else:
                future.set_result(bundle.fn(**parameters))


@contextmanager
def at_work(how: type[Exception] = OSError, together: int = 5, places: int = CLUSTER, **times: int) -> Iterator[Unruly]:
    """Give parts to such a runner while the block runs.

    It has so many `places`, begins with `together` tasks at once, and with `i3=2` that which begins at part 3 fails
    twice.
    """
    fails = {"how": how, "times": {int(name[1:]): many for name, many in times.items()}, "tried": []}
    runner = Unruly(fails, together)
    token = _open.set(Workers(lambda: runner, places))
    try:
        yield runner
    finally:
        _open.reset(token)
