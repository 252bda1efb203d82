"""The viewer: it finds every pair, answers only its own page on this machine, and writes nothing but reviews."""

import socket
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tasks.explain.archive import Archive
from tasks.review import store as reviews
from tasks.runtime.errors import InputError
from tasks.snapshots.locks import writing
from tasks.viewer.app import app
from tasks.viewer.serve import serve
from tests.support.made_snapshot import make

HOST = "http://127.0.0.1"


@pytest.fixture
def out(tmp_path) -> Path:
    return make(tmp_path / "out").out


@pytest.fixture
def client(out) -> TestClient:
    return TestClient(app(Archive(out / "current"), out), base_url=HOST)


def ids(client, **wanted: str) -> list[tuple[str, ...]]:
    answer = client.get("/api/pairs", params=wanted).json()
    assert answer["total"] == len(answer["pairs"])
    return [tuple(pair["ids"]) for pair in answer["pairs"]]


def token(client) -> dict[str, str]:
    page = client.get("/review").text
    return {"X-Token": page.partition('"token":"')[2].partition('"')[0]}


def kept(out: Path) -> list[tuple]:
    return reviews.load(out / reviews.FILE).select("doc_id_a", "doc_id_b", "label").rows()


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, 6),
        ({"outcome": "removed"}, 3),
        ({"type": "F"}, [("record-1", "record-2")]),
        ({"words": "VIENNA"}, [("host-1", "host-2")]),
        ({"words": "story-e"}, [("story-edited", "story")]),
        ({"survivor": "story"}, 3),
        ({"source": "papers", "outcome": "kept apart"}, 0),
        ({"least": "0.7", "most": "0.8"}, [("record-1", "record-2")]),
        ({"words": "'; drop table \" %"}, 0),
    ],
)
def test_all_pairs_can_be_asked_for(client, wanted, found):
    got = ids(client, **wanted)
    assert len(got) == found if isinstance(found, int) else got == found


def test_orders_and_pages(client):
    least = ids(client, order="least", outcome="kept apart")
    assert least == [("praise-1", "praise-2"), ("host-1", "host-2"), ("record-1", "record-2")]
    assert ids(client, order="most", outcome="kept apart") == least[::-1]
    assert client.get("/api/pairs", params={"page": "1"}).json() == {"total": 6, "pairs": []}


def test_any_document_is_explained(client):
    page = client.get("/explain", params={"id": "nasty"})
    assert page.status_code == 200 and "KEPT as it is" in page.text
    unknown = client.get("/explain", params={"id": "<b>stori"})
    assert unknown.status_code == 404 and unknown.headers["content-type"].startswith("text/plain")


def test_what_is_no_number_is_told(client):
    answer = client.get("/api/pairs", params={"least": "much"})
    assert (answer.status_code, answer.json()) == (400, {"error": "much is no number"})


def test_answers_are_kept_at_once_and_taken_back(client, out):
    told = token(client)
    first = client.get("/api/review").json()
    assert first["at"] == 0 and first["of"] >= 2
    second = client.post("/api/review", json={"at": 0, "key": "y"}, headers=told).json()
    [(*answered, label)] = kept(out)
    assert (sorted(answered), label) == (sorted(first["pair"]["ids"]), "duplicate")
    assert (second["at"], second["answered"]) == (1, 1) and second["pair"]["ids"] != first["pair"]["ids"]
    client.post("/api/review", json={"at": 1, "key": "s"}, headers=told)
    client.post("/api/review", json={"at": 2, "key": "u"}, headers=told)
    again = client.post("/api/review", json={"at": 1, "key": "u"}, headers=told).json()
    assert kept(out) == [] and again == first
    for key, label in (("n", "distinct"), ("c", "contained")):
        client.post("/api/review", json={"at": 0, "key": key}, headers=told)
        assert [row[2] for row in kept(out)] == [label]
        client.post("/api/review", json={"at": 1, "key": "u"}, headers=told)


def test_a_port_that_is_taken_is_told(out):
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(InputError, match="name another with --port"):
        serve(out, other.getsockname()[1], browser=False, tell=print)


def test_only_its_own_page_may_answer(client, out):
    told = token(client)
    assert client.post("/api/review", json={"at": 0, "key": "y"}).status_code == 403
    assert client.post("/api/review", json={"at": 7, "key": "y"}, headers=told).status_code == 400
    assert client.post("/api/review", content="nonsense", headers=told).status_code == 400
    assert client.get("/", headers={"Host": "elsewhere.example"}).status_code == 400
    with writing(out, role="reviews"):
        assert client.post("/api/review", json={"at": 0, "key": "y"}, headers=told).status_code == 409
    assert kept(out) == []
    assert client.get("/api/review").json()["at"] == 0, "what was not kept is asked again"
