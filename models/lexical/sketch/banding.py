"""Locality-sensitive hashing of sketches in bands whose number follows the attention entropy (`eq:adaptive_band`)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.kernels.hashing import GOLDEN, mix
from models.kernels.jit import kernel


def band_counts(
    entropy: NDArray[np.float32], mean_entropy: float, base: int, gain: float, lowest: int, highest: int
) -> NDArray[np.int32]:
    """Return the number of bands of each document, `eq:adaptive_band`.

    Args:
        entropy: float32[n], attention entropy in nats (`eq:entropy`).
        mean_entropy: mean over the corpus, in nats.
        base: b_0, bands at mean entropy.
        gain: delta, bands per nat.
        lowest: b_min.
        highest: b_max.

    Returns:
        int32[n] between `lowest` and `highest`. An entropy that is not a number counts as the mean.
    """
    excess = np.nan_to_num(np.asarray(entropy, np.float64) - mean_entropy, nan=0.0)
    counts: NDArray[np.float64] = np.clip(base + np.floor(gain * excess), lowest, highest)
    return counts.astype(np.int32)


def bands(
    sketch: NDArray[np.uint32], counts: NDArray[np.int32], rows: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Hash the first `counts` bands of each sketch.

    Documents agree in band i when they agree in slots i*rows … (i+1)*rows - 1; a document with fewer bands keeps the
    first ones, so that it still meets those with more. The band's index is mixed in: equal values in different bands
    do not meet. Part of the stored format.

    Args:
        sketch: uint32[n, m].
        counts: int32[n], bands per document.
        rows: r, slots per band.

    Returns:
        uint64 hashes of all documents' bands one after the other, and int64[n + 1] pointers into them.

    Raises:
        ValueError: a document has more bands than its sketch has room for, or a negative number.
    """
    if rows < 1 or (counts.size and (counts.min() < 0 or int(counts.max()) * rows > sketch.shape[1])):
        raise ValueError(f"{rows} rows and up to {counts.max(initial=0)} bands do not fit {sketch.shape[1]} slots")
    pointers = np.zeros(counts.size + 1, np.int64)
    np.cumsum(counts, out=pointers[1:])
    return _hash_bands(sketch, pointers, rows), pointers


def collision_probability(similarity: ArrayLike, rows: int, bands: ArrayLike) -> NDArray[np.float64]:
    """Return the chance that two documents share at least one band, 1 - (1 - s^r)^b of `eq:lsh_prob`.

    Args:
        similarity: s, share of equal slots to be expected; any shape.
        rows: r, slots per band.
        bands: b, bands that both documents have; any shape that broadcasts.

    Returns:
        float64 of the broadcast shape.
    """
    return np.asarray(1 - (1 - np.asarray(similarity, np.float64) ** rows) ** np.asarray(bands))


@kernel
def _hash_bands(sketch: NDArray[np.uint32], pointers: NDArray[np.int64], rows: int) -> NDArray[np.uint64]:
    result = np.empty(pointers[-1], np.uint64)
    for d in range(sketch.shape[0]):
        for band in range(pointers[d + 1] - pointers[d]):
            value = np.uint64(band + 1) * GOLDEN
            for row in range(rows):
                value = mix(value ^ np.uint64(sketch[d, band * rows + row]))
            result[pointers[d] + band] = value
    return result
