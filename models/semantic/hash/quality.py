"""Quality of codes in place of cosines: the property of `eq:property`, recall, skew, balance."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel
from models.semantic.hash.projection_hash import BITS, ProjectionHash

STEP = 0.01
"""Width of a bin of cosines; bin b is centred on b * STEP - 1."""


def quality(projection: ProjectionHash, vectors: NDArray[np.float32], radius: int = 8) -> dict[str, float | None]:
    """Measure a hash on all pairs of some vectors.

    Args:
        projection: the hash.
        vectors: float32[n, d] of unit length, n >= 2.
        radius: Hamming radius of a semantic block.

    Returns:
        `pairs`, `distinct_codes`; `worst_bit` and `mean_bit`: distance of a bit's frequency from one half;
        `worst_bit_correlation`, `mean_bit_correlation`: absolute, between bits; `property_error` and
        `property_error_related` (cosine >= 0.5): | Pr[bits equal] - (1 + cosine) / 2 | averaged over pairs;
        `recall_80`, `_90`, `_95`: share of the pairs of at least this cosine that are within the radius (None
        without such pairs); `within_radius`: pairs there, and `within_radius_related`: the share of them whose cosine
        is at least 0.7.
    """
    codes = projection.codes(vectors)
    table = pair_table(codes, vectors)
    cosine = np.arange(len(table)) * STEP - 1
    count = table.sum(1)
    equal = 1 - table @ np.arange(BITS + 1) / BITS / np.maximum(count, 1)
    error = np.abs(equal - (1 + cosine) / 2)
    near = table[:, : radius + 1].sum(1)
    bits = ((codes[:, None] >> np.arange(BITS, dtype=np.uint64)) & np.uint64(1)).astype(np.float64)
    off_centre = np.abs(bits.mean(0) - 0.5)
    correlation = _correlations(bits[:, off_centre < 0.5])

    def above(part: NDArray[np.int64], whole: NDArray[np.int64], least: float) -> float | None:
        among = whole[cosine > least - STEP / 2].sum()
        return float(part[cosine > least - STEP / 2].sum() / among) if among else None

    related = cosine > 0.5 - STEP / 2
    return {
        "pairs": int(count.sum()),
        "distinct_codes": len(np.unique(codes)),
        "worst_bit": float(off_centre.max()),
        "mean_bit": float(off_centre.mean()),
        "worst_bit_correlation": float(correlation.max(initial=0)),
        "mean_bit_correlation": float(correlation.sum() / max(1, len(correlation))),
        "property_error": float((error * count).sum() / count.sum()),
        "property_error_related": float((error * count)[related].sum() / max(1, count[related].sum())),
        "recall_80": above(near, count, 0.80),
        "recall_90": above(near, count, 0.90),
        "recall_95": above(near, count, 0.95),
        "within_radius": int(near.sum()),
        "within_radius_related": float(near[cosine > 0.7 - STEP / 2].sum() / max(1, near.sum())),
    }


def _correlations(bits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Absolute correlations between different columns, none of them constant."""
    scaled = (bits - bits.mean(0)) / np.maximum(bits.std(0), 1e-12)
    correlation: NDArray[np.float64] = np.abs(scaled.T @ scaled / len(bits))
    return correlation[~np.eye(bits.shape[1], dtype=bool)]


def pair_table(codes: NDArray[np.uint64], vectors: NDArray[np.float32], block: int = 512) -> NDArray[np.int64]:
    """Count pairs by cosine and Hamming distance.

    Args:
        codes: uint64[n].
        vectors: float32[n, d] of unit length.
        block: rows whose cosines are held at once.

    Returns:
        int64[201, 65]: row b holds the pairs whose cosine rounds to b / 100 - 1.
    """
    table = np.zeros((round(2 / STEP) + 1, BITS + 1), np.int64)
    for start in range(0, len(codes), block):
        cosine = vectors[start : start + block] @ vectors[start:].T
        distance = np.bitwise_count(codes[start : start + block, None] ^ codes[start:])
        _count(cosine, distance, table)
    return table


@kernel
def _count(cosine: NDArray[np.float32], distance: NDArray[np.uint8], table: NDArray[np.int64]) -> None:
    last = len(table) - 1
    for i in range(cosine.shape[0]):
        for j in range(i + 1, cosine.shape[1]):
            row = int(np.floor((cosine[i, j] + 1) / STEP + 0.5))
            table[min(max(row, 0), last), distance[i, j]] += 1
