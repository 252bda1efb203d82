"""Minimizers: hashes by which two texts that share a passage find each other.

Every window of half the passage's length is hashed, and out of every stretch of windows that such a passage fills the
least hash is kept (winnowing, Schleimer, Wilkerson and Aiken 2003). A shared passage holds the same windows in both
texts, so both keep the same one of them: no shared passage goes unseen, at two hashes per stretch or so.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import ROLLING, mix
from models.kernels.jit import inner, kernel
from models.lexical.text.normalisation import Normalised


def minimizers(normalised: Normalised, min_chars: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Pick the distinct minimizers of every document.

    Two documents that share a passage of at least `min_chars` normalised code points share a minimizer. The converse
    does not hold: one shared window, half as long, may be enough.

    Args:
        normalised: n documents.
        min_chars: shortest passage of interest, in normalised code points, at least 2.

    Returns:
        uint32[k] hashes, ascending within a document, about one per `min_chars / 4` code points, and int64[n + 1]
        pointers. A document shorter than `min_chars` has none.

    Raises:
        ValueError: `min_chars` is below 2.
    """
    hashes, pointers = _minimizers(normalised.codes, normalised.pointers, *_shape(min_chars))
    return hashes, pointers


def windows_among(normalised: Normalised, min_chars: int, wanted: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which of some hashes are those of a window of these documents, be it picked or not.

    Which windows of a passage are picked near its ends depends on what stands around it.

    Args:
        normalised: n documents.
        min_chars: see `minimizers`.
        wanted: uint32[k], ascending.

    Returns:
        bool[k].

    Raises:
        ValueError: `min_chars` is below 2.
    """
    among: NDArray[np.bool_] = _among(normalised.codes, normalised.pointers, _shape(min_chars)[0], wanted)
    return among


def _shape(min_chars: int) -> tuple[int, int]:
    """Code points of a window, windows of a passage."""
    if min_chars < 2:
        raise ValueError(f"min_chars {min_chars} must be >= 2")
    window = min_chars // 2
    return window, min_chars - window + 1


@kernel
def _minimizers(
    codes: NDArray[np.uint32], pointers: NDArray[np.int64], window: int, run: int
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    longest = 0
    for d in range(len(pointers) - 1):
        longest = max(longest, pointers[d + 1] - pointers[d])
    ranks, least = np.empty(longest, np.uint64), np.empty(longest, np.uint32)
    kept, found = np.empty(2 * len(codes) // run + 64, np.uint32), 0
    bounds = np.zeros(len(pointers), np.int64)
    for d in range(len(pointers) - 1):
        count = _window_hashes(codes[pointers[d] : pointers[d + 1]], window, ranks)
        picked = np.sort(least[: _winnow(ranks[:count], run, least)])
        if found + len(picked) > len(kept):
            kept = np.concatenate((kept, np.empty(max(len(kept), len(picked)), np.uint32)))
        for i in range(len(picked)):
            if i == 0 or picked[i] != picked[i - 1]:
                kept[found] = picked[i]
                found += 1
        bounds[d + 1] = found
    return kept[:found].copy(), bounds


@kernel
def _among(
    codes: NDArray[np.uint32], pointers: NDArray[np.int64], window: int, wanted: NDArray[np.uint32]
) -> NDArray[np.bool_]:
    seen, among = np.zeros(1 << 20, np.bool_), np.zeros(len(wanted), np.bool_)
    for hashed in wanted:
        seen[hashed & np.uint32(0xFFFFF)] = True
    ranks = np.empty(np.diff(pointers).max() if len(pointers) > 1 else 0, np.uint64)
    for d in range(len(pointers) - 1):
        for rank in ranks[: _window_hashes(codes[pointers[d] : pointers[d + 1]], window, ranks)]:
            hashed = np.uint32(rank & np.uint64(0xFFFFFFFF))
            if seen[hashed & np.uint32(0xFFFFF)]:
                place = np.searchsorted(wanted, hashed)
                if place < len(wanted) and wanted[place] == hashed:
                    among[place] = True
    return among


@inner
def _window_hashes(codes: NDArray[np.uint32], window: int, hashes: NDArray[np.uint64]) -> int:
    """Write the hash of every window of one document; return how many."""
    count = max(len(codes) - window + 1, 0)
    rolling, power = np.uint64(0), np.uint64(1)
    for i in range(min(window - 1, len(codes))):
        rolling = rolling * ROLLING + np.uint64(codes[i])
        power *= ROLLING
    for i in range(count):
        rolling = rolling * ROLLING + np.uint64(codes[i + window - 1])
        hashes[i] = mix(rolling)
        rolling -= power * np.uint64(codes[i])
    return count


@inner
def _winnow(hashes: NDArray[np.uint64], run: int, least: NDArray[np.uint32]) -> int:
    """Write the least of every `run` hashes, once for each place; return how many.

    Ordered by all 64 bits, written as the low 32: the least of many have their high bits in common.
    """
    found, place = 0, -1
    for last in range(run - 1, len(hashes)):
        first = last - run + 1
        if place < first:
            place = first
            for i in range(first + 1, last + 1):
                if hashes[i] <= hashes[place]:
                    place = i
        elif hashes[last] <= hashes[place]:
            place = last
        else:
            continue
        least[found] = np.uint32(hashes[place] & np.uint64(0xFFFFFFFF))
        found += 1
    return found
