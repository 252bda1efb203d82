"""Measures of a pair that the boundary network sees beside the two documents, and the form of a pair."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.rules.thresholds import form

SHARES = ("weighted_jaccard", "jaccard", "share", "content", "spelling", "cosine", "moved")
SIDES = ("containment", "weighted_containment", "aligned", "ratio")
RATES = ("edits", "facts")
COUNTS = (
    "longest_run", "runs", "replaced", "typographic", "edited", "changed_facts", "sentence_facts", "hard_facts",
)  # fmt: skip
FEATURES = (
    *SHARES,
    *(f"{name}_{end}" for name in SIDES for end in ("low", "high")),
    "novelty_low",
    "novelty_high",
    *RATES,
    *COUNTS,
    "short",
    "skeleton_similarity",
)
"""Columns of `pair_features`, in order; part of what a trained verifier refers to."""

FORMS = ("A", "B", "C", "D")
"""Redundancy types that have a threshold, in the order of `pair_form`."""

LARGEST_RATE = 4.0
CONTAINED = 0.9
"""Share of a side from which it counts as contained, the ratio of the paper's containment."""
WHOLE = 0.85
"""Share of all content from which a pair has the form of a copy with edits."""


def pair_features(found: pl.DataFrame) -> NDArray[np.float32]:
    """Turn the evidence on pairs into bounded numbers that do not depend on which document comes first.

    Args:
        found: p pairs with the columns of `models.decision.evidence.pair_evidence`, `cosine`, and `share`, `content`,
            `edits`, `facts`, `ratio_a`, `ratio_b` as `models.decision.rules.measures.measure` adds them.

    Returns:
        float32[p, F], the columns `FEATURES`: shares as they are, the two sides as the lower and the higher value,
        rates and counts as log(1 + x). `novelty` is the share of a text's mass in words that the other does not have.
        What was not measured (`skeleton_similarity` of texts that are not both short) is 0.
    """
    novelty = [_novelty(found, side) for side in ("a", "b")]
    sides = [(found[f"{name}_a"], found[f"{name}_b"]) for name in SIDES] + [(novelty[0], novelty[1])]
    columns = [
        *(found[name] for name in SHARES),
        *(end for one, other in sides for end in (np.minimum(one, other), np.maximum(one, other))),
        *(np.log1p(np.clip(found[name].to_numpy(), 0, LARGEST_RATE)) for name in RATES),
        *(np.log1p(np.maximum(found[name].to_numpy(), 0)) for name in COUNTS),
        found["skeleton_similarity"].is_not_nan(),
        found["skeleton_similarity"],
    ]
    table = np.column_stack([np.asarray(column, np.float32) for column in columns])
    return np.nan_to_num(table, nan=0.0, posinf=LARGEST_RATE, neginf=0.0)


def pair_form(found: pl.DataFrame) -> NDArray[np.int8]:
    """Say which type a pair would be, by measures alone, whether it is a duplicate or not.

    `eq:margin` has a threshold per type, but the type of a pair is known only once it is taken for a duplicate. So the
    threshold is chosen by `models.decision.rules.thresholds.form`. Where the thresholds are learned, too, pairs are
    sorted in this way and not by the operator that made them.

    Args:
        found: see `pair_features`.

    Returns:
        int8[p], index into `FORMS`.
    """
    place = form(CONTAINED, WHOLE).replace_strict(
        {name: index for index, name in enumerate(FORMS)}, return_dtype=pl.Int8
    )
    return found.select(place).to_series().to_numpy()


def _novelty(found: pl.DataFrame, side: str) -> NDArray[np.float32]:
    own = found["shared_mass"] + found[f"rest_mass_{side}"]
    share: NDArray[np.float32] = (found[f"novel_mass_{side}"] / own.clip(1e-6)).to_numpy()
    return share
