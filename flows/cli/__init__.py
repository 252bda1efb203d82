"""Command line: `semhash-llm`, also `python -m flows`.

Commands stand in the order of `--help`: each module adds its own to `app`.
"""

from flows.cli import pipeline, training, documents, snapshots, settings, benchmark, serve  # noqa: F401, I001
from flows.cli.app import app
from tasks.runtime.process_exit import quietly

__all__ = ["app", "main"]


def main() -> None:
    """Entry point of the console script."""
    quietly()
    app()
