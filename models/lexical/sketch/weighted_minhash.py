"""Attention-weighted MinHash, `eq:weighted_minhash`: in every slot the shingle with the earliest exponential arrival.

Two documents agree in a slot with the probability Jaccard similarity J_P (Moulton & Jiang 2018), which equals the J_w
of `eq:wj_property` where shared shingles weigh the same in both. A sketch depends on its document's shingles, weights
and the seed alone. `icws`, the exact similarities and `similarity` can be had from here too.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from models.kernels.hashing import GOLDEN, mix
from models.kernels.jit import compiled, inner
from models.lexical.sketch.consistent_sampling import icws
from models.lexical.sketch.jaccard import probability_jaccard, weighted_jaccard
from models.lexical.sketch.sketches import MARGIN, SEED, check_batch, similarity, total_weight

__all__ = ["SEED", "icws", "prob_minhash", "probability_jaccard", "similarity", "weighted_jaccard"]

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
_BLOCK = 512  # shingles at a time: the working arrays stay in the nearest cache
_FEW = 64  # at most half a block


class _Points(NamedTuple):
    """The next point of each shingle that can still win a slot."""

    hash: NDArray[np.uint64]
    rate: NDArray[np.float32]
    lap: NDArray[np.float32]


class _Draws(NamedTuple):
    """Where and when the points of one round arrive; `key` is time above shingle."""

    slot: NDArray[np.uint32]
    key: NDArray[np.uint64]


def prob_minhash(
    hash: NDArray[np.uint64],
    weight: NDArray[np.float32],
    pointers: NDArray[np.int64],
    slots: int = 128,
    seed: int = SEED,
) -> NDArray[np.uint32]:
    """Sketch documents by `eq:weighted_minhash`, computed by the ProbMinHash3 scheme (Ertl 2020, arXiv:1911.00675).

    Every shingle emits one point per lap, in a random slot, at a time that makes its first arrival in any given slot
    exponential with a rate proportional to its weight. Points later than the latest slot winner so far cannot win, so
    about m log m points decide a sketch, however many shingles there are.

    Args:
        hash: uint64[g], well-mixed shingle hashes, distinct within each document.
        weight: float32[g], positive.
        pointers: int64[n + 1].
        slots: m, at least 2.
        seed: uint64.

    Returns:
        uint32[n, m]: a 32-bit hash of the shingle that won each slot.

    Raises:
        ValueError: a document without shingles, a weight outside 1e-30 … 1e30, or m < 2.
    """
    check_batch(hash, weight, pointers, slots)
    sketch: NDArray[np.uint32] = _prob_minhash(hash, weight, pointers, slots, np.uint64(seed), _curve(slots))
    return sketch


@intrinsic
def _bits(typing_context: Any, value: Any) -> Any:
    """The bits of a float32 as uint32."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(32))

    return types.uint32(types.float32), codegen


@intrinsic
def _from_bits(typing_context: Any, bits: Any) -> Any:
    """The float32 that a uint32 is the bits of."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.FloatType())

    return types.float32(types.uint32), codegen


def _curve(slots: int) -> NDArray[np.float32]:
    # Inverse of the truncated exponential: a lap hits a slot with probability 1/m, so the time within the lap is
    # log(1 - u/m) / log(1 - 1/m). As a power series it needs no logarithm and runs in vector registers; the terms
    # left out are below float32 resolution from 16 slots on.
    rate = -math.log1p(-1 / slots)
    return np.array([slots**-power / power / rate for power in range(1, 7)], np.float32)


@compiled(error_model="numpy")
def _prob_minhash(
    hash: NDArray[np.uint64],
    weight: NDArray[np.float32],
    pointers: NDArray[np.int64],
    slots: int,
    seed: np.uint64,
    curve: NDArray[np.float32],
) -> NDArray[np.uint32]:
    result = np.empty((pointers.size - 1, slots), np.uint32)
    points = _Points(np.empty(_BLOCK, np.uint64), np.empty(_BLOCK, np.float32), np.empty(_BLOCK, np.float32))
    draws = _Draws(np.empty(_BLOCK, np.uint32), np.empty(_BLOCK, np.uint64))
    lap, best = np.empty(_BLOCK, np.float32), np.empty(slots, np.uint64)
    for d in range(pointers.size - 1):
        start, end = pointers[d], pointers[d + 1]
        horizon = np.float32(MARGIN * slots / total_weight(weight[start:end]))
        best[:] = _EMPTY
        while True:
            bound = horizon
            for low in range(start, end, _BLOCK):
                high = min(low + _BLOCK, end)
                block = _Points(hash[low:high], weight[low:high], lap[: high - low])
                bound = _run_laps(block, points, bound, seed, curve, draws, best)
            if bound < horizon:
                break
            horizon *= np.float32(2)  # a slot stayed empty: the same points again, and later ones
        for k in range(slots):
            result[d, k] = np.uint32(best[k])
    return result


@compiled(error_model="numpy")
def _run_laps(
    block: _Points,
    points: _Points,
    bound: np.float32,
    seed: np.uint64,
    curve: NDArray[np.float32],
    draws: _Draws,
    best: NDArray[np.uint64],
) -> np.float32:
    size, lap = block.hash.size, np.float32(0)
    # As long as most shingles can still win, all take part in place; those that outlast the others are then copied
    # together.
    while True:
        block.lap[:] = lap
        _emit(block, size, seed, curve, draws, best)
        bound = min(bound, _latest(best))
        lap += np.float32(1)
        alive = _count(block.rate, lap, bound)
        if alive <= max(size // 2, _FEW):
            break
    block.lap[:] = lap
    alive = _gather(block, size, points, np.float32(0), bound, draws.slot) if alive > 0 else 0
    stride = np.float32(1)
    while alive > 0:
        if alive <= _FEW:
            alive = _double(points, alive, stride)
            stride *= np.float32(2)
        _emit(points, alive, seed, curve, draws, best)
        bound = min(bound, _latest(best))
        alive = _gather(points, alive, points, stride, bound, draws.slot)
    return bound


@compiled(error_model="numpy")
def _emit(
    points: _Points, alive: int, seed: np.uint64, curve: NDArray[np.float32], draws: _Draws, best: NDArray[np.uint64]
) -> None:
    slots = np.uint64(np.uint32(best.size))  # a product of two halves, which vector registers take in one step
    c1, c2, c3, c4, c5, c6 = curve[0], curve[1], curve[2], curve[3], curve[4], curve[5]
    for i in range(alive):
        lap = points.lap[i]
        random = mix((points.hash[i] ^ seed) + np.uint64(np.int64(lap)) * GOLDEN)
        u = np.float32(np.int64(random >> _HALF)) * np.float32(2.0**-32)
        within = u * (c1 + u * (c2 + u * (c3 + u * (c4 + u * (c5 + u * c6)))))
        draws.slot[i] = np.uint32(((random & _LOW) * slots) >> _HALF)
        # Non-negative floats order as their bits do: with the time above the shingle in one word, the earliest arrival
        # is a plain minimum, free of the branch that no processor could predict.
        h = points.hash[i]
        draws.key[i] = (np.uint64(_bits((lap + within) / points.rate[i])) << _HALF) | ((h ^ (h >> _HALF)) & _LOW)
    for i in range(alive):
        k = np.uint64(draws.slot[i])
        best[k] = min(best[k], draws.key[i])


@inner
def _latest(best: NDArray[np.uint64]) -> np.float32:
    latest = np.uint64(0)
    for k in range(best.size):
        latest = max(latest, best[k])
    if latest == _EMPTY:
        return np.float32(np.inf)
    return np.float32(_from_bits(np.uint32(latest >> _HALF)))


@inner
def _count(rate: NDArray[np.float32], lap: np.float32, bound: np.float32) -> int:
    count = 0
    for i in range(rate.size):
        count += int(rate[i] * bound >= lap)
    return count


@inner
def _gather(
    source: _Points,
    size: int,
    target: _Points,
    laps: np.float32,
    bound: np.float32,
    chosen: NDArray[np.uint32],
) -> int:
    # First which, then what: one value stored for each that may go, not three.
    kept = 0
    for i in range(size):
        chosen[kept] = i
        kept += int(source.rate[i] * bound >= source.lap[i] + laps)
    for k in range(kept):
        i = chosen[k]
        target.hash[k], target.rate[k], target.lap[k] = source.hash[i], source.rate[i], source.lap[i] + laps
    return kept


@inner
def _double(points: _Points, alive: int, laps: np.float32) -> int:
    # When few shingles are left, each takes its even and odd laps at once: vector registers stay full, and a document
    # dominated by one shingle needs few rounds.
    for i in range(alive):
        points.hash[alive + i], points.rate[alive + i] = points.hash[i], points.rate[i]
        points.lap[alive + i] = points.lap[i] + laps
    return 2 * alive
