"""Compiled kernels of the Hamming join: sort by a block of bits, compare bucket with bucket, write pairs."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from models.kernels.bits import popcount
from models.kernels.jit import inlined, inner, kernel

BITS = 64
LANES = 8
"""Codes compared at once: one 512-bit register."""
TILE = 32
"""Rows and columns passed over at once; a tile without a pair costs nothing further."""
UNROLLED = 4
"""Rows per turn of the inner loop; divides `TILE`, by which arrays are padded."""

Codes = NDArray[np.uint64]


INDEX = ir.IntType(BITS)


def _vector(lanes: int) -> Any:
    return ir.VectorType(INDEX, lanes)


def _broadcast(builder: Any, lanes: int, value: Any) -> Any:
    nothing = ir.Constant(_vector(lanes), ir.Undefined)
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(builder.insert_element(nothing, value, ir.IntType(32)(0)), nothing, zeros)


def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)


def _distances(builder: Any, lanes: int, data: Any, column: Any, code: Any) -> Any:
    """Differing bits between `code` and the codes from `column` on, one per lane."""
    held = builder.load(builder.bitcast(builder.gep(data, [column]), _vector(lanes).as_pointer()), align=8)
    differing = builder.xor(held, _broadcast(builder, lanes, code))
    return _call(builder, f"llvm.ctpop.v{lanes}i{BITS}", _vector(lanes), differing)


@intrinsic
def _near(typing_context: Any, codes: Any, column: Any, code: Any, radius: Any) -> Any:
    """Return one bit per column of a tile from `column` on: whether it lies within `radius` of `code`.

    Vector code by hand, because buckets of a dozen codes end before the compiler's own vector loop begins.
    """

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        distances = _distances(builder, TILE, data, arguments[1], arguments[2])
        hits = builder.icmp_unsigned("<=", distances, _broadcast(builder, TILE, arguments[3]))
        return builder.zext(builder.bitcast(hits, ir.IntType(TILE)), INDEX)

    return types.uint64(codes, types.int64, types.uint64, types.uint64), codegen


@intrinsic
def _closest(typing_context: Any, codes: Any, row: Any, row_end: Any, column: Any, column_end: Any) -> Any:
    """Return the least distance between rows and columns, or less: both ranges are rounded up to whole steps."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        _, row, row_end, column, column_end = arguments
        least = cgutils.alloca_once_value(builder, ir.Constant(_vector(LANES), [BITS] * LANES))
        with (
            cgutils.for_range_slice(builder, column, column_end, INDEX(LANES), INDEX) as (first, _),
            cgutils.for_range_slice(builder, row, row_end, INDEX(UNROLLED), INDEX) as (one, _),
        ):
            for ahead in range(UNROLLED):
                code = builder.load(builder.gep(data, [builder.add(one, INDEX(ahead))]))
                distances = _distances(builder, LANES, data, first, code)
                merged = _call(builder, f"llvm.umin.v{LANES}i{BITS}", _vector(LANES), builder.load(least), distances)
                builder.store(merged, least)
        return _call(builder, f"llvm.vector.reduce.umin.v{LANES}i{BITS}", INDEX, builder.load(least))

    return types.uint64(codes, types.int64, types.int64, types.int64, types.int64), codegen


@kernel
def sort_by_block(codes: Codes, shift: int, width: int) -> tuple[Codes, NDArray[np.uint32], NDArray[np.int64]]:
    """Sort codes by bits `shift` … `shift + width - 1`, stable, by counting.

    Args:
        codes: uint64[n].
        shift: lowest bit of the block.
        width: bits of the block, 0 for one bucket with all codes.

    Returns:
        The codes in order and padded with `TILE` zeros (uint64[n + TILE]), their indices (uint32[n]), and where the
        bucket of each value starts (int64[2^width + 1]).
    """
    low, ones = np.uint64(shift), np.uint64((1 << width) - 1)
    starts = np.zeros((1 << width) + 1, np.int64)
    for code in codes:
        starts[np.int64((code >> low) & ones) + 1] += 1
    for value in range(1 << width):
        starts[value + 1] += starts[value]
    ends = starts[:-1].copy()
    held, order = np.zeros(codes.size + TILE, np.uint64), np.empty(codes.size, np.uint32)
    for i in range(codes.size):
        bucket = np.int64((codes[i] >> low) & ones)
        held[ends[bucket]], order[ends[bucket]] = codes[i], i
        ends[bucket] += 1
    return held, order, starts


@kernel
def compare_buckets(
    codes: Codes,
    order: NDArray[np.uint32],
    starts: NDArray[np.int64],
    flips: NDArray[np.int64],
    masks: Codes,
    radii: NDArray[np.int64],
    radius: np.uint64,
    low: int,
    high: int,
    place: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    distance: NDArray[np.uint8],
) -> tuple[int, bool]:
    """Compare each bucket of a range with its neighbours until the output is full.

    Args:
        codes: uint64[n + TILE], this and the next two from `sort_by_block`.
        order: uint32[n].
        starts: int64[2^width + 1].
        flips: int64[v], differences of bucket values to visit, zero first.
        masks: uint64[i], bits of the blocks before this one; a pair that is near in one of them was found there.
        radii: int64[i], their radii.
        radius: of the join.
        low: first bucket of the range.
        high: end of the range.
        place: int64[5], where to go on, updated: position in `flips`, bucket, first row and first column of the tile,
            row; -1 is the beginning, so a new range has (0, low, -1, -1, -1).
        a: int64[k], receives the smaller index of each pair, k >= TILE.
        b: int64[k], receives the larger.
        distance: uint8[k], receives the number of differing bits.

    Returns:
        Rows written, and whether the range is finished.
    """
    found = 0
    flip, bucket, group, tile, row = place
    while flip < flips.size:
        while bucket < high:
            other = bucket ^ flips[flip]
            if other >= bucket and starts[bucket] < starts[bucket + 1] and starts[other] < starts[other + 1]:
                if group < 0:
                    group = starts[bucket]
                while group < starts[bucket + 1]:
                    group_end = min(group + TILE, starts[bucket + 1])
                    if tile < 0:
                        tile = group if other == bucket else starts[other]
                    while tile < starts[other + 1]:
                        tile_end = min(tile + TILE, starts[other + 1])
                        if row < 0:
                            row = group
                            # A tile on the diagonal always holds the distance 0 of a code to itself.
                            if tile != group and _closest(codes, group, group_end, tile, tile_end) > radius:
                                row = group_end
                        while row < group_end:
                            column = row + 1 if tile == group else tile
                            hits = _near(codes, column, codes[row], radius)
                            hits &= (np.uint64(1) << np.uint64(tile_end - column)) - np.uint64(1)
                            if hits:
                                if found + TILE > a.size:
                                    place[:] = (flip, bucket, group, tile, row)
                                    return found, False
                                found = _emit(codes, order, masks, radii, row, column, hits, found, a, b, distance)
                            row += 1
                        row = -1
                        tile = tile_end
                    tile = -1
                    group = group_end
                group = -1
            bucket += 1
        bucket = low
        flip += 1
    return found, True


@inner
def _emit(
    codes: Codes,
    order: NDArray[np.uint32],
    masks: Codes,
    radii: NDArray[np.int64],
    row: int,
    column: int,
    hits: np.uint64,
    found: int,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    distance: NDArray[np.uint8],
) -> int:
    """Write the pairs of `row` with the lanes in `hits`, unless an earlier block has already found them."""
    while hits:
        lane = popcount((hits & (~hits + np.uint64(1))) - np.uint64(1))
        hits &= hits - np.uint64(1)
        differing = codes[row] ^ codes[column + np.int64(lane)]
        first = True
        for earlier in range(masks.size):
            if np.int64(popcount(differing & masks[earlier])) <= radii[earlier]:
                first = False
                break
        if first:
            one, two = np.int64(order[row]), np.int64(order[column + np.int64(lane)])
            a[found], b[found], distance[found] = min(one, two), max(one, two), popcount(differing)
            found += 1
    return found


@kernel
def count_near(codes: Codes, centres: Codes, radius: np.uint64) -> NDArray[np.int64]:
    """Return int64[c]: how many of `codes` (uint64[n]) lie within `radius` of each of `centres` (uint64[c])."""
    counts = np.zeros(centres.size, np.int64)
    for tile in range(0, codes.size, TILE):
        held = _padded(codes, tile)
        lanes = _lanes(codes.size - tile)
        for i in range(centres.size):
            counts[i] += np.int64(popcount(_near(held, 0, centres[i], radius) & lanes))
    return counts


@kernel
def nearest(codes: Codes, centres: Codes, radius: np.uint64) -> NDArray[np.int64]:
    """Return int64[n]: the first of the nearest `centres` for each of `codes`, -1 where none is within `radius`."""
    best = np.full(codes.size, -1, np.int64)
    for tile in range(0, codes.size, TILE):
        held = _padded(codes, tile)
        for i in range(centres.size):
            hits = _near(held, 0, centres[i], radius) & _lanes(codes.size - tile)
            while hits:
                lane = np.int64(popcount((hits & (~hits + np.uint64(1))) - np.uint64(1)))
                hits &= hits - np.uint64(1)
                held_by, distance = best[tile + lane], popcount(held[lane] ^ centres[i])
                if held_by < 0 or distance < popcount(held[lane] ^ centres[held_by]):
                    best[tile + lane] = i
    return best


@inlined
def _padded(codes: Codes, tile: int) -> Codes:
    held = np.zeros(TILE, np.uint64)
    end = min(tile + TILE, codes.size)
    held[: end - tile] = codes[tile:end]
    return held


@inlined
def _lanes(count: int) -> np.uint64:
    return (np.uint64(1) << np.uint64(min(count, TILE))) - np.uint64(1)
