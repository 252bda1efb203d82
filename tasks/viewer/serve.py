"""Server of the viewer on the loopback address."""

import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from tasks.explain.archive import Archive
from tasks.runtime.errors import InputError
from tasks.viewer.app import app

HOST = "127.0.0.1"


def serve(out: Path, port: int, *, browser: bool, tell: Callable[[str], None]) -> None:
    """Serve the published snapshot until Ctrl-C; `gc` leaves it alone meanwhile.

    Args:
        out: output folder.
        port: 0 for any that is free.
        browser: open the page in a browser, too.
        tell: hears where the page is once it can be asked for.

    Raises:
        InputError: nothing is published, or the port is taken.
    """
    with Archive.current(out) as archive, socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((HOST, port))
        except OSError as error:
            raise InputError(f"port {port} cannot be used ({error.strerror}): name another with --port") from error
        door.listen()
        page = f"http://{HOST}:{door.getsockname()[1]}/"
        tell(page)
        if browser:
            webbrowser.open(page)
        server = uvicorn.Server(uvicorn.Config(app(archive, out), log_level="error"))
        with suppress(KeyboardInterrupt):
            server.run(sockets=[door])
