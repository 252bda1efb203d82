"""Command `serve`: a Prefect server with deployments and a worker."""

from typing import Annotated

import typer

from flows.cli.app import SERVE, app
from flows.cli.guard import guarded


@app.command(rich_help_panel=SERVE)
def serve(
    port: Annotated[
        int, typer.Option(min=1, max=65535, envvar="PREFECT_SERVER_API_PORT", help="Port of server and UI.")
    ] = 4200,
    host: Annotated[
        str, typer.Option(help="Address to listen on. Whoever reaches it can start runs and read what they say.")
    ] = "127.0.0.1",
) -> None:
    """Start a Prefect server, a worker and the deployments of this checkout, and keep them until Ctrl-C or SIGTERM.

    What was set in the UI stays: parameters of deployments, and schedules that were switched on. The database is the
    one of PREFECT_API_DATABASE_CONNECTION_URL, by default a file under PREFECT_HOME, which has the logs, too.
    """

    def action() -> None:
        from flows.server.serve import serve

        serve(port, host)

    guarded(action)
