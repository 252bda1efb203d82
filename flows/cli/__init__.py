"""Command line: `semhash-llm`, also `python -m flows`."""

import sys
from io import TextIOWrapper

from flows.cli import commands  # noqa: F401
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
