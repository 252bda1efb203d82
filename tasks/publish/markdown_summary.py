"""Markdown summary of a run for the Prefect UI: counts, why it was refused, the funnel, and the runs before it."""

import base64
from pathlib import Path
from typing import Any

import polars as pl

from tasks.explain.wording import typed
from tasks.report import funnel_svg
from tasks.report.chapters.run.verdict import EVENTS
from tasks.report.html import count, percent
from tasks.report.markdown import code, named, table
from tasks.report.sparklines import trend_svg
from tasks.snapshots.layout import manifest

COUNTS = {
    "input_rows": "rows read",
    "rejects": "rows rejected",
    "documents": "documents",
    "kept": "kept",
    "edited": "of these shortened",
    "removed": "removed",
}


def summary(snapshot: Path, stages: pl.DataFrame, checks: list[dict[str, Any]], outcome: str) -> str:
    """Markdown about a snapshot.

    Args:
        snapshot: folder that the snapshot has for good.
        stages: rows of its `stage_metrics`.
        checks: results of the gate, each with `rows` as examples of what it failed for.
        outcome: what became of it: "published", "refused", "dry run".
    """
    made = manifest(snapshot)
    notes = [*(_missed(one) for one in checks if not one["passed"]), *made.get("drift", {}).get("warnings", [])]
    return (
        f"# Snapshot {made['snapshot']}: {outcome}\n\n"
        + "".join(f"- {note}\n" for note in notes)
        + f"\n{_counts(snapshot, made)}\n![funnel]({_image(funnel_svg(stages))})\n\n"
        + _trend(made.get("trend", []))
        + f"Full report: {code(str(snapshot / 'report.html'))}\n"
    )


def sign(bound: str) -> str:
    """A bound as the UI shows it whole: a cell that begins with `>` would become a quotation."""
    return bound.replace(">=", "≥").replace("<=", "≤")


def _missed(one: dict[str, Any]) -> str:
    rows = f", for example {', '.join(map(code, one['rows']))}" if one["rows"] else ""
    return f"**{named(one['check'])}** is {one['value']}, must be {sign(one['bound'])}{rows}"


def _counts(snapshot: Path, made: dict[str, Any]) -> str:
    decisions = pl.scan_parquet(snapshot / "decisions" / "*.parquet")
    removed = decisions.filter(pl.col("action") == "remove").group_by("type").len().sort("type").collect()
    rows = [[words, made["counts"][name]] for name, words in COUNTS.items()]
    rows += [[f"removed, {typed(kind)}", number] for kind, number in removed.iter_rows()]
    night = made.get("refresh", {})
    rows += [[f"tonight: {name}", night[name]] for name in ("arrivals", *EVENTS) if night.get(name)]
    return table(["what", "number"], [[words, count(number)] for words, number in rows]) + "\n"


def _trend(trend: list[dict[str, Any]]) -> str:
    """The last runs as lines and as a table; nothing while there is only one."""
    if len(trend) < 2:
        return ""
    rows = [
        [
            one["created"][:16].replace("T", " "),
            one["snapshot"],
            *(count(one[name]) for name in ("documents", "kept", "removed", "seconds")),
            percent(one["canaries"].get("preservation")),
        ]
        for one in reversed(trend)
    ]
    head = ["created (UTC)", "snapshot", "documents", "kept", "removed", "seconds", "look-alikes kept"]
    shown = table(head, rows, words=2)
    return f"## The last {len(trend)} runs\n\n![trend]({_image(trend_svg(trend))})\n\n{shown}\n\n"


def _image(svg: str) -> str:
    """An SVG as an address, with a width of its own: without one the UI would stretch it."""
    sized = str(svg).replace("<svg ", '<svg width="620" ', 1)
    return f"data:image/svg+xml;base64,{base64.b64encode(sized.encode()).decode()}"
