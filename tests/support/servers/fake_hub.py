"""Server that answers as the Hub of Hugging Face does about one data set of one file."""

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

COMMIT = "0" * 40


@contextmanager
def hub(name: str, content: bytes) -> Iterator[str]:
    """Serve the data set `owner/set` with the file `data/NAME`; yields the address, for HF_ENDPOINT."""
    file = {"type": "file", "path": f"data/{name}", "size": len(content), "oid": COMMIT}
    folder = {"type": "directory", "path": "data", "size": 0, "oid": COMMIT}

    class Hub(http.server.BaseHTTPRequestHandler):
        def _tell(self, body: bytes, **headers: str) -> None:
            self.send_response(200)
            for key, value in ({"Content-Length": str(len(body))} | headers).items():
                self.send_header(key.replace("_", "-"), value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if "/resolve/" in path:
                self._tell(content, ETag='"x"', X_Repo_Commit=COMMIT)
            elif "/tree/" in path:
                self._tell(json.dumps([file] if path.endswith("/data") else [folder]).encode())
            else:
                self._tell(json.dumps({"id": "owner/set", "sha": COMMIT, "siblings": []}).encode())

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
