"""Inputs that are no plain file here: tables of DuckDB, records of WARC files, objects behind URLs."""

import gzip
import http.server
import io
import json
import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import duckdb
import fsspec
import polars as pl
import pytest
import zstandard

from tasks.ingest import remote
from tasks.ingest.discover import discover
from tasks.ingest.readers import Batch, Columns, column_names, read
from tasks.runtime.errors import InputError
from tests.support import ROOT
from tests.support.servers.fake_hub import hub
from tests.tasks.ingest.test_readers import load, rejects, texts

FRAME = pl.DataFrame({"id": ["a", "b"], "text": ["one text", "another"], "n": [1, 2]})


def whole(given: str, **columns: str) -> list[Batch]:
    return [batch for file in discover([given]) for batch in read(file, Columns("text", "id"), 100)]


@pytest.fixture
def database(tmp_path) -> Path:
    path = tmp_path / "corpus.duckdb"
    with duckdb.connect(path) as con:
        con.execute("create table \"the 'pages'\" as select i::varchar as id, 'text ' || i as text, 1.5::decimal(9, 2) "
                    "as price, {'a': i} as meta from range(3) as _(i)")  # fmt: skip
        con.execute("create view other as select 'v' as id, 'seen' as text")
        con.execute("create view thief as select 't' as id, content as text from read_text('/etc/hostname')")
        con.execute("create table odd as select 'x' as text, '101'::bit as bits")
    return path


def test_a_table_or_view_of_a_duckdb_file_is_read_in_its_order(database):
    got = load(f"{database}::the 'pages'", id="id", batch_rows=2)
    assert texts(got) == ["text 0", "text 1", "text 2"]
    assert got.extras["price"].to_pylist()[0].as_tuple().exponent == -2
    assert set(got.files.to_pylist()) == {f"{database}::the 'pages'"}
    assert texts(load(f"{database}::other", id="id")) == ["seen"]
    [file] = discover([f"{database}::other"])
    assert column_names(file, 1) == ["id", "text"]


@pytest.mark.parametrize(
    ("table", "said"),
    [("::none", "has no table 'none'"), ("", "has several tables"), ("::odd", "column 'bits' holds BIT")],
)
def test_a_table_that_cannot_be_read_is_told(database, table, said):
    with pytest.raises(InputError, match=said):
        load(f"{database}{table}")


def test_a_view_reads_no_other_files(database):
    with pytest.raises((InputError, duckdb.Error)):
        load(f"{database}::thief", id="id")


def test_wet_records_are_documents_and_pages_of_html_rejects(tmp_path):
    writer = pytest.importorskip("warcio.warcwriter")
    with (tmp_path / "a.warc.wet.gz").open("wb") as sink:
        out = writer.WARCWriter(sink, gzip=True)
        out.write_record(out.create_warcinfo_record("a.warc.wet.gz", {"software": "x"}))
        for index, text in enumerate(["Erster Text", "second \u00e9"]):
            record = out.create_warc_record(
                f"http://x.test/{index}",
                "conversion",
                payload=io.BytesIO(text.encode()),
                warc_content_type="text/plain",
                warc_headers_dict={"WARC-Record-ID": f"<urn:uuid:{index}>"},
            )
            out.write_record(record)
        page = io.BytesIO(b"<p>no</p>")
        out.write_record(out.create_warc_record("http://x.test/p", "resource", page, warc_content_type="text/html"))
    got = load(tmp_path / "a.warc.wet.gz", id="doc_id")
    assert texts(got) == ["Erster Text", "second \u00e9"]
    assert got.rows["doc_id"].to_pylist() == ["<urn:uuid:0>", "<urn:uuid:1>"]
    assert got.extras["url"].to_pylist() == ["http://x.test/0", "http://x.test/1"]
    assert rejects(got) == [(3, "holds text/html and no plain text: extract the text first")]
    path, plain = tmp_path / "a.warc.wet.gz", gzip.decompress((tmp_path / "a.warc.wet.gz").read_bytes())
    for end, pack in (("wet", bytes), ("warc.gz", gzip.compress), ("warc.zst", zstandard.compress)):
        path = tmp_path / f"b.{end}"
        path.write_bytes(pack(plain))
        assert texts(load(path, id="doc_id")) == ["Erster Text", "second \u00e9"], end
    path.write_bytes(path.read_bytes()[:-9])
    assert rejects(load(path, id="doc_id"))[-1][1].startswith("unreadable from here on")


def test_objects_behind_urls_are_read_like_files(tmp_path, monkeypatch):
    monkeypatch.setitem(remote.PACKAGES, "memory", "")
    store = fsspec.filesystem("memory")
    for name in ("in/a.parquet", "in/deep/b.parquet", "in/.hidden.parquet"):
        FRAME.with_columns(id=pl.col("id") + name).write_parquet(tmp_path / "x.parquet")
        store.pipe(f"/bucket/{name}", (tmp_path / "x.parquet").read_bytes())
    store.pipe("/bucket/in/c.txt", b"a text")
    found = discover(["memory://bucket/in"])
    names = ["a.parquet", "c.txt", "deep/b.parquet"]
    assert [file.told for file in found] == [f"memory:///bucket/in/{name}" for name in names]
    assert [file.name for file in found] == names
    assert [file.told for file in discover(["memory://bucket/in/*.parquet"])] == ["memory:///bucket/in/a.parquet"]
    [batch] = whole("memory://bucket/in/a.parquet")
    assert texts(batch) == FRAME["text"].to_list() and batch.files[0].as_py().startswith("memory://")
    for given, said in (("memory://bucket/none", "does not exist"), ("ftp://x/y.csv", "no such protocol")):
        with pytest.raises(InputError, match=said):
            discover([given])


def test_s3_and_http_are_read_like_files(tmp_path, monkeypatch):
    pytest.importorskip("s3fs")
    pytest.importorskip("aiohttp")
    moto = pytest.importorskip("moto.server")
    FRAME.write_ndjson(tmp_path / "a.jsonl")
    server = moto.ThreadedMotoServer(port=0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        keys = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}
        for name, value in (keys | {"AWS_ENDPOINT_URL": f"http://{host}:{port}"}).items():
            monkeypatch.setenv(name, value)
        store = fsspec.filesystem("s3", skip_instance_cache=True)
        store.mkdir("corpus")
        store.put(str(tmp_path / "a.jsonl"), "corpus/in/a.jsonl")
        [batch] = whole("s3://corpus/in")
        assert texts(batch) == FRAME["text"].to_list() and batch.files[0].as_py() == "s3://corpus/in/a.jsonl"
        with pytest.raises(InputError):
            discover(["s3://corpus/none"])
    finally:
        server.stop()
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        [batch] = whole(f"http://127.0.0.1:{web.server_port}/a.jsonl")
        assert texts(batch) == FRAME["text"].to_list()
        with pytest.raises(InputError):
            discover([f"http://127.0.0.1:{web.server_port}/none.jsonl"])
        web.shutdown()


READ_THE_HUB = """
import json
from tasks.ingest.discover import discover
from tasks.ingest.remote import fetched
urls = [f"hf://datasets/owner/set/{one}" for one in ("data/a.jsonl", "data", "data/*.jsonl")]
print(json.dumps([[file.told for file in discover([url])] for url in urls]))
print(fetched(urls[0]).read_text())
"""


def test_data_sets_of_the_hub_are_read_like_files():
    """In a process of its own, since the address of the Hub is read where its library is imported."""
    with hub("a.jsonl", b'{"text": "of the Hub"}\n') as address:
        found = subprocess.run(
            [sys.executable, "-c", READ_THE_HUB], cwd=ROOT, capture_output=True, text=True, check=False,
            env=os.environ | {"HF_ENDPOINT": address, "HF_HUB_OFFLINE": "1"},
        )  # fmt: skip
    assert found.returncode == 0, found.stderr
    told, content = found.stdout.splitlines()[:2]
    assert json.loads(told) == [["hf://datasets/owner/set/data/a.jsonl"]] * 3
    assert content == '{"text": "of the Hub"}'
