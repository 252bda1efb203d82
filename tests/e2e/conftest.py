"""One station and one small corpus for all end-to-end tests, and the option to keep pictures."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.e2e.browser import CHROMIUM, Browser
from tests.e2e.station import Station
from tests.support.runs import planted, real_texts


def pytest_addoption(parser):
    parser.addoption("--screenshots", metavar="FOLDER", help="keep pictures of the pages there, e.g. docs/images")


def pytest_collection_modifyitems(items):
    for item in items:
        if "e2e" in item.keywords and CHROMIUM is None:
            item.add_marker(pytest.mark.skip(reason="no browser: install the Debian package chromium"))


@pytest.fixture(scope="session")
def webhook():
    """Address of a web hook and what it was told."""
    told: list[dict[str, Any]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self):
            told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            """Stay silent."""

    server = HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/told", told
    server.shutdown()


@pytest.fixture(scope="session")
def station(tmp_path_factory, webhook):
    address, _ = webhook
    with Station(tmp_path_factory.mktemp("station"), SEMHASH_WEBHOOK=address) as found:
        yield found


@pytest.fixture(scope="session")
def place(tmp_path_factory) -> Path:
    """Folder with corpus/, what arrives in two nights, and two lists of ids to delete, the second one far too long."""
    folder = tmp_path_factory.mktemp("data")
    texts = real_texts(folder / "licences", 160).sort("doc_id")
    first = pl.concat([texts[:120], planted(texts[:120])])
    edited = first[10:11].with_columns(pl.col("text") + "\n\nThis paragraph was added in the second edition.")
    for name, frame in {
        "corpus/first": first,
        "arrivals/tuesday": pl.concat([texts[120:140], edited]),
        "later/wednesday": texts[140:],
    }.items():
        path = folder / f"{name}.parquet"
        path.parent.mkdir(exist_ok=True)
        frame.write_parquet(path)
    (folder / "deleted.txt").write_text(first["doc_id"][20] + "\n")
    (folder / "unwanted.txt").write_text("\n".join(texts["doc_id"][30:80]))
    return folder


@pytest.fixture(scope="session")
def browser():
    with Browser() as found:
        yield found


@pytest.fixture
def keep(request, browser):
    """Keep a picture of what the browser shows under the folder that `--screenshots` names."""
    folder = request.config.getoption("--screenshots")
    return lambda name: browser.picture(Path(folder).absolute() / f"{name}.png") if folder else None
