"""Progress lines and the live bar."""

import io
import threading

import pytest
from rich.console import Console

from tasks.runtime import progress
from tasks.runtime.progress import course, quantity, stage_progress


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test moves by hand."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_plain_lines_are_at_least_ten_seconds_apart(capsys, clock):
    with stage_progress("embed", 4000) as bar:
        for _ in range(8):
            clock[0] += 4
            bar.advance(500)
    assert capsys.readouterr().err.splitlines() == [
        "embed: 4,000 documents to do",
        "embed: 1,500 documents of 4,000 documents, 125 documents/s, 20 s left",
        "embed: 3,000 documents of 4,000 documents, 125 documents/s, 8 s left",
        "embed: 4,000 documents in 32.0 s, 125 documents/s",
    ]


def test_a_reused_stage_says_only_that(capsys):
    with stage_progress("sign", None) as bar:
        bar.reused()
    assert capsys.readouterr().err == "sign: finished earlier, not repeated\n"


def test_a_stage_says_where_in_the_run_it_stands_and_when_that_ends(capsys, clock):
    with course({"extract": 0.2, "embed": 0.3, "verify": 0.5}):
        with stage_progress("extract", None) as bar:
            bar.reused()
        with stage_progress("embed", 10) as bar:
            clock[0] += 30
            bar.advance(5)
        with stage_progress("a step of it", 3):
            pass
    assert capsys.readouterr().err.splitlines() == [
        "extract (1 of 3): finished earlier, not repeated",
        "embed (2 of 3): 10 documents to do",
        "embed (2 of 3): 5 documents of 10 documents, 0.2 documents/s, 30 s left; the run: about 2 min more",
        "embed (2 of 3): 5 documents in 30.0 s, 0.2 documents/s",
        "a step of it: 3 documents to do",
        "a step of it: 0 documents in 0.0 s",
    ]


def test_a_run_takes_no_less_than_the_stage_that_is_under_way(capsys, clock):
    with course({"embed": 0.9, "verify": 0.1}), stage_progress("verify", 10) as bar:
        clock[0] += 300
        bar.advance(1)
    assert "2,700 s left; the run: about 45 min more" in capsys.readouterr().err


def test_an_error_is_not_reported_as_success(capsys, clock):
    with pytest.raises(ValueError, match="boom"), stage_progress("band", 10, unit="pairs") as bar:
        bar.advance(3)
        clock[0] += 2
        raise ValueError("boom")
    assert capsys.readouterr().err.splitlines()[-1] == "band: stopped after 2.0 s at 3 pairs of 10 pairs"


def test_threads_lose_no_count(capsys):
    with stage_progress("sign", 8000) as bar:
        threads = [threading.Thread(target=lambda: [bar.advance() for _ in range(1000)]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert bar.done == 8000
    assert "sign: 8,000 documents in" in capsys.readouterr().err


def test_a_terminal_gets_a_live_bar_and_one_line_per_finished_stage(monkeypatch):
    screen = io.StringIO()
    monkeypatch.setenv("TERM", "xterm")
    terminal = Console(file=screen, force_terminal=True, width=120)
    monkeypatch.setattr(progress, "Console", lambda **_: terminal)
    with stage_progress("outer", 100) as outer:
        outer.advance(50)
        with stage_progress("inner [x]", None, unit="bytes") as inner:
            inner.advance(5_000_000)
        assert progress.LiveBar._display is not None
    with stage_progress("again", None) as bar:
        bar.reused()
    shown = screen.getvalue()
    assert "━" in shown
    assert "inner [x]: 5 MB in" in shown
    assert "outer: 50 documents in" in shown
    assert "again: finished earlier, not repeated" in shown
    assert progress.LiveBar._display is None


@pytest.mark.parametrize(
    ("count", "unit", "shown"),
    [
        (12345.6, "documents", "12,346 documents"),
        (2.345, "pairs", "2.3 pairs"),
        (3, "pairs", "3 pairs"),
        (1.25e6, "bytes", "1.2 MB"),
    ],
)
def test_quantity_reads_easily(count, unit, shown):
    assert quantity(count, unit) == shown
