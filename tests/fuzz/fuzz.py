"""Fuzzer: `python -m tests.fuzz.fuzz --seed 1 --minutes 20`; what it finds is shrunk and printed, exit code 1."""

import argparse
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

import polars as pl
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz import runs
from tests.fuzz.corpora import LOOSE, Case, cases
from tests.fuzz.invariants import CODES, adds_up, ended_well, leaves_nothing, same
from tests.support.texts.patterns import pattern

ROUND = 8
"""Cases from one seed; then comes the next."""
STOPS = {"SIGKILL": -9, "SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}
"""Exit codes after signals."""


def check(case: Case, folder: Path) -> str:
    """Run a case in an empty folder; returns what became of it, raises AssertionError where something does not hold."""
    files = case.corpus.write(folder / "in")
    wanted = [f"--set={setting}" for setting in (*LOOSE, "gate.canaries=false", *case.settings)]
    if case.protected:
        pl.DataFrame({"doc_id": case.protected}).write_csv(folder / "keep.csv")
        wanted += ["--protected", str(folder / "keep.csv")]

    def curate(out: str, given: list[Path], *more: str) -> runs.Done:
        done = runs.run(["curate", *map(str, given), "--out", str(folder / out), *wanted, *more], folder / f"{out}.log")
        ended_well(done)
        leaves_nothing(folder / out)
        return done

    first = curate("one", files, "--threads", "1")
    if case.disturbed:
        words = ["curate", *map(str, files), "--out", str(folder / "two"), *wanted]
        _stopped(words, folder / "two", case.disturbed, first.seconds, {first.code})
    second = curate("two", files[::-1], "--threads", "2")
    assert first.code == second.code, (first.said[-1000:], second.said[-1000:])
    if first.code:
        return f"exit {first.code}"
    adds_up(folder / "one", case.corpus.texts(), case.corpus.named, case.protected)
    same(folder / "one", folder / "two")
    before = (folder / "one" / "current").readlink()
    assert curate("one", files).code == 0
    assert (folder / "one" / "current").readlink() == before, "the second run did something"
    return "curated" if case.night is None else _refreshed(case, folder, first.seconds)


def _stopped(words: list[str], out: Path, disturbed: tuple[str, float], seconds: float, codes: set[int | None]) -> None:
    """Send a signal to a command some way through; where it comes too late, the command ends with one of `codes`."""
    number, share = disturbed
    stopped = runs.run(words, out.parent / "stopped.log", number, share * seconds)
    at_once = -getattr(signal, number)  # before the command had begun
    assert stopped.code in {STOPS[number], at_once, *codes}, (stopped.code, stopped.said[-2000:])
    assert "Traceback" not in stopped.said, stopped.said[-4000:]
    if number != "SIGKILL":
        leaves_nothing(out)


def _refreshed(case: Case, folder: Path, seconds: float) -> str:
    assert case.night is not None
    before = pl.read_parquet(folder / "one" / "current" / "decisions" / "*.parquet")["doc_id"].cast(pl.String)
    guarded = sorted({*case.protected} & {*before})  # a list holds for what had come when it was given
    arrived = case.night.write(folder / "new")
    words = ["refresh", *map(str, arrived), "--out", str(folder / "one"), "--delete-most"]
    if case.deleted:
        pl.DataFrame({"doc_id": case.deleted}).write_csv(folder / "gone.csv")
        words += ["--deleted", str(folder / "gone.csv")]
    if case.disturbed:
        _stopped(words, folder / "one", case.disturbed, seconds, CODES)
    done = runs.run(words, folder / "night.log")
    ended_well(done)
    leaves_nothing(folder / "one")
    if done.code == 0:
        texts = case.corpus.texts() | case.night.texts()
        adds_up(folder / "one", texts, case.corpus.named, guarded)
        shown = pl.read_parquet(folder / "one" / "current" / "documents" / "*.parquet", missing_columns="insert")
        left = set(case.deleted) & set(shown["doc_id"].cast(pl.String)) if "doc_id" in shown.columns else set()
        assert not left, f"deleted and published: {left}"
    return f"night, exit {done.code}"


def _compile() -> None:
    """Run once what is measured later: compiling takes longer than any run may."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    texts = [f"{pattern('sentences', 900, seed)}\n{pattern('sentences', 900, 9)}" for seed in (1, 1, 2, 3, 4, 5)]
    pl.DataFrame({"text": [*texts, texts[0].upper(), texts[0][:700]]}).write_parquet(folder / "texts.parquet")
    words = ["curate", str(folder / "texts.parquet"), "--out", str(folder / "out"), "--set=fragment.min_hosts=2"]
    runs.run(words, folder / "log", seconds=3600)
    shutil.rmtree(folder)


def main() -> int:
    """Run cases until the time is over; returns how many seeds had a finding."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--no-shrink", action="store_true", help="tell what is found as it is: that takes no minutes")
    asked = parser.parse_args()
    runs.prepare()
    _compile()
    end, number, findings, came = time.monotonic() + 60 * asked.minutes, asked.seed, 0, {}
    quiet = [
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
        HealthCheck.large_base_example,
    ]

    @settings(
        max_examples=ROUND, deadline=None, database=None, suppress_health_check=quiet, print_blob=True,
        phases=[Phase.generate] if asked.no_shrink else [Phase.generate, Phase.shrink],
    )  # fmt: skip
    @given(cases())
    def one(case: Case) -> None:
        if time.monotonic() > end + 120:  # of shrinking, too
            return
        folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
        try:
            what = check(case, folder)
            came[what] = came.get(what, 0) + 1
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    while time.monotonic() < end:
        try:
            seed(number)(one)()
        except Exception:
            findings += 1
            sys.stdout.write(f"seed {number}:\n{traceback.format_exc()}\n")
        sys.stdout.write(f"seed {number}: {dict(sorted(came.items()))}, findings {findings}\n")
        sys.stdout.flush()
        number += 1
    return min(findings, 1)


if __name__ == "__main__":
    sys.exit(main())
