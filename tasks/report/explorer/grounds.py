"""Grounds of a decision: each measure of a pair against the bar that the rules and the network hold it to."""

import math
from typing import Any, NamedTuple

from models.decision.types import DUPLICATES
from models.parameters import Parameters

MEASURES = (
    "skeleton_similarity", "differences", "other_facts", "edits", "facts", "share", "longest_run", "p_dup", "p_final",
    *(f"{name}_{side}" for name in ("own_words", "own", "lacking", "lacking_text", "text_run", "alone_run", "ratio")
      for side in ("a", "b")),
)  # fmt: skip
"""Columns of `verified` that are held against a bar."""
STEEP = 3.0
"""Doublings of a count beyond its bar that fill the chart."""


class Ground(NamedTuple):
    """Measure of a pair against its bar.

    Attributes:
        label: what is measured.
        value: of the pair.
        bar: what it is held to.
        most: the bar is an upper one.
        margin: how far the value is on the side of a removal, from -1 to 1; negative: it speaks against one.
    """

    label: str
    value: float
    bar: float
    most: bool
    margin: float


def grounds(pair: dict[str, Any], side: str, parameters: Parameters) -> list[Ground]:
    """What spoke for and against removing one side of a pair, in the order in which the rules ask.

    Args:
        pair: row of `verified`; what it lacks is left out.
        side: the document that went, or would have to go: `a` or `b`.
        parameters: of the run.
    """
    bars = parameters.verify
    if _number(pair, "skeleton_similarity") is not None:
        found = [
            _at_most(pair, "words that differ in more than a slip or a disguise", "differences", 0),
            _at_least(pair, "letters in common", "skeleton_similarity", bars.tau_c),
        ]
        return [one for one in found if one]
    own = (_number(pair, f"own_words_{side}") or 0) >= bars.min_own
    needed = bars.sure_distinct if pair.get("type") in DUPLICATES else bars.sure_duplicate
    found = [
        _at_most(pair, "facts exchanged where both say the same", "other_facts", 0),
        _at_most(pair, "words changed inside matched sentences, of the shared text", "edits", bars.max_edits),
        _at_most(pair, "facts changed, of the shared text", "facts", bars.max_facts),
        _at_least(pair, "its own content that the other holds", f"own_{side}", bars.tau_a) if own else None,
        _at_most(pair, "its words that the other lacks", f"lacking_{side}", bars.max_lacking),
        _at_most(pair, "its words in running text that the other lacks", f"lacking_text_{side}", bars.max_lacking_text),
        _at_most(pair, "words in a row of running text that only it has", f"text_run_{side}", bars.max_text_run),
        _at_most(pair, "words in a row of own prose that only it has", f"alone_run_{side}", bars.max_alone),
        _at_least(pair, "content in common (an edited copy)", "share", bars.tau_b),
        _at_least(
            pair, "share of it in the other (a contained text)", f"ratio_{side}", parameters.containment.min_ratio
        ),
        _at_least(pair, "words of the longest passage in common (another template)", "longest_run", bars.min_run),
        _at_least(pair, "probability of a duplicate, by the network", "p_dup", needed),
        _at_least(pair, "probability of a duplicate, network and judge", "p_final", 0.5),
    ]
    return [one for one in found if one]


def _at_least(pair: dict[str, Any], label: str, name: str, bar: float) -> Ground | None:
    value = _number(pair, name)
    if value is None:
        return None
    margin = _doublings(value, bar) if bar > 1 else (value - bar) / ((1 - bar) if value >= bar else bar)
    return Ground(label, value, bar, most=False, margin=_held(margin))


def _at_most(pair: dict[str, Any], label: str, name: str, bar: float) -> Ground | None:
    value = _number(pair, name)
    if value is None:
        return None
    if value <= bar:
        return Ground(label, value, bar, most=True, margin=(bar - value) / bar if bar else 1.0)
    return Ground(label, value, bar, most=True, margin=_held(-_doublings(value, bar) if bar else -1.0))


def _doublings(value: float, bar: float) -> float:
    return math.log2(max(value, 1e-6) / bar) / STEEP


def _held(margin: float) -> float:
    """Between -1 and 1, and never so near to 0 that a bar that was missed cannot be seen."""
    return max(-1.0, min(margin, -0.03)) if margin < 0 else min(1.0, margin)


def _number(pair: dict[str, Any], name: str) -> float | None:
    value = pair.get(name)
    return None if value is None or value != value else float(value)
