"""Attention-weighted MinHash (`eq:weighted_minhash`) and consistent weighted sampling, each with its exact similarity.

`prob_minhash` keeps in every slot the shingle with the smallest exponential arrival time, as the paper writes it. Two
documents agree in a slot with the probability Jaccard similarity J_P (Moulton & Jiang 2018). `icws` (Ioffe 2010) agrees
with the J_w of `eq:wj_property`. The two coincide where shared shingles weigh the same in both documents.

A sketch depends on its document's shingles, weights and the seed alone; the formats are fixed by this file.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.lexical.hashing import mix

SEED = 0x5EED_0F_5E4A_A5
"""Default seed; sketches of different seeds cannot be compared."""

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_SECOND = np.uint64(0xC2B2AE3D27D4EB4F)
_THIRD = np.uint64(0x165667B19E3779F9)
_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
_BLOCK = 512  # shingles at a time: the working arrays stay in the nearest cache
_FEW = 64
_MARGIN = 8.0  # a slot is left empty by the first attempt with probability exp(-8)


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
        ValueError: a document without shingles, a weight that is not positive and finite, or m < 2.
    """
    _check(hash, weight, pointers, slots)
    return _prob_minhash(hash, weight, pointers, slots, np.uint64(seed), _curve(slots))


def icws(
    hash: NDArray[np.uint64],
    weight: NDArray[np.float32],
    pointers: NDArray[np.int64],
    slots: int = 128,
    seed: int = SEED,
) -> NDArray[np.uint32]:
    """Sketch documents by improved consistent weighted sampling (Ioffe 2010).

    Work is g x m against the g + m log m of `prob_minhash`: choose it where exact J_w matters more than time.

    Args:
        hash: uint64[g], well-mixed shingle hashes, distinct within each document.
        weight: float32[g], positive.
        pointers: int64[n + 1].
        slots: m, at least 2.
        seed: uint64.

    Returns:
        uint32[n, m]: a 32-bit hash of the sampled (shingle, t) of each slot.

    Raises:
        ValueError: as for `prob_minhash`.
    """
    _check(hash, weight, pointers, slots)
    return _icws(hash, weight, pointers, slots, np.uint64(seed))


@njit(cache=True, nogil=True)
def similarity(sketches_a: NDArray[np.uint32], sketches_b: NDArray[np.uint32]) -> NDArray[np.float32]:
    """Return the share of equal slots of each pair of rows, float32[p], from two uint32[p, m]."""
    pairs, slots = sketches_a.shape
    result = np.empty(pairs, np.float32)
    for p in range(pairs):
        equal = 0
        for k in range(slots):
            equal += sketches_a[p, k] == sketches_b[p, k]
        result[p] = equal / slots
    return result


def _check(hash: NDArray[np.uint64], weight: NDArray[np.float32], pointers: NDArray[np.int64], slots: int) -> None:
    if slots < 2:
        raise ValueError(f"{slots} slots: a sketch needs at least 2")
    if hash.size != weight.size or pointers[-1] != hash.size:
        raise ValueError(f"{hash.size} shingles, {weight.size} weights, pointers up to {pointers[-1]}")
    if np.any(pointers[1:] <= pointers[:-1]):
        raise ValueError("a document without shingles has no sketch")
    if hash.size and not (weight.min() > 0 and weight.max() < np.inf):
        raise ValueError("weights must be positive and finite")


def _curve(slots: int) -> NDArray[np.float32]:
    # Inverse of the truncated exponential: a lap hits a slot with probability 1/m, so the time within the lap is
    # log(1 - u/m) / log(1 - 1/m). As a power series it needs no logarithm and runs in vector registers; the terms
    # left out are below float32 resolution from 16 slots on.
    scale = 2.0**-32 / slots
    rate = -math.log1p(-1 / slots)
    return np.array([scale**power / power / rate for power in range(1, 7)], np.float32)


@njit(cache=True, nogil=True, error_model="numpy")
def _prob_minhash(
    hash: NDArray[np.uint64],
    weight: NDArray[np.float32],
    pointers: NDArray[np.int64],
    slots: int,
    seed: np.uint64,
    curve: NDArray[np.float32],
) -> NDArray[np.uint32]:
    result = np.empty((pointers.size - 1, slots), np.uint32)
    state, rate, label = np.empty(_BLOCK, np.uint64), np.empty(_BLOCK, np.float32), np.empty(_BLOCK, np.uint32)
    lap, time, slot = np.empty(_BLOCK, np.float32), np.empty(_BLOCK, np.float32), np.empty(_BLOCK, np.uint32)
    best = np.empty(slots, np.uint64)
    for d in range(pointers.size - 1):
        start, end = pointers[d], pointers[d + 1]
        horizon = np.float32(_MARGIN * slots / _total(weight[start:end]))
        best[:] = _EMPTY
        while True:
            bound = horizon
            for low in range(start, end, _BLOCK):
                alive, stride = min(_BLOCK, end - low), 1
                for i in range(alive):
                    h = hash[low + i]
                    state[i], rate[i], label[i] = h ^ seed, weight[low + i], np.uint32(h ^ (h >> _HALF))
                    lap[i] = np.float32(0)
                while alive > 0:
                    _emit(state, rate, label, lap, alive, curve, time, slot, best)
                    bound = min(bound, _latest(best, time))
                    alive = _advance(state, rate, label, lap, alive, stride, bound)
                    if alive <= _FEW:
                        alive = _double(state, rate, label, lap, alive, stride)
                        stride *= 2
            if bound < horizon:
                break
            horizon *= np.float32(2)  # a slot stayed empty: the same points again, and later ones
        for k in range(slots):
            result[d, k] = np.uint32(best[k])
    return result


@njit(cache=True, nogil=True, fastmath=True)
def _total(weight: NDArray[np.float32]) -> float:
    total = np.float32(0)  # only guides the search, so the order of addition is left to the compiler
    for i in range(weight.size):
        total += weight[i]
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def _emit(
    state: NDArray[np.uint64],
    rate: NDArray[np.float32],
    label: NDArray[np.uint32],
    lap: NDArray[np.float32],
    alive: int,
    curve: NDArray[np.float32],
    time: NDArray[np.float32],
    slot: NDArray[np.uint32],
    best: NDArray[np.uint64],
) -> None:
    slots = np.uint64(best.size)
    c1, c2, c3, c4, c5, c6 = curve[0], curve[1], curve[2], curve[3], curve[4], curve[5]
    for i in range(alive):
        random = mix(state[i])
        u = np.float32(np.int64(random >> _HALF))
        within = u * (c1 + u * (c2 + u * (c3 + u * (c4 + u * (c5 + u * c6)))))
        time[i] = (lap[i] + within) / rate[i]
        slot[i] = np.uint32(((random & _LOW) * slots) >> _HALF)
    # Non-negative floats order as their bits do: with the time above the label in one word, the earliest arrival is
    # a plain minimum, free of the branch that no processor could predict.
    bits = time.view(np.uint32)
    for i in range(alive):
        k = np.uint64(slot[i])
        best[k] = min(best[k], (np.uint64(bits[i]) << _HALF) | np.uint64(label[i]))


@njit(cache=True, nogil=True)
def _latest(best: NDArray[np.uint64], time: NDArray[np.float32]) -> np.float32:
    latest = np.uint64(0)
    for k in range(best.size):
        latest = max(latest, best[k])
    if latest == _EMPTY:
        return np.float32(np.inf)
    time.view(np.uint32)[0] = np.uint32(latest >> _HALF)
    return time[0]


@njit(cache=True, nogil=True)
def _advance(
    state: NDArray[np.uint64],
    rate: NDArray[np.float32],
    label: NDArray[np.uint32],
    lap: NDArray[np.float32],
    alive: int,
    stride: int,
    bound: np.float32,
) -> int:
    kept, step, laps = 0, _STEP * np.uint64(stride), np.float32(stride)
    for i in range(alive):
        # next to where they are stored these values are not read back, which would serialise the loop
        weight, following = rate[i], lap[i] + laps
        state[kept], rate[kept], label[kept], lap[kept] = state[i] + step, weight, label[i], following
        kept += np.int64(weight * bound >= following)
    return kept


@njit(cache=True, nogil=True)
def _double(
    state: NDArray[np.uint64],
    rate: NDArray[np.float32],
    label: NDArray[np.uint32],
    lap: NDArray[np.float32],
    alive: int,
    stride: int,
) -> int:
    # When few shingles are left, each takes its even and odd laps at once: vector registers stay full, and a document
    # dominated by one shingle needs few rounds.
    step, laps = _STEP * np.uint64(stride), np.float32(stride)
    for i in range(alive):
        state[alive + i], rate[alive + i], label[alive + i] = state[i] + step, rate[i], label[i]
        lap[alive + i] = lap[i] + laps
    return 2 * alive


@njit(cache=True, nogil=True, error_model="numpy")
def _icws(
    hash: NDArray[np.uint64], weight: NDArray[np.float32], pointers: NDArray[np.int64], slots: int, seed: np.uint64
) -> NDArray[np.uint32]:
    result = np.zeros((pointers.size - 1, slots), np.uint32)
    best, floor, chosen = np.empty(slots, np.float64), np.empty(slots, np.float32), np.empty(slots, np.int64)
    for d in range(pointers.size - 1):
        start, end = pointers[d], pointers[d + 1]
        horizon = _MARGIN / _total(weight[start:end])
        filled = False
        while not filled:
            best[:] = horizon
            for g in range(start, end):
                state = mix(hash[g] ^ seed)
                _floors(state, floor)
                limit = weight[g]
                few = 0
                for k in range(slots):
                    chosen[few] = k
                    few += np.int64(floor[k] < best[k] * limit)
                for i in range(few):
                    k = chosen[i]
                    value, step = _sample(state, k, weight[g])
                    if value < best[k]:
                        best[k] = value
                        result[d, k] = np.uint32(mix(state ^ np.uint64(step) * _THIRD) >> _HALF)
            filled = best.max() < horizon
            horizon *= 2
    return result


@njit(cache=True, inline="always")
def _unit(bits: np.uint64) -> np.float64:
    return (np.float64(np.int64(bits)) + 0.5) * 2.0**-32


@njit(cache=True, nogil=True)
def _floors(state: np.uint64, floor: NDArray[np.float32]) -> None:
    # c >= e1 + e2 for c = -log((1 - e1)(1 - e2)), and r (t - beta) never exceeds log(weight): so the sampled value
    # is at least (e1 + e2) exp(-r) / weight, which needs no logarithm. A hair is taken off for float32 rounding.
    for k in range(floor.size):
        first = mix(state + np.uint64(k) * _STEP)
        second = mix(first ^ _SECOND)
        scale = np.float32(_unit(second >> _HALF)) * np.float32(_unit(second & _LOW))
        exponential = np.float32(_unit(first >> _HALF)) + np.float32(_unit(first & _LOW))
        floor[k] = np.float32(0.99999) * scale * exponential


@njit(cache=True, nogil=True)
def _sample(state: np.uint64, slot: int, weight: np.float32) -> tuple[np.float64, np.int64]:
    first = mix(state + np.uint64(slot) * _STEP)
    second = mix(first ^ _SECOND)
    third = mix(first ^ _THIRD)
    c = -np.log1p(-_unit(first >> _HALF)) - np.log1p(-_unit(first & _LOW))
    r = -np.log(_unit(second >> _HALF)) - np.log(_unit(second & _LOW))
    beta = _unit(third >> _HALF)
    t = np.floor(np.log(np.float64(weight)) / r + beta)
    return c * np.exp(-r * (t - beta + 1)), np.int64(t)


@njit(cache=True, nogil=True)
def weighted_jaccard(
    hash: NDArray[np.uint64],
    weight: NDArray[np.float32],
    pointers: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return the exact J_w of `eq:weighted_jaccard` for pairs of documents.

    Args:
        hash: uint64[g], sorted and distinct within each document.
        weight: float32[g].
        pointers: int64[n + 1].
        a: int64[p], first document of each pair.
        b: int64[p], second document.

    Returns:
        float32[p] in 0 … 1; 0 where both documents are empty.
    """
    result = np.zeros(a.size, np.float32)
    for p in range(a.size):
        w_a, w_b = _merged(hash, weight, pointers, a[p], b[p])
        most = np.maximum(w_a, w_b).sum()
        if most > 0:
            result[p] = np.minimum(w_a, w_b).sum() / most
    return result


@njit(cache=True, nogil=True)
def probability_jaccard(
    hash: NDArray[np.uint64],
    weight: NDArray[np.float32],
    pointers: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return the exact J_P (Moulton & Jiang 2018) for pairs of documents: the collision rate of `prob_minhash`.

    J_P is the sum over shared g of 1 / sum over h of max(w_a(h) / w_a(g), w_b(h) / w_b(g)). Ordered by w_a / w_b, the
    inner maximum takes a's term before g and b's behind it, so that running sums give all of them.

    Args:
        hash: uint64[g], sorted and distinct within each document.
        weight: float32[g].
        pointers: int64[n + 1].
        a: int64[p], first document of each pair.
        b: int64[p], second document.

    Returns:
        float32[p] in 0 … 1; 0 where both documents are empty.
    """
    result = np.zeros(a.size, np.float32)
    for p in range(a.size):
        w_a, w_b = _merged(hash, weight, pointers, a[p], b[p])
        order = np.argsort(-w_a / (w_a + w_b))
        before, behind = 0.0, w_b.sum()
        for g in order:
            before += w_a[g]
            behind -= w_b[g]
            if w_a[g] > 0 and w_b[g] > 0:
                result[p] += 1 / (before / w_a[g] + behind / w_b[g])
    return result


@njit(cache=True, nogil=True)
def _merged(
    hash: NDArray[np.uint64], weight: NDArray[np.float32], pointers: NDArray[np.int64], a: int, b: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    i, end_i, j, end_j = pointers[a], pointers[a + 1], pointers[b], pointers[b + 1]
    w_a, w_b = np.zeros(end_i - i + end_j - j), np.zeros(end_i - i + end_j - j)
    size = 0
    while i < end_i or j < end_j:
        from_a = j == end_j or (i < end_i and hash[i] <= hash[j])
        from_b = i == end_i or (j < end_j and hash[j] <= hash[i])
        if from_a:
            w_a[size] = weight[i]
            i += 1
        if from_b:
            w_b[size] = weight[j]
            j += 1
        size += 1
    return w_a[:size], w_b[:size]
