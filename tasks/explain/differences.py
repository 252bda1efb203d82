"""Two texts beside each other: what they share, and where they differ with a little of what stands around."""

from typing import NamedTuple

from models.decision.diff.segments import passages
from tasks.explain.wording import shortened

CONTEXT = 60
"""Code points of shared text shown on either side of a difference."""
LONG = 260
"""Code points shown of one differing or shared stretch."""
FEW = 6
"""Differences shown of a pair."""


_SIGNS = " \t\r\n.,;:!?)]}>|*-–—"


class Piece(NamedTuple):
    """Stretch of a text; `marked` where the other text has something else there."""

    text: str
    marked: bool


class Comparison(NamedTuple):
    """A pair of texts, shortened to the neighbourhood of its first differences.

    Attributes:
        one: pieces of the first text in order.
        other: pieces of the second text in order.
        shared: longest stretch of the first text that the second has too; "" where there is none.
        differences: how many stretches differ in all.
        shown: how many of them the pieces show.
    """

    one: list[Piece]
    other: list[Piece]
    shared: str
    differences: int
    shown: int


class _Run(NamedTuple):
    """Stretch of both texts, equal or not."""

    equal: bool
    one: str
    other: str


def compare(one: str, other: str, few: int = FEW) -> Comparison:
    """Align two texts and shorten them to their first `few` differences."""
    runs = _runs(one, other)
    differing = [number for number, run in enumerate(runs) if not run.equal]
    shared = max((run.one for run in runs if run.equal), key=len, default="").lstrip(_SIGNS).rstrip()
    last = differing[few] if len(differing) > few else len(runs)
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    for number, run in enumerate(runs[:last]):
        ends = (number == 0, number == last - 1)
        for side, text in zip(sides, (run.one, run.other), strict=True):
            if text:
                shown = _context(text, *ends) if run.equal else _keep_edges(text, shortened(text, LONG, keep="both"))
                side.append(Piece(shown, not run.equal))
    return Comparison(*sides, shared, len(differing), min(len(differing), few))


def _runs(one: str, other: str) -> list[_Run]:
    """Alignment that covers all of both texts; what stands between two stretches goes to the shared ones."""
    found: list[_Run] = []
    one_end = other_end = 0
    for passage in passages(one, other):
        between = _Run(True, one[one_end : passage.a0], other[other_end : passage.b0])
        inside = _Run(passage.kind == "equal", one[passage.a0 : passage.a1], other[passage.b0 : passage.b1])
        for run in (between, inside):
            _append(found, run)
        one_end, other_end = max(one_end, passage.a1), max(other_end, passage.b1)
    _append(found, _Run(True, one[one_end:], other[other_end:]))
    return found


def _append(found: list[_Run], run: _Run) -> None:
    if not (run.one or run.other):
        return
    if found and found[-1].equal == run.equal:
        run = _Run(run.equal, found[-1].one + run.one, found[-1].other + run.other)
        found.pop()
    found.append(run)


def _context(text: str, first: bool, last: bool) -> str:
    if first and last:
        return shortened(text, LONG)
    if first:
        return _keep_edges(text, shortened(text, CONTEXT, keep="tail"))
    if last:
        return _keep_edges(text, shortened(text, CONTEXT))
    return _keep_edges(text, shortened(text, 2 * CONTEXT, keep="both"))


def _keep_edges(text: str, short: str) -> str:
    """White space at the ends parts words from the neighbouring piece."""
    return (" " if text[:1].isspace() else "") + short.strip() + (" " if text[-1:].isspace() else "")
