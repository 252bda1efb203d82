"""Root of the command line: name, help, version."""

from importlib.metadata import version
from typing import Annotated

import typer

RUN, READ, KEEP = "Make snapshots", "Ask about documents", "Keep snapshots"
LEARN, SERVE = "Learn and measure", "Serve"
"""Groups of commands in `--help`."""

app = typer.Typer(
    name="semhash-llm",
    help="Deduplicate a text corpus: explained removals, a protected list, a gate before anything is published.",
    epilog="Exit codes: 0 published (or dry run passed), 2 unusable arguments or input, 3 gate refused, 1 other, "
    "130 Ctrl-C (128 + signal).",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",  # lines of a docstring are no lines of a terminal
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"semhash-llm {version('semhash-llm')}")
        raise typer.Exit


@app.callback()
def root(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Deduplicate a text corpus."""
