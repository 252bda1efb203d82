"""Grounds of a decision: each measure of a pair against the bar that the rules and the network hold it to."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from models.decision.rules.thresholds import INSIDE, least_run
from models.parameters import Parameters

STEEP = 3.0
"""Doublings of a count beyond its bar that fill the chart."""


class Ground(NamedTuple):
    """Measure of a pair against its bar.

    Attributes:
        name: of the measure, in `MEASURES`.
        value: of the pair.
        bar: what it is held to.
        most: the bar is an upper one.
        margin: how far the value is on the side of a removal, from -1 to 1; negative: it speaks against one.
    """

    name: str
    value: float
    bar: float
    most: bool
    margin: float


class _Measure(NamedTuple):
    """What a measure is called, and its bar under given parameters; None where these hold nothing to it."""

    label: str
    most: bool
    bar: Callable[[Parameters], float | None]
    sided: bool = False


_SHORT = {
    "differences": _Measure("words that differ in more than a slip or a disguise", True, lambda _: 0),
    "skeleton_similarity": _Measure("letters in common", False, lambda at: at.verify.tau_c),
}
_LONG = {
    "stands_in": _Measure("all of it stands in the other, line by line", False, lambda _: 0.5),
    "other_facts": _Measure("facts exchanged where both say the same", True, lambda _: 0),
    "other_words": _Measure("words and sentences exchanged where both say the same", True, lambda _: 0),
    "edits": _Measure("words changed in matched sentences, of what is shared", True, lambda at: at.verify.max_edits),
    "facts": _Measure("facts changed, of what is shared", True, lambda at: at.verify.max_facts),
    "own": _Measure("its own content that the other holds", False, lambda at: at.verify.tau_a, True),
    "lacking": _Measure("its words that the other lacks", True, lambda at: at.verify.max_lacking, True),
    "lacking_text": _Measure(
        "its words in running text that the other lacks", True, lambda at: at.verify.max_lacking_text, True
    ),
    "text_run": _Measure(
        "words in a row of running text that only it has", True, lambda at: at.verify.max_text_run, True
    ),
    "stock_words": _Measure(
        "its words in another form of a clause that many have, in clauses or names of licences, or in translated lines",
        True,
        lambda _: 0,
        True,
    ),
    "code_words": _Measure("words of source code in a row that the other lacks", True, lambda _: 0, True),
    "title_words": _Measure("words in its title that the other lacks", True, lambda _: 0, True),
    "intact": _Measure("marks, accents, letters or a key that it has and the other lost", True, lambda _: 0, True),
    "alone_run": _Measure("words in a row of own prose that only it has", True, lambda at: at.verify.max_alone, True),
    "share": _Measure("content in common (an edited copy)", False, lambda at: at.verify.tau_b),
    "ratio": _Measure("share of it in the other (a contained text)", False, lambda at: at.containment.min_ratio, True),
    "aligned": _Measure("its words matched in order", False, lambda at: at.verify.min_aligned, True),
    "longest_run": _Measure(
        "words of the longest passage in common (another template)", False, lambda at: at.verify.min_run
    ),
    "p_dup": _Measure(
        "probability of a duplicate, by the network", False, lambda at: at.verify.sure_distinct if at.head else None
    ),
    "p_final": _Measure("probability of a duplicate, network and judge", False, lambda _: 0.5),
}
MEASURES = {name: measure.label for name, measure in (_SHORT | _LONG).items()}
"""What each measure is, in the order in which the rules ask."""
COLUMNS = (
    "own_words_a",
    "own_words_b",
    "rare_words_a",
    "rare_words_b",
    *(
        column
        for name, measure in (_SHORT | _LONG).items()
        for column in ((f"{name}_a", f"{name}_b") if measure.sided else (name,))
    ),
)
"""Columns of `verified` that are held against a bar."""


def grounds(pair: dict[str, Any], side: str, parameters: Parameters) -> list[Ground]:
    """What spoke for and against removing one side of a pair, in the order in which the rules ask.

    Args:
        pair: row of `verified`; what it lacks is left out.
        side: the document that went, or would have to go: `a` or `b`.
        parameters: of the run.
    """
    own, rare = (_number(pair, f"{kind}_words_{side}") or 0 for kind in ("own", "rare"))
    found = []
    for name, measure in (_LONG if _number(pair, "skeleton_similarity") is None else _SHORT).items():
        value = _number(pair, f"{name}_{side}" if measure.sided else name)
        bar = measure.bar(parameters)
        if value is None or bar is None or (name == "own" and own < parameters.verify.min_own):
            continue
        if name == "stands_in":
            if value != INSIDE[side]:
                continue
            value = 1.0
        if name == "longest_run":
            bar = least_run(parameters.verify, rare)
        found.append(Ground(name, value, bar, measure.most, _margin(value, bar, most=measure.most)))
    return found


def _margin(value: float, bar: float, *, most: bool) -> float:
    if bar > 1:  # a number of words
        margin = math.log2(max(value, 0.5) / bar) / STEEP * (-1 if most else 1)
    elif most:
        margin = (bar - value) / bar if bar else (-1.0 if value else 1.0)
    else:
        margin = (value - bar) / ((1 - bar) if value >= bar else bar)
    missed = value > bar if most else value < bar
    return max(-1.0, min(margin, -0.03)) if missed else max(0.0, min(1.0, margin))


def _number(pair: dict[str, Any], name: str) -> float | None:
    value = pair.get(name)
    return None if value is None or value != value else float(value)
