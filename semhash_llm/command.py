"""Command line as it is installed: `semhash-llm`."""

from tasks.runtime.process_exit import STOPPED, leave_at_once


def main() -> None:
    """Entry point of the console script; a signal ends the command while it is imported, too."""
    leave_at_once(STOPPED)

    from flows.cli import main as command

    command()
