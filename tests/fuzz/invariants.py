"""Invariants: what holds after every run, whatever came in."""

import json
from pathlib import Path

import polars as pl

from tasks.explain.archive import Archive
from tasks.storage.atomic import unfinished
from tests.fuzz.runs import Done

CODES = {0, 2, 3}
"""Published, refused as input, refused by the gate."""


def ended_well(done: Done) -> None:
    """An exit code as documented, one that its words explain, and no traceback."""
    assert done.code is not None, f"it hung for {done.seconds:.0f} s: {done.said[-2000:]}"
    assert "Traceback" not in done.said, done.said[-4000:]
    assert done.code in CODES, (done.code, done.said[-2000:])
    if done.code:
        assert done.said.splitlines()[-1].startswith("semhash-llm: ") or "refused" in done.said, done.said[-2000:]


def leaves_nothing(out: Path) -> None:
    """No temporary file."""
    for folder in (out, out / "workspace"):
        assert unfinished(folder) == [], unfinished(folder)


def adds_up(out: Path, texts: set[tuple[str, str]], named: bool, protected: list[str]) -> None:
    """Rows are documents or rejects; survivors are kept; every text is there or can be had back, byte for byte."""
    snapshot = (out / "current").resolve()
    counts = json.loads((snapshot / "manifest.json").read_text())["counts"]
    decisions = pl.read_parquet(snapshot / "decisions" / "*.parquet", missing_columns="insert")
    live = decisions.filter(pl.col("action") != "delete")
    assert counts["documents"] == live.height == live["doc_id"].n_unique(), counts
    assert counts["kept"] + counts["removed"] == counts["documents"], counts
    kept = live.filter(pl.col("action") != "remove")["doc_id"]
    removed = live.filter(pl.col("action") == "remove")
    assert removed["survivor_id"].is_in(kept.implode()).all(), "a survivor is not kept"
    guarded = removed.filter(pl.col("doc_id").is_in(protected))
    assert guarded.is_empty(), f"protected and removed: {guarded['doc_id'].to_list()}"
    with Archive.current(out) as archive:
        published = archive.published(kept.to_list())
        assert published.keys() == set(kept), "what is kept is not what is published"
        originals = archive.originals(live["doc_id"].to_list())
        for name in kept:
            assert archive.restored(name) == originals[name], f"{name!r} is not restored"
    if named:
        wrong = originals.items() - texts
        assert not wrong, f"other texts than came in: {sorted(wrong)}"


def same(one: Path, other: Path) -> None:
    """Two output folders hold the same bytes of what readers see."""
    first, second = ((folder / "current").resolve() for folder in (one, other))
    assert first.name == second.name, "another snapshot"
    for name in ("documents", "decisions", "fragment_spans", "rejects"):
        written = [[path.read_bytes() for path in sorted((at / name).glob("*.parquet"))] for at in (first, second)]
        assert written[0] == written[1], f"other bytes in {name}"
