"""Command line: `semhash-llm`, also `python -m flows`.

Commands stand in the order of `--help`: each module adds its own to `app`.
"""

import sys
from io import TextIOWrapper

# isort: off
from flows.cli import pipeline, plan, documents, viewer, snapshots, settings, training, benchmark, serve  # noqa: F401

# isort: on
from flows.cli.app import app
from flows.cli.stopping import stoppable
from tasks.runtime.process_exit import leave_at_once, quietly

__all__ = ["app", "main"]


def main() -> None:
    """Entry point of the console script."""
    quietly()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may know no more than ASCII
    try:
        with stoppable():
            app()
    finally:
        leave_at_once()
