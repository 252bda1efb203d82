"""Command `open`: the published snapshot in a browser."""

from typing import Annotated

import typer

from flows.cli.app import READ, app
from flows.cli.guard import guarded
from flows.cli.options import Out


@app.command("open", rich_help_panel=READ)
def open_snapshot(
    out: Out,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on this machine; 0 takes one that is free.")] = 4280,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Show all pairs of the published snapshot in a browser, with search, and review by key, until Ctrl-C.

    Only this machine is answered. Nothing is changed but OUT/reviews.parquet, the file that `review` writes, too: keys
    y (duplicate), n (distinct) and c (contained) answer, s skips, u takes back.

    Example: semhash-llm open --out published
    """

    def action() -> None:
        from tasks.viewer.serve import serve

        serve(out, port, browser=browser, tell=typer.echo)

    guarded(action)
