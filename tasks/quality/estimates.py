"""Quality estimates of a run from its planted documents, in words; warns where it is far below what was shipped."""

from typing import Any

MEASURES = {
    "S_A": "template variants removed",
    "S_B": "small edits removed",
    "S_C": "perturbed short texts removed",
    "S_D": "contained documents removed, parent kept",
    "S_E": "viral passages cut",
    "preservation": "look-alikes (type F) kept",
    "neighbours": "neighbours with other content kept",
    "precision": "of what was removed, duplicates",
    "S_P": "texts in other words found",
    "listed": "of what was listed as the same in other words, what is",
}
"""What each score of the planted documents measures."""


def doubts(estimates: list[dict[str, Any]]) -> list[str]:
    """A sentence for each score that is far below the shipped figure.

    Args:
        estimates: of a manifest.
    """
    return [
        f"planted documents: {MEASURES[fate['score']]}: {fate['share']:.0%} ({fate['low']:.0%} to {fate['high']:.0%}), "
        f"{fate['shipped']:.0%} where this version was measured; read a sample of this run: semhash-llm audit"
        for fate in estimates
        if fate["far_below"]
    ]
