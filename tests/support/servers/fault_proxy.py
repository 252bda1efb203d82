"""A real HTTP server before an endpoint, or in its place, that breaks the answers that it is told to."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class Reply(NamedTuple):
    """What goes back: `cut` sends a part of the body only, `after` waits first, `drip` waits between single bytes."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = MappingProxyType({})
    cut: bool = False
    after: float = 0.0
    drip: float = 0.0


Script = Callable[[int, str, dict], Reply | None]
"""From number of the call, path and body to a reply; None: pass on, or answer as `upstream` would."""


class Proxy:
    """Its address, and what was asked of it: (path, headers, body) of each call."""

    def __init__(self, script: Script, upstream: str | None) -> None:
        self.script, self.upstream = script, upstream
        self.asked: list[tuple[str, dict[str, str], dict]] = []
        self.open = self.most_open = 0
        self.url = ""
        self._lock = threading.Lock()

    def reply(self, path: str, headers: dict[str, str], body: dict) -> Reply:
        with self._lock:
            number = len(self.asked)
            self.asked.append((path, headers, body))
        scripted = self.script(number, path, body)
        return scripted or (self._passed_on(path, headers, body) if self.upstream else Reply(404))

    def _passed_on(self, path: str, headers: dict[str, str], body: dict) -> Reply:
        kept = {name: headers[name] for name in ("content-type", "authorization")}
        request = Request(f"{self.upstream}{path}", json.dumps(body).encode(), kept)
        try:
            with urlopen(request, timeout=300) as answer:
                return Reply(answer.status, answer.read())
        except HTTPError as error:
            return Reply(error.code, error.read())
        except OSError:
            return Reply(502, b"bad gateway")

    @contextmanager
    def counted(self) -> Iterator[None]:
        with self._lock:
            self.open += 1
            self.most_open = max(self.most_open, self.open)
        yield
        with self._lock:
            self.open -= 1


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        proxy: Proxy = self.server.proxy
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with proxy.counted():
            reply = proxy.reply(
                self.path.removeprefix("/v1"), {name.lower(): value for name, value in self.headers.items()}, body
            )
            time.sleep(reply.after)
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply.body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self._send(reply)
        except OSError:  # whoever asked has left
            self.close_connection = True

    def _send(self, reply: Reply):
        if reply.drip:
            for byte in reply.body:
                self.wfile.write(bytes([byte]))
                time.sleep(reply.drip)
        else:
            self.wfile.write(reply.body[: len(reply.body) // 2] if reply.cut else reply.body)
        self.close_connection = reply.cut

    def log_message(self, *_):
        pass


@contextmanager
def serving(script: Script, upstream: str | None = None) -> Iterator[Proxy]:
    """Serve below `/v1` while the block runs; `upstream` is a base URL."""
    proxy = Proxy(script, upstream)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads, server.block_on_close, server.proxy = True, False, proxy
    proxy.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield proxy
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
