"""Deploy, curate, refresh by hand and by the clock, be refused: what its user does, with what its user has."""

import json
import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import polars as pl
import pytest
import yaml

from tests.e2e.browser import ZONE
from tests.e2e.station import CHECKOUT, until
from tests.support.runs import table

pytestmark = pytest.mark.e2e

NIGHTLY = "refresh/nightly-refresh"
BERLIN = ZoneInfo(ZONE)
KEYS = {"stage-pass-rates", "curation-report", "publish-gate", "quality-estimate"}


@pytest.fixture(scope="module")
def out(place) -> Path:
    return place / "published"


@pytest.fixture(scope="module")
def curated(station, place, out) -> str:
    """Run of the deployment `curate`."""
    return station.trigger("curate/curate", {"inputs": [str(place / "corpus")], "out": str(out)}, name="first-of-all")


@pytest.fixture(scope="module")
def refreshed(station, place, out, curated) -> str:
    """Run of the deployment `nightly-refresh`, started by hand."""
    given = {"inputs": [str(place / "arrivals")], "out": str(out), "deleted": str(place / "deleted.txt")}
    return station.trigger(NIGHTLY, given, name="tuesday")


def artifacts(station, run: str) -> dict[str, dict]:
    """Artifacts of a run by key."""
    found = station.api("/artifacts/filter", {"artifacts": {"flow_run_id": {"any_": [run]}}})
    return {one["key"]: one for one in found}


def tasks(station, run: str) -> dict[str, str]:
    """Names of the tasks of a run and their states."""
    found = station.api("/task_runs/filter", {"flow_runs": {"id": {"any_": [run]}}, "limit": 200})
    return {one["name"]: one["state"]["name"] for one in found}


def made(out: Path) -> dict:
    return json.loads((out / "current" / "manifest.json").read_text())


def test_curate_publishes_and_shows_how(station, browser, out, curated, keep):
    ended = station.api(f"/flow_runs/{curated}")["state"]
    assert ended["name"] == "Completed" and ended["message"].startswith("125 in, "), ended
    logged = " ".join(one["message"] for one in station.logs(curated))
    assert "publish" in logged and "Traceback" not in logged  # the server here logs warnings and stages only
    assert made(out)["counts"]["documents"] == 125
    assert set(tasks(station, curated).values()) == {"Completed"}
    assert artifacts(station, curated).keys() == KEYS
    browser.see(f"{station.ui}/runs/flow-run/{curated}", "first-of-all", "Completed", "extract", height=760)
    keep("run")
    _show_graph(browser)
    keep("run-graph")


def _show_graph(browser) -> None:
    browser.click("Toggle fullscreen (f)")
    time.sleep(2)
    browser.click("Recenter graph (c)")


def test_the_form_explains_the_parameters(station, browser, curated, keep):
    for name, about in (("curate/curate", "folder that receives"), (NIGHTLY, "ids of documents that must go")):
        deployment = station.api(f"/deployments/name/{name}")["id"]
        browser.see(f"{station.ui}/deployments/deployment/{deployment}/run", about)
        keep(f"{name.partition('/')[0]}-form")


def test_wrong_input_is_told_in_a_sentence(station, place, tmp_path):
    for given in ({"inputs": [str(place / "nowhere")]}, {"inputs": [str(place)], "settings": ["verify.tau_z=1"]}):
        run = station.trigger("curate/curate", given | {"out": str(tmp_path / "out")}, fails=True)
        assert station.state(run) == "Failed"
        told = [one["message"] for one in station.logs(run) if one["level"] >= 40]
        assert told and not any("Traceback" in one for one in told), told


def test_refresh_takes_in_what_arrived_and_drops_what_was_deleted(station, place, out, refreshed):
    assert station.state(refreshed) == "Completed"
    [gone] = (place / "deleted.txt").read_text().split()
    arrived = pl.read_parquet(place / "arrivals" / "*.parquet")
    told = made(out)["refresh"]
    assert (told["generation"], told["new"], told["changed"], told["deleted"]) == (1, 20, 1, 1)
    fates = dict(table(out / "current", "decisions").select("doc_id", "action").iter_rows())
    assert fates[gone] == "delete"
    assert fates.keys() >= set(arrived["doc_id"])
    published = dict(table(out / "current", "documents").select("doc_id", "text").iter_rows())
    assert gone not in published
    [edited] = arrived.filter(pl.col("text").str.contains("second edition"))["doc_id"]
    assert "second edition" in published[edited]


def test_every_night_adds_to_the_history_of_each_artifact(station, browser, curated, refreshed, keep):
    browser.see(f"{station.ui}/runs/flow-run/{refreshed}", "tuesday", "Completed", "admit", height=760)
    _show_graph(browser)
    keep("refresh-graph")
    earlier, found = artifacts(station, curated), artifacts(station, refreshed)
    assert found.keys() == KEYS
    words = {
        "stage-pass-rates": "verify",
        "curation-report": "tonight: new",
        "publish-gate": "protected_removed",
        "quality-estimate": "look-alikes (type F) kept",
    }
    for key, word in words.items():
        browser.see(f"{station.ui}/artifacts/artifact/{found[key]['id']}", word)
        browser.unroll()
        keep(key)
        ids = (earlier[key]["id"][:8], found[key]["id"][:8])
        browser.see(f"{station.ui}/artifacts/key/{key}", *ids, height=620)
    keep("artifact-history")


def test_the_clock_starts_runs_at_the_hour_of_the_place(station, browser, place, out, refreshed, tmp_path, keep):
    """The schedule creates runs at 02:30; a second one, a minute or two ahead, is let fire."""
    soon = datetime.now(BERLIN) + timedelta(seconds=90)
    given = {"inputs": [str(place / "later")], "out": str(out)}
    _deploy(station, tmp_path, {"cron": f"{soon.minute} {soon.hour} * * *", "slug": "soon"}, given)
    before = made(out)["snapshot"]

    def fired() -> list[dict]:
        due = [run for run in station.runs(NIGHTLY) if run["auto_scheduled"]]
        return [run for run in due if run["state"]["type"] not in ("SCHEDULED", "PENDING", "RUNNING")]

    planned = until("runs are planned", lambda: _at_half_past_two(station), 90)
    assert len(planned) >= 3
    assert len({moment.date() for moment in planned}) == len(planned)
    nightly = station.api(f"/deployments/name/{NIGHTLY}")["id"]
    browser.see(f"{station.ui}/deployments/deployment/{nightly}", "nightly-refresh", "Upcoming", height=960)
    browser.click("Upcoming")
    keep("schedule")
    [run] = until("the run of the second schedule is over", fired, 300)
    assert (run["name"], run["state"]["name"]) == ("refresh-published", "Completed"), run["state"]
    begun = datetime.fromisoformat(run["expected_start_time"]).astimezone(BERLIN)
    assert (begun.hour, begun.minute) == (soon.hour, soon.minute)
    assert made(out)["refresh"]["base"] == before
    assert made(out)["refresh"]["new"] == 20


def _deploy(station, folder: Path, extra: dict[str, str], parameters: dict) -> None:
    """Deploy as shipped but for the parameters of the nightly run, its schedule switched on, and one more schedule."""
    described = yaml.safe_load((CHECKOUT / "prefect.yaml").read_text())
    [nightly] = (one for one in described["deployments"] if one["name"] == "nightly-refresh")
    [shipped] = nightly["schedules"]
    assert shipped["cron"] == "30 2 * * *"
    nightly["parameters"] = parameters
    nightly["schedules"] = [shipped | {"active": True}, shipped | {"active": True} | extra]
    (folder / "prefect.yaml").write_text(yaml.safe_dump(described))
    station.prefect("--no-prompt", "deploy", "--all", "--prefect-file", str(folder / "prefect.yaml"))


def _at_half_past_two(station) -> list[datetime]:
    due = [run["expected_start_time"] for run in station.runs(NIGHTLY) if run["state"]["name"] == "Scheduled"]
    local = [datetime.fromisoformat(moment).astimezone(BERLIN) for moment in due]
    return [moment for moment in local if (moment.hour, moment.minute) == (2, 30)]


def test_a_night_that_the_gate_refuses_changes_nothing_and_is_told(
    station, place, out, webhook, browser, refreshed, keep
):
    before = (out / "current").readlink()
    given = {"inputs": [], "out": str(out), "deleted": str(place / "unwanted.txt")}
    given["settings"] = ["gate.min_source_documents=20"]
    run = station.trigger(NIGHTLY, given, fails=True)
    assert station.state(run) == "Failed"
    assert (out / "current").readlink() == before
    gate = artifacts(station, run)["publish-gate"]
    assert "REFUSED" in gate["description"]
    browser.see(f"{station.ui}/artifacts/artifact/{gate['id']}", "REFUSED", "published_loss")
    browser.unroll()
    keep("publish-gate-refused")
    [event] = until("the event is there", lambda: _events(station, "semhash-llm.gate.refused"))
    assert event["payload"]
    _, told = webhook
    [one] = [one for one in told if one["url"] and run in one["url"]]
    assert (one["flow"], one["state"]) == ("refresh", "Failed")
    assert "published_loss" in one["message"]


def _events(station, name: str) -> list[dict]:
    return station.api("/events/filter", {"filter": {"event": {"name": [name]}}})["events"]
