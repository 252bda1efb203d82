"""Whether a night is like the nights before: frozen weights against a recount, pass rates against the last runs."""

from statistics import median
from typing import Any

MAX_WEIGHTS = 0.10
"""Mean change of a word's weight, as a share of the mean weight, from which the index should be made again."""
MAX_ARRIVED = 1.0
"""Documents that arrived since the index was made, per document in it; likewise."""
WATCHED = ("collapse", "verify", "settle")
"""Stages whose pass rates say what became of tonight's documents."""
EARLIER = 5
"""Runs that it takes to know what is usual."""
SPREADS = 3.0
"""Usual deviations from the median (1.4826 times the median absolute deviation) beyond which a rate is unusual."""
LEAST_SPREAD = 0.03


def drift(trend: list[dict[str, Any]], tallied: dict[str, Any], out: object) -> dict[str, Any]:
    """Measure drift and put into words what goes beyond its bound.

    Args:
        trend: the last runs, oldest first, this one last; see `tasks.publish.trend.trend`.
        tallied: facts of the stage `tally`.
        out: output folder, for the command that mends it.

    Returns:
        `weights`, `unknown` (see `models.lexical.sketch.drift`), `arrived` and `indexed` (documents), `pass_rates` (per
        stage tonight's `rate`, the `usual` one and how far it may be `off`), and `warnings`, sentences.
    """
    rates = _rates(trend)
    warnings = []
    if tallied["weights"] > MAX_WEIGHTS or tallied["arrived"] > MAX_ARRIVED * tallied["indexed"]:
        warnings.append(
            f"the weights of the index are out of date: {tallied['arrived']} documents arrived since it counted "
            f"{tallied['indexed']}, and a recount would change the weight of tonight's words by "
            f"{tallied['weights']:.0%}. Index again: semhash-llm reindex --out {out}"
        )
    for stage, told in rates.items():
        if abs(told["rate"] - told["usual"]) > told["off"]:
            warnings.append(
                f"stage {stage} let {told['rate']:.0%} through, usually {told['usual']:.0%} (give or take "
                f"{told['off']:.0%}): look at tonight's arrivals"
            )
    facts = {name: tallied[name] for name in ("weights", "unknown", "arrived", "indexed")}
    return {**facts, "pass_rates": rates, "warnings": warnings}


def _rates(trend: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    *before, tonight = (run["pass_rates"] for run in trend if run["refreshed"])
    found = {}
    for stage in WATCHED:
        known = [rates[stage] for rates in before if stage in rates]
        if len(known) >= EARLIER and stage in tonight:
            usual = median(known)
            spread = 1.4826 * median(abs(rate - usual) for rate in known)
            off = SPREADS * max(spread, LEAST_SPREAD)
            found[stage] = {"rate": tonight[stage], "usual": usual, "off": off}
    return found
