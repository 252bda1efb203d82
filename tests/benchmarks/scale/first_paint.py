"""First paint of a report, and of `semhash-llm open`: `python -m tests.benchmarks.scale.first_paint OUT`."""

import json
import subprocess
import sys
import time
from pathlib import Path

from tests.e2e.browser import Browser
from tests.e2e.station import until

PAINT = "JSON.stringify(performance.getEntriesByType('paint').map(entry => entry.startTime))"
CARDS = "document.querySelectorAll('article, .card').length"


def report(out: Path, browser: Browser) -> None:
    """Size of the report, and milliseconds until something of it is painted, three times."""
    page = (out / "current" / "report.html").resolve()
    painted = []
    for _ in range(3):
        browser.see(f"file://{page}", "What was lost", width=1280)
        until("it is painted", lambda: browser.evaluate(PAINT) != "[]")
        painted.append(min(json.loads(browser.evaluate(PAINT))))
    print(f"report: {page.stat().st_size:,} bytes, painted after", *(f"{one:.0f}" for one in painted), "ms")


def viewer(out: Path, browser: Browser) -> None:
    """Seconds until the viewer answers, and until it shows pairs, three times; its memory."""
    began = time.perf_counter()
    words = (sys.executable, "-m", "flows", "open", "--out", out, "--port", "0", "--no-browser")
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        url = process.stdout.readline().strip()
        print(f"open: answers after {time.perf_counter() - began:.1f} s; first cards after", end=" ")
        for _ in range(3):
            began = time.perf_counter()
            browser.see(url, width=1280)
            until("cards are there", lambda: browser.evaluate(CARDS) > 0, 60)
            print(f"{time.perf_counter() - began:.1f}", end=" ", flush=True)
        pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
        print(f"s; {pages * 4096 / 1e6:,.0f} MB")
        process.terminate()


if __name__ == "__main__":
    with Browser() as browser:
        report(Path(sys.argv[1]), browser)
        viewer(Path(sys.argv[1]), browser)
