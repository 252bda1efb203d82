"""What a run under Prefect leaves behind: artifacts, arrows between tasks, and word of a failure."""

import base64
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from xml.etree import ElementTree

import httpx
import polars as pl
import pytest
from prefect import flow, task
from prefect.artifacts import Artifact
from prefect.settings import PREFECT_API_URL
from prefect.utilities.engine import collect_task_run_inputs_sync
from prefect.variables import Variable

from flows.notify import notify
from models.evaluation.canaries import Planted
from tasks.pipeline.registry import STAGES
from tasks.publish import prefect_artifacts as artifacts
from tasks.publish.gate_examples import with_rows
from tasks.publish.trend import RUNS, trend
from tasks.report.markdown import code
from tasks.report.sparklines import trend_svg
from tasks.runtime.errors import GateError
from tasks.snapshots.layout import switch
from tasks.storage.tables import TableRef
from tests.support.made_snapshot import CHECKS, make

pytestmark = pytest.mark.flows

REFUSING = {"check": "protected_removed", "value": 0.123456, "bound": ">= 1", "passed": False, "severity": "critical"}
FATES = (Planted("S_A", 8, 4, 3), Planted("S_E", 9, 0, 0), Planted("preservation", 10, 10, 9))
CANARIES = {"S_A": 0.75, "S_E": None, "preservation": 0.9}
STAGE_ROWS = pl.DataFrame(
    {"stage": ["extract", "sign", "verify"], "pass_rate": [1.0, None, 0.25], "seconds": [2.0, 5.5, 1.0],
     "reused": [True, False, False]}
)  # fmt: skip


@pytest.fixture
def webhook():
    """An address of this machine, and what was posted to it."""
    posted = []

    class Listener(BaseHTTPRequestHandler):
        def do_POST(self):
            posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Listener) as listener:
        thread = threading.Thread(target=listener.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listener.server_port}/told", posted
        listener.shutdown()
        thread.join()


def run_of(number, **given):
    """An entry of a trend."""
    rates = {"prescreen": 0.5, "verify": number / 100}
    return {
        "snapshot": f"s{number}", "created": f"2026-01-{number:02}T02:30:00+00:00", "documents": 1000 + number,
        "kept": 900, "removed": 100 + number, "seconds": 3.5, "pass_rates": rates, "canaries": CANARIES,
    } | given  # fmt: skip


def left(snapshot, checks, outcome):
    @flow
    def leave() -> None:
        artifacts.keep(snapshot, checks, outcome)

    leave()


def test_a_run_leaves_artifacts(client, tmp_path):
    made = make(tmp_path / "out", fates=FATES, protected=("host-3", "story-edited"))
    left(made.path, [*CHECKS, REFUSING], "refused")
    rates = Artifact.get("stage-pass-rates")
    assert rates.type == "table"
    assert [row["stage"] for row in json.loads(rates.data)] == [row.name for row in STAGES]
    gate = {row["check"]: row for row in json.loads(Artifact.get("publish-gate").data)}
    assert gate["protected_removed"]["value"] == 0.1235
    assert gate["protected_removed"]["bound"] == "≥ 1"  # `>` would be a quotation in the UI
    assert gate["protected_removed"]["passed"] == "NO"
    assert gate["protected_removed"]["rows"] == "`story-edited (for story)`"
    report = Artifact.get("curation-report")
    assert report.type == "markdown"
    assert "# Snapshot abc123: refused" in report.data
    assert "- **protected_removed** is 0.123456, must be ≥ 1, for example `story-edited (for story)`\n" in report.data
    assert "| removed, exact copy | 1 |" in report.data
    assert "![funnel](data:image/svg+xml;base64," in report.data
    assert "runs" not in report.data, "one run is no trend"


@pytest.mark.parametrize("id_", ["`a\n\n# PWNED ![x](http://b.test/t.png)", "[click](http://a.test)", "``|b`", "\x1b"])
def test_no_id_writes_markdown(id_):
    span = code(id_)
    fence = span[: len(span) - len(span.lstrip("`"))]
    assert span.endswith(fence) and fence not in span[len(fence) : -len(fence)], "only the fence ends it"
    assert not {"\n", "|", "\x1b"} & set(span)


def test_quality_is_estimated_from_the_planted_documents(client, tmp_path):
    left(make(tmp_path / "out", fates=FATES).path, CHECKS, "published")
    kept = Artifact.get("quality-estimate")
    rows = {row["score"]: row for row in json.loads(kept.data)}
    assert {name: row["share"] for name, row in rows.items()} == {"S_A": "75 %", "S_E": "–", "preservation": "90 %"}
    assert rows["S_A"]["planted documents"] == 8
    assert rows["S_A"]["95 % interval"] == "30.1 % to 95.4 %" and rows["S_E"]["95 % interval"] == ""
    assert kept.description.startswith("Snapshot abc123, published.")


def test_the_report_shows_the_last_runs(client, tmp_path):
    made = make(tmp_path / "out")
    page = json.loads((made.path / "manifest.json").read_text())
    page |= {
        "trend": [run_of(1), run_of(2)],
        "drift": {"warnings": ["The words have drifted."]},
        "refresh": {"new": 12},
    }
    (made.path / "manifest.json").write_text(json.dumps(page))
    left(made.path, CHECKS, "published")
    report = Artifact.get("curation-report").data
    assert "- The words have drifted.\n" in report and "| tonight: new | 12 |" in report
    newest = "| 2026-01-02 02:30 | s2 | 1,002 | 900 | 102 | 4 | 90 % |"
    assert newest in report and report.index(newest) < report.index("| 2026-01-01 02:30 | s1 |")
    [image] = re.findall(r"!\[trend\]\(data:image/svg\+xml;base64,([^)]+)\)", report)
    assert base64.b64decode(image).decode().startswith("<svg ")


def test_a_failed_check_names_rows(tmp_path):
    made = make(tmp_path / "out", protected=("host-3", "child", "story-edited"))
    names = ("source_content_lost", "runs_lost", "reject_share", "preservation", "texts_not_restorable")
    failed = [REFUSING | {"check": name} for name in names]
    rows = {one["check"]: one["rows"] for one in with_rows(made.path, [*failed, REFUSING | {"passed": True}])}
    assert rows["source_content_lost"] == ["papers: 9.00%", ": 1.00%"]
    assert rows["runs_lost"] == ["story-edited (17 words)"]
    assert rows["reject_share"] == ["in.jsonl:7 (text is null)", "in.jsonl:9 (duplicate id 'story')"]
    assert rows["preservation"] == ["child (for story)", "story-edited (for story)"]
    assert rows["texts_not_restorable"] == rows["protected_removed"] == []


def test_lines_follow_their_figures_and_stay_in_the_picture():
    figures = [3, 1, 2]
    drawn = ElementTree.fromstring(trend_svg([run_of(1 + figure, documents=10 * figure) for figure in figures]))
    spot = {"s": "http://www.w3.org/2000/svg"}
    labels = [text.text for text in drawn.findall("s:text", spot)]
    assert "planted duplicates found" in labels and "pairs close in meaning" not in labels, "no run has that rate"
    _, _, width, height = map(float, drawn.get("viewBox").split())
    lines = [
        [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        for line in drawn.findall("s:polyline", spot)
    ]
    assert all(0 <= x <= width and 0 <= y <= height for line in lines for x, y in line)
    documents = lines[0]
    assert [x for x, _ in documents] == sorted(x for x, _ in documents) and documents[0][0] < documents[1][0]
    assert documents[0][1] < documents[2][1] < documents[1][1], "more is higher up"


def test_a_trend_goes_on_from_the_published_snapshot(tmp_path):
    counts = {"documents": 9, "kept": 7, "removed": 2, "rejects": 0}
    made = {"snapshot": "new", "created": "2026-02-01T02:30:00+00:00", "counts": counts, "canaries": CANARIES}
    [alone] = trend(tmp_path, made, STAGE_ROWS)
    assert alone == {
        "snapshot": "new", "created": "2026-02-01T02:30:00+00:00", "documents": 9, "kept": 7, "removed": 2,
        "refreshed": False, "seconds": 6.5, "pass_rates": {"extract": 1.0, "verify": 0.25}, "canaries": CANARIES,
    }  # fmt: skip
    for name, runs in {"refused": 2, "shown": RUNS, "old": 0}.items():
        folder = tmp_path / "snapshots" / name
        folder.mkdir(parents=True)
        page = {"trend": [run_of(number) for number in range(1, 1 + runs)]} if runs else {}
        (folder / "manifest.json").write_text(json.dumps(page))
    switch(tmp_path, tmp_path / "snapshots" / "shown")
    told = trend(tmp_path, made, STAGE_ROWS)
    assert [one["snapshot"] for one in told] == [*(f"s{number}" for number in range(2, 1 + RUNS)), "new"]
    assert len(told) == RUNS
    switch(tmp_path, tmp_path / "snapshots" / "old")
    assert trend(tmp_path, made, STAGE_ROWS) == [alone], "a snapshot from before there were trends"


def test_a_refusal_is_an_event_and_a_publication_is_none(client, tmp_path):
    def events():
        asked = {"filter": {"event": {"name": [artifacts.REFUSED]}}}
        answer = httpx.post(f"{PREFECT_API_URL.value()}/events/filter", json=asked).raise_for_status().json()
        return [one for one in answer["events"] if one["payload"]["report"].startswith(str(tmp_path))]

    made = make(tmp_path / "out")
    left(made.path, CHECKS, "published")
    left(made.path, [*CHECKS, REFUSING], "refused")
    until = time.monotonic() + 30
    while not events() and time.monotonic() < until:
        time.sleep(0.5)
    [event] = events()
    assert event["resource"]["prefect.resource.id"] == "semhash-llm.snapshot.abc123"
    assert [one["check"] for one in event["payload"]["checks"]] == ["protected_removed"]
    assert any(one["prefect.resource.role"] == "flow-run" for one in event["related"])


@flow(name="refusing", flow_run_name="night-7", on_failure=[notify])
def refusing() -> None:
    raise GateError("the gate refused snapshot abc123")


@pytest.mark.parametrize("given", ["environment", "variable"])
def test_a_failed_run_calls_the_webhook(client, webhook, monkeypatch, given):
    address, posted = webhook
    if given == "environment":
        monkeypatch.setenv("SEMHASH_WEBHOOK", address)
    else:
        Variable.set("semhash_webhook", address, overwrite=True)
    with pytest.raises(GateError):
        refusing()
    Variable.unset("semhash_webhook")
    [told] = posted
    assert (told["flow"], told["run"], told["state"]) == ("refusing", "night-7", "Failed")
    assert "the gate refused snapshot abc123" in told["message"]
    assert "/runs/flow-run/" in told["url"]


def test_without_an_address_nothing_is_sent(client, webhook):
    with pytest.raises(GateError):
        refusing()
    assert webhook[1] == []


def test_a_webhook_that_does_not_answer_changes_nothing(client, monkeypatch, caplog):
    monkeypatch.setenv("SEMHASH_WEBHOOK", "http://127.0.0.1:9/nobody")
    with pytest.raises(GateError, match="refused snapshot"):
        refusing()
    assert "the webhook was not reached" in caplog.text


@task
def table(name: str) -> TableRef:
    return TableRef(name=name, path=f"tables/{name}-1", rows=int("1000"), fingerprint=name * 2)


def test_a_table_points_only_to_the_task_that_made_it(client):
    """What Prefect draws as arrows: a reference must share no tracked object with the references of other tasks."""

    @flow
    def chain() -> list[int]:
        made = [table("documents"), table("copies"), table("prescreen")]
        return [len(collect_task_run_inputs_sync(ref)) for ref in made]

    assert chain() == [1, 1, 1]
