"""Improved consistent weighted sampling (Ioffe 2010): sketches that collide with exactly J_w, `eq:wj_property`."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import GOLDEN, mix
from models.kernels.jit import compiled, inlined, inner, kernel
from models.lexical.sketch.sketches import MARGIN, SEED, check_batch, total_weight

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_SECOND = np.uint64(0xC2B2AE3D27D4EB4F)
_THIRD = np.uint64(0x165667B19E3779F9)


def icws(
    hash: NDArray[np.uint64],
    weight: NDArray[np.float32],
    pointers: NDArray[np.int64],
    slots: int = 128,
    seed: int = SEED,
) -> NDArray[np.uint32]:
    """Sketch documents by improved consistent weighted sampling (Ioffe 2010).

    Arguments and errors are those of `prob_minhash`. Work is g x m against its g + m log m: choose it where exact J_w
    matters more than time.

    Returns:
        uint32[n, m]: a 32-bit hash of the sampled (shingle, t) of each slot.
    """
    check_batch(hash, weight, pointers, slots)
    sketch: NDArray[np.uint32] = _icws(hash, weight, pointers, slots, np.uint64(seed))
    return sketch


@compiled(error_model="numpy")
def _icws(
    hash: NDArray[np.uint64], weight: NDArray[np.float32], pointers: NDArray[np.int64], slots: int, seed: np.uint64
) -> NDArray[np.uint32]:
    result = np.zeros((pointers.size - 1, slots), np.uint32)
    best, floor, chosen = np.empty(slots, np.float64), np.empty(slots, np.float32), np.empty(slots, np.int64)
    for d in range(pointers.size - 1):
        start, end = pointers[d], pointers[d + 1]
        horizon = MARGIN / total_weight(weight[start:end])
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
                    few += int(floor[k] < best[k] * limit)
                for i in range(few):
                    k = chosen[i]
                    value, step = _sample(state, k, weight[g])
                    if value < best[k]:
                        best[k] = value
                        result[d, k] = np.uint32(mix(state ^ np.uint64(step) * _THIRD) >> _HALF)
            filled = best.max() < horizon
            horizon *= 2
    return result


@inlined
def _unit(bits: np.uint64) -> np.float64:
    return (np.float64(np.int64(bits)) + 0.5) * 2.0**-32


@inner
def _floors(state: np.uint64, floor: NDArray[np.float32]) -> None:
    # c >= e1 + e2 for c = -log((1 - e1)(1 - e2)), and r (t - beta) never exceeds log(weight): so the sampled value
    # is at least (e1 + e2) exp(-r) / weight, which needs no logarithm. A hair is taken off for float32 rounding.
    for k in range(floor.size):
        first = mix(state + np.uint64(k) * GOLDEN)
        second = mix(first ^ _SECOND)
        scale = np.float32(_unit(second >> _HALF)) * np.float32(_unit(second & _LOW))
        exponential = np.float32(_unit(first >> _HALF)) + np.float32(_unit(first & _LOW))
        floor[k] = np.float32(0.99999) * scale * exponential


@kernel
def _sample(state: np.uint64, slot: int, weight: np.float32) -> tuple[np.float64, np.int64]:
    first = mix(state + np.uint64(slot) * GOLDEN)
    second = mix(first ^ _SECOND)
    third = mix(first ^ _THIRD)
    c = -np.log1p(-_unit(first >> _HALF)) - np.log1p(-_unit(first & _LOW))
    r = -np.log(_unit(second >> _HALF)) - np.log(_unit(second & _LOW))
    beta = _unit(third >> _HALF)
    t = np.floor(np.log(np.float64(weight)) / r + beta)
    return c * np.exp(-r * (t - beta + 1)), np.int64(t)
