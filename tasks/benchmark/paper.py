"""Printed figures of the paper, to stand beside the measured ones."""

from typing import NamedTuple


class Printed(NamedTuple):
    """Row of the paper's table.

    Attributes:
        scores: S_A … S_E, in [0, 1].
        final: 0 to 100, as printed; it does not always follow from the scores and the paper's weights.
    """

    scores: tuple[float, float, float, float, float]
    final: float


PRINTED = {
    "SimHash-64": Printed((0.71, 0.65, 0.42, 0.31, 0.18), 48.20),
    "MinHash-LSH": Printed((0.82, 0.78, 0.68, 0.45, 0.22), 61.35),
    "NearDup-BERT": Printed((0.85, 0.79, 0.74, 0.68, 0.55), 73.45),
    "DedupLM": Printed((0.88, 0.83, 0.81, 0.76, 0.71), 81.20),
    "SemHash-LLM": Printed((0.94, 0.91, 0.89, 0.92, 0.88), 91.05),
    "w/o SPH": Printed((0.83, 0.80, 0.79, 0.74, 0.70), 79.32),
    "w/o AW-MinHash": Printed((0.89, 0.85, 0.82, 0.88, 0.83), 85.18),
    "w/o MGFN": Printed((0.86, 0.82, 0.80, 0.85, 0.79), 84.56),
}
"""By the name of the row."""
