"""What a run came to, in the one line that the page of a run shows."""

import json

from tasks.publish.outcome import Outcome
from tests.support.made_snapshot import make


def test_the_page_of_a_night_says_what_came_and_what_was_rejected(tmp_path):
    path = make(tmp_path / "out").path
    page = json.loads((path / "manifest.json").read_text())
    counts = page["counts"]
    whole = f"{counts['documents']:,} in, {counts['kept']:,} kept, 2 rows rejected, report: {path / 'report.html'}"
    assert Outcome.of(path).line() == whole
    page["refresh"] = {"arrivals": 1200, "new": 1100, "changed": 100, "base": "abc"}
    (path / "manifest.json").write_text(json.dumps(page | {"counts": counts | {"rejects": 0}}))
    night = Outcome.of(path).line()
    assert night.startswith("tonight: 1,200 arrivals (1,100 new, 100 changed), ") and "rejected" not in night
