"""Command line as it is installed: `semhash-llm`."""

from flows.cli import main

__all__ = ["main"]
