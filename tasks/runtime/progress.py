"""Progress of stages: a live bar on a terminal, plain lines elsewhere, both on stderr."""

import logging
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

LEAST_SHARE = 0.02
"""Of a run that must be over for its end to be foretold."""
LINE_SECONDS = 10.0
"""Shortest time between two plain lines of a stage that is under way."""

_lock = threading.RLock()
_shown = True
_course: "Course | None" = None
_log = logging.getLogger(__name__)
"""Takes the plain lines where a Prefect worker listens to it (`PREFECT_LOGGING_EXTRA_LOGGERS`): they show in the UI."""
_log.setLevel(logging.INFO)


class Course:
    """Course of a run: its stages in their order, each with its usual share of the time, and when it began."""

    def __init__(self, shares: Mapping[str, float]) -> None:
        self._names, self._shares = list(shares), list(shares.values())
        self._started = time.monotonic()
        self._not_repeated = 0.0

    def place(self, name: str) -> str:
        """Name of a stage with its number: "verify (12 of 24)"; what is no stage of the course is named as it is."""
        return f"{name} ({self._names.index(name) + 1} of {len(self._names)})" if name in self._names else name

    def passed_over(self, name: str) -> None:
        """Say that a stage was found finished: it says nothing about the time that the others take."""
        if name in self._names:
            self._not_repeated += self._shares[self._names.index(name)]

    def left(self, name: str, share: float) -> float | None:
        """Seconds until the run ends, as far as one can tell with this share of a stage done."""
        if name not in self._names:
            return None
        at = self._names.index(name)
        before = sum(self._shares[:at])
        done = before + share * self._shares[at] - self._not_repeated
        spent = time.monotonic() - self._started
        return spent / done * (sum(self._shares) - before - share * self._shares[at]) if done > LEAST_SHARE else None


@contextmanager
def course(shares: Mapping[str, float]) -> Iterator[None]:
    """Say in the block of each stage where in the run it stands, and about when the run ends.

    Args:
        shares: of the time that each stage mostly takes, in the order of the stages.
    """
    global _course
    before, _course = _course, Course(shares)
    try:
        yield
    finally:
        _course = before


def be_quiet() -> None:
    """Show no progress from now on."""
    global _shown
    _shown = False


class Bar:
    """Progress of one stage, counted but not shown; its methods may be called from any thread."""

    def __init__(self, name: str, total: int | None, unit: str) -> None:
        self.name = _course.place(name) if _course else name
        self._plain = name
        self.total = total
        self.unit = unit
        self.done = 0
        self.repeated = True
        self._started = time.monotonic()

    def advance(self, count: int = 1) -> None:
        """Add `count` units of work that are done."""
        with _lock:
            self.done += count
            self._update()

    def reused(self) -> None:
        """Say that the stage was found finished and is not repeated."""
        self.repeated = False
        if _course:
            _course.passed_over(self._plain)

    def _begin(self) -> None:
        """Show that the stage starts."""

    def _update(self) -> None:
        """Show the work done so far."""

    def _end(self, outcome: str) -> None:
        """Show how the stage ended."""

    def _outcome(self, failed: bool) -> str:
        spent = f"{self._seconds():.1f} s"
        if failed:
            return f"{self.name}: stopped after {spent} at {self._amount()}"
        if not self.repeated:
            return f"{self.name}: finished earlier, not repeated"
        amount = "done" if self.total is None and not self.done else quantity(self.done, self.unit)
        return f"{self.name}: {amount} in {spent}{self._rate()}"

    def _seconds(self) -> float:
        return time.monotonic() - self._started

    def _amount(self) -> str:
        whole = "" if self.total is None else f" of {quantity(self.total, self.unit)}"
        return quantity(self.done, self.unit) + whole

    def _in_all(self) -> str:
        """When the run ends, as far as one can tell."""
        left = _course and self.total and _course.left(self._plain, min(self.done / self.total, 1.0))
        # A stage that takes longer than it mostly does tells more than the others before it.
        return f"; the run: about {_duration(max(left, self._stage_left() or 0.0))} more" if left else ""

    def _stage_left(self) -> float | None:
        """Seconds until the stage ends, None where one cannot tell."""
        if self.total is None or not 0 < self.done < self.total:
            return None
        return self._seconds() / self.done * (self.total - self.done)

    def _rate(self) -> str:
        seconds = self._seconds()
        return f", {quantity(self.done / seconds, self.unit)}/s" if self.done and seconds else ""


class PlainBar(Bar):
    """Lines for logs: at the start, then at most one in ten seconds, and at the end."""

    def _begin(self) -> None:
        self._told: float | None = None
        # Without a total it may turn out that there is nothing to do: then only the end is worth a line.
        if self.total is not None:
            self._tell(f"{self.name}: {quantity(self.total, self.unit)} to do")

    def _update(self) -> None:
        if self._told is None:
            self._tell(f"{self.name}: started")
        elif time.monotonic() - self._told >= LINE_SECONDS:
            self._tell(f"{self.name}: {self._amount()}{self._rate()}{self._left()}{self._in_all()}")

    def _end(self, outcome: str) -> None:
        self._tell(outcome)

    def _left(self) -> str:
        left = self._stage_left()
        return "" if left is None else f", {left:,.0f} s left"

    def _tell(self, line: str) -> None:
        self._told = time.monotonic()
        _plain(line)


class LiveBar(Bar):
    """A bar with rate and time left, which leaves one line behind; bars that are open together share the display."""

    _display: Progress | None = None
    _open = 0

    def __init__(self, name: str, total: int | None, unit: str, console: Console) -> None:
        super().__init__(name, total, unit)
        self._console = console

    def _begin(self) -> None:
        if LiveBar._display is None:
            columns = (
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.fields[state]}"),
            )
            LiveBar._display = Progress(*columns, TimeRemainingColumn(), console=self._console, transient=True)
            LiveBar._display.start()
        LiveBar._open += 1
        self._shown_in = LiveBar._display
        self._task = self._shown_in.add_task(self.name, total=self.total, state=self._amount())

    def _update(self) -> None:
        self._shown_in.update(self._task, completed=self.done, state=self._amount() + self._rate() + self._in_all())

    def _end(self, outcome: str) -> None:
        self._shown_in.remove_task(self._task)
        self._shown_in.console.print(outcome, markup=False, highlight=False)
        LiveBar._open -= 1
        if not LiveBar._open:
            self._shown_in.stop()
            LiveBar._display = None


@contextmanager
def stage_progress(name: str, total: int | None, unit: str = "documents") -> Iterator[Bar]:
    """Show the progress of a stage while the block runs.

    Args:
        name: Name of the stage.
        total: Units of work to do; None when that is not known.
        unit: What is counted; "bytes" are shown as MB (10^6 bytes).
    """
    bar = _bar(name, total, unit)
    with _lock:
        bar._begin()
    failed = True
    try:
        yield bar
        failed = False
    finally:
        with _lock:
            bar._end(bar._outcome(failed))


def say(line: str) -> None:
    """Tell whoever watches the run something that is about no stage, above the bars if there are any."""
    with _lock:
        if not _shown:
            return
        if LiveBar._display is None:
            _plain(line)
        else:
            LiveBar._display.console.print(line, markup=False, highlight=False)


def quantity(count: float, unit: str) -> str:
    """Amount with its unit, in no more digits than one reads: '12,345 documents', '3.2 MB'."""
    if unit == "bytes":
        count, unit = count / 1e6, "MB"
    digits = 0 if count >= 100 or count == int(count) else 1
    return f"{count:,.{digits}f} {unit}"


def _duration(seconds: float) -> str:
    """Time as one says it: "40 s", "3 min", "2.5 h"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _plain(line: str) -> None:
    if _log.handlers:
        _log.info(line)
    else:
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


@contextmanager
def hidden() -> Iterator[None]:
    """Count and show nothing while the block runs, in whatever thread."""
    global _shown
    before, _shown = _shown, False
    try:
        yield
    finally:
        _shown = before


def _bar(name: str, total: int | None, unit: str) -> Bar:
    if not _shown:
        return Bar(name, total, unit)
    console = Console(stderr=True)
    live = console.is_terminal and not console.is_dumb_terminal
    return LiveBar(name, total, unit, console) if live else PlainBar(name, total, unit)
