"""The report, as a file, and the viewer in a real browser: search, filters, keys, small and dark screens."""

import subprocess
import sys
from pathlib import Path

import pytest

from tasks.report import write_report
from tasks.review import store as reviews
from tests.e2e.station import CHECKOUT, free_port, until
from tests.support.made_snapshot import HOSTS, TEXTS, make

pytestmark = pytest.mark.e2e

HOSTILE = "</script><img src=x onerror=document.title='owned'><b>{{7*7}}"


@pytest.fixture(scope="module")
def out(tmp_path_factory) -> Path:
    """A snapshot one of whose documents would like to be part of the page."""
    texts = {name: f"{HOSTILE} {text}" if name.startswith("story") else text for name, text in TEXTS.items()}
    made = make(tmp_path_factory.mktemp("pages") / "out", texts=texts)
    write_report(made.path, made.run, made.tables)
    return made.out


@pytest.fixture(scope="module")
def viewer(out):
    port = free_port()
    words = [sys.executable, "-m", "flows", "open", "--out", str(out), "--port", str(port), "--no-browser"]
    with subprocess.Popen(words, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True) as process:
        said = process.stdout.readline().strip()
        assert said == f"http://127.0.0.1:{port}/"
        yield said
        process.terminate()
        assert process.wait(20) in (0, -15, 143)


def cards(browser) -> int:
    return browser.evaluate("document.querySelectorAll('#shown .pair').length")


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_the_report_is_searched_without_a_server(out, browser, width, dark):
    browser.see(f"file://{out}/current/report.html", "1 to 6 of 6 pairs", width=width, dark=dark)
    assert browser.evaluate("document.documentElement.scrollWidth") <= width, "nothing stands beside the page"
    assert browser.evaluate("document.title") == "Curation report abc123"
    assert not browser.evaluate("document.querySelectorAll('img, #shown b b').length")
    assert HOSTILE in browser.evaluate("document.getElementById('shown').textContent")
    browser.fill("words", "vienna")
    browser.says("1 to 1 of 1 pairs")
    browser.fill("words", "nothing says this")
    browser.says("No pair is like that.")
    browser.click("clear")
    browser.says("1 to 6 of 6 pairs")
    browser.fill("type", "F")
    browser.says("1 to 1 of 1 pairs", "3 changed facts")
    browser.click("clear")
    browser.says("1 to 6 of 6 pairs")
    browser.click("show members")
    browser.says("1 to 3 of 3 pairs")
    assert browser.evaluate("document.querySelector('#shown code').textContent").startswith("semhash-llm explain --out")


def test_keys_lead_through_the_report(out, browser):
    browser.see(f"file://{out}/current/report.html", "of 6 pairs")
    browser.press("j")
    browser.press("j")
    assert browser.evaluate("[...document.querySelectorAll('#shown .pair')].indexOf(document.activeElement)") == 1
    browser.press("/")
    assert browser.evaluate("document.activeElement.name") == "words"
    browser.press("j")
    browser.says("of 6 pairs")
    assert browser.evaluate("document.activeElement.name") == "words", "a letter that is typed leads nowhere"


def test_all_pairs_of_a_snapshot_are_served(viewer, browser):
    said = browser.see(viewer, "1 to 3 of 3 pairs", "all that went for the same document")
    assert "[object" not in said
    browser.click("clear")
    browser.says("1 to 6 of 6 pairs")
    browser.fill("words", "Vienna")
    browser.says("1 to 1 of 1 pairs", "host-1", HOSTS["host-2"][-20:])
    browser.fill("words", "nasty")
    browser.says("No pair is like that.")
    browser.click("What happened to nasty?")
    browser.says("KEPT as it is")
    browser.see(f"{viewer}report", "Curation report abc123", "of 6 pairs")


def test_review_by_key_leaves_what_the_terminal_would(viewer, out, browser):
    def kept() -> list[str]:
        return reviews.load(out / reviews.FILE)["label"].to_list()

    browser.see(f"{viewer}review", "Pair 1 of", "0 answered", width=390)
    assert browser.evaluate("document.documentElement.scrollWidth") <= 390
    browser.press("y")
    browser.says("Pair 2 of", "1 answered")
    assert kept() == ["duplicate"]
    browser.press("c")
    browser.says("2 answered")
    assert kept() == ["duplicate", "contained"]
    browser.press("u")
    browser.says("Pair 2 of", "1 answered")
    assert kept() == ["duplicate"]
    browser.press("s")
    browser.says("Pair 3 of", "1 answered")
    browser.press("u")
    browser.says("Pair 2 of", "1 answered")
    browser.click("n · both stay")
    browser.says("2 answered")
    until("the answer is kept", lambda: kept() == ["duplicate", "distinct"])
