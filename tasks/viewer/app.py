"""Routes of the viewer: it answers this machine only, and what it changes must come from its own page."""

import json
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tasks.explain.archive import Archive
from tasks.runtime.errors import BusyError, InputError
from tasks.viewer.desk import Desk
from tasks.viewer.pages import document_page, pairs_page, review_page
from tasks.viewer.pairs import asked

HOSTS = ["127.0.0.1", "localhost"]
"""Names under which a browser may ask: another could be made to lead here by whoever owns it."""
_HEADERS = {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer"}


def app(archive: Archive, out: Path) -> Starlette:
    """The application over one published snapshot."""
    con = duckdb.connect(config={"autoinstall_known_extensions": False, "parquet_metadata_cache": True})
    desk, token = Desk(archive, out), secrets.token_urlsafe()

    def pairs(request: Request) -> Response:
        return _told(lambda: asked(con.cursor(), archive, request.query_params))

    def document(request: Request) -> Response:
        try:
            return HTMLResponse(document_page(out, request.query_params.get("id", "")), headers=_HEADERS)
        except InputError as error:
            return PlainTextResponse(str(error), 404, headers=_HEADERS)

    def shown(_: Request) -> Response:
        return _told(desk.shown)

    async def answered(request: Request) -> Response:
        if not secrets.compare_digest(request.headers.get("x-token", ""), token):
            return JSONResponse({"error": "not from this page; load it again"}, 403)
        try:
            said = json.loads(await request.body())
            at, key = int(said["at"]), str(said["key"])
        except (ValueError, KeyError, TypeError):
            return JSONResponse({"error": "that is no answer"}, 400)
        return _told(desk.undo if key == "u" else lambda: desk.answer(at, key))

    routes = [
        Route("/", lambda _: HTMLResponse(pairs_page(archive, out), headers=_HEADERS)),
        Route("/review", lambda _: HTMLResponse(review_page(out, token), headers=_HEADERS)),
        Route("/report", lambda _: FileResponse(archive.path / "report.html", headers=_HEADERS)),
        Route("/explain", document),
        Route("/api/pairs", pairs),
        Route("/api/review", shown, methods=["GET"]),
        Route("/api/review", answered, methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)])


def _told(answer: Callable[[], dict[str, Any]]) -> Response:
    try:
        return JSONResponse(answer(), headers=_HEADERS)
    except InputError as error:
        status = 409 if isinstance(error, BusyError) else 400
        return JSONResponse({"error": str(error)}, status, headers=_HEADERS)
