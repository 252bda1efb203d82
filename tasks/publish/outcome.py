"""Outcome of a run in a few words: what came in, what was kept, where to read more."""

from pathlib import Path
from typing import Any, NamedTuple, Self

from tasks.quality.estimates import doubts
from tasks.report.chapters.run.verdict import EVENTS
from tasks.runtime.visible import visible
from tasks.snapshots.layout import manifest


class Outcome(NamedTuple):
    """What a snapshot says of the run that made it.

    Attributes:
        snapshot: its id.
        counts: of documents, see the manifest.
        night: of a refresh, how many arrivals there were of each kind; else empty.
        warnings: sentences.
        report: path of its report.
        ids: which column they are of; none where they are made from content.
    """

    snapshot: str
    counts: dict[str, int]
    night: dict[str, int]
    warnings: list[str]
    report: str
    ids: str | None

    @classmethod
    def of(cls, snapshot: Path) -> Self:
        """Read it from a snapshot."""
        made = manifest(snapshot)
        night = {name: value for name, value in made.get("refresh", {}).items() if isinstance(value, int)}
        ids = made["parameters"]["extract"]["id_column"]
        return cls(made["snapshot"], made["counts"], night, _warnings(made), str(snapshot / "report.html"), ids)

    def lines(self, outcome: str) -> list[str]:
        """The outcome as one reads it on a terminal."""
        told, counts = [self._tonight()] if self.night else [], self.counts
        ids = f"column '{self.ids}', which joins with doc_id of decisions" if self.ids else "made from content"
        return [
            *told,
            f"{outcome}: {counts['documents']:,} documents {'in all' if self.night else 'in'}, {counts['kept']:,} kept "
            f"({counts['edited']:,} of them shortened), {counts['removed']:,} removed, "
            f"{counts['rejects']:,} rows rejected",
            f"ids: {visible(ids)}",
            f"report: {visible(self.report)}",
        ]

    def line(self) -> str:
        """The outcome in one line, for the page of a run."""
        counts = self.counts
        told = [
            *([self._tonight()] if self.night else []),
            f"{counts['documents']:,} in, {counts['kept']:,} kept",
            *([f"{counts['rejects']:,} rows rejected"] if counts["rejects"] else []),
            f"report: {visible(self.report)}",
        ]
        return ", ".join(told)

    def _tonight(self) -> str:
        events = ", ".join(f"{self.night[name]:,} {name}" for name in EVENTS if self.night.get(name))
        return f"tonight: {self.night['arrivals']:,} arrivals ({events or 'nothing that changes anything'})"


def _warnings(made: dict[str, Any]) -> list[str]:
    warnings = [*made.get("drift", {}).get("warnings", []), *doubts(made.get("estimates", []))]
    if unknown := made["protected_unknown"]:
        count = made.get("protected_unknown_count", len(unknown))  # none in manifests of before
        warnings.append(
            f"{count:,} protected ids are not in the input, for example {unknown[0]}; "
            "list them again on the night on which they come"
        )
    if unknown := made.get("deletions_unknown"):
        count = made["deletions_unknown_count"]
        warnings.append(f"{count:,} ids to delete are unknown, for example {unknown[0]}")
    text = sorted(made.get("became_text", {}).items())
    warnings += [f"column '{name}' is text, its types had nothing in common: {had}" for name, had in text]
    return [visible(one) for one in warnings]
