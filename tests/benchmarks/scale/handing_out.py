"""What it costs the process of a run to hand out parts: CPU seconds for parts that do nothing.

    python -m tests.benchmarks.scale.handing_out [--parts 64]

One worker process, which is started before. Parts are tasks of their own, as where a cluster may have a worker for
each, and then in as few tasks as one worker gets.
"""

import argparse
import tempfile
import time
from pathlib import Path

from prefect import flow

from tasks.parallel.map_parts import spread
from tasks.parallel.runners import current, workers
from tasks.pipeline.registry import COUNT
from tasks.runtime.run import Run
from tasks.storage.stage import Stage


def nothing(index: int) -> list[int]:
    """A part."""
    return [index]


@flow
def hand_out(parts: int) -> list[str]:
    """Say what parts cost, handed out one by one and several at a time."""
    told = []
    with tempfile.TemporaryDirectory() as folder, workers("processes", None, 1, 4 * 10**9):
        runner = current()
        assert runner
        stage = Stage(Run(workspace=Path(folder)), COUNT, [])
        stage.path.mkdir(parents=True)
        for places in (1, parts, 1):
            runner.places, submit, tasks = places, runner.submit, []
            runner.submit = lambda *given: tasks.append(given) or submit(*given)  # type: ignore  # noqa: B023
            started, begun = time.process_time(), time.monotonic()
            list(spread(stage, nothing, range(parts)))
            cpu, wall = time.process_time() - started, time.monotonic() - begun
            del runner.submit
            told.append(f"{parts} parts in {len(tasks)} tasks: {cpu:.2f} CPU s here, {wall:.1f} s")
    return told[1:]


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--parts", type=int, default=64)
    print("\n".join(hand_out(asked.parse_args().parts)))
