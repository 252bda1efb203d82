"""All pairs of 64-bit codes within a Hamming radius, `eq:blocking`, exactly and without a quadratic scan.

Multi-index hashing (Norouzi, Punjani and Fleet 2014, "Fast Exact Search in Hamming Space with Multi-Index Hashing")
with uneven blocks and radii (the general pigeonhole principle of Qin et al. 2018, "GPH: Similarity Search in Hamming
Space"): cut the code into s blocks and give block i a radius t_i with sum(t_i) = radius - s + 1. Two codes further
apart than t_i in every block differ in at least sum(t_i + 1) > radius bits, so a pair within the radius is near in some
block. Codes are sorted by the value of one block after the other, and the bucket of each value is compared with the
buckets of all values within t_i, eight codes per instruction. A pair is reported at the first block in which it is near
and at no other, which the pair itself tells: nothing is remembered, so memory does not grow with the pairs found.
"""

import math
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from itertools import combinations, pairwise, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.semantic.hamming.kernel import BITS, LANES, TILE, UNROLLED, Codes, compare_buckets, sort_by_block

SLICE = 1 << 14  # codes whose buckets one thread takes at a time; fixed, so that the order does not depend on threads
WIDEST = 22  # bits of a block: 4 million buckets
WIDEST_BALL = 3  # differing bits of a block: beyond, each bucket has thousands of neighbours

Pairs = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]


class Block(NamedTuple):
    """Bits `shift` … `shift + width - 1` of a code, and how many of them may differ."""

    shift: int
    width: int
    radius: int

    @property
    def flips(self) -> NDArray[np.int64]:
        """int64[v]: every value of `width` bits with at most `radius` ones, zero first."""
        chosen = (c for ones in range(self.radius + 1) for c in combinations(range(self.width), ones))
        return np.array([sum(1 << bit for bit in bits) for bits in chosen], np.int64)

    @property
    def mask(self) -> int:
        """The block's bits within a code."""
        return ((1 << self.width) - 1) << self.shift


def join(codes: Codes, radius: int, emit_rows: int = 1 << 20, threads: int = 1) -> Iterator[Pairs]:
    """Yield every pair of codes within `radius` bits, each once, in chunks.

    Working memory is about 16 bytes per code and 17 bytes per emitted row and thread, whatever the number of pairs.
    Chunks and their order depend on the arguments but not on `threads`.

    Args:
        codes: uint64[n], n < 2^32.
        radius: largest number of differing bits, 0 to 64.
        emit_rows: rows of every chunk but the last.
        threads: chunks are the same for any number.

    Yields:
        (a int64[k], b int64[k], distance uint8[k]) with a < b indices into `codes`, in no particular order.

    Raises:
        ValueError: an argument is out of range.
    """
    if codes.dtype != np.uint64 or codes.ndim != 1 or codes.size >= 1 << 32:
        raise ValueError(f"codes must be uint64[n] with n < 2^32, not {codes.dtype}{list(codes.shape)}")
    if not 0 <= radius <= BITS or emit_rows < 1 or threads < 1:
        raise ValueError(f"no such join: {radius=} (0 to {BITS}), {emit_rows=}, {threads=}")
    return in_chunks(_pieces(codes, radius, max(emit_rows, TILE), threads), emit_rows)


def plan(count: int, radius: int) -> list[Block]:
    """Return the blocks for which a join of `count` uniform codes is estimated to be cheapest.

    A single block of no bits stands for comparing every code with every other.
    """
    return min(
        _plans(radius), key=lambda blocks: sum(_nanoseconds(block.width, block.radius, count) for block in blocks)
    )


def _plans(radius: int) -> Iterator[list[Block]]:
    """Every split into blocks of at most two widths and two radii that finds all pairs within `radius`."""
    yield [Block(0, 0, 0)]
    for blocks in range(1, radius + 2):
        near, wide = divmod(radius - blocks + 1, blocks)
        for wider, width in product(range(1, WIDEST + 1) if wide else [0], range(1, WIDEST + 1)):
            if wider * wide + width * (blocks - wide) <= BITS and near + bool(wide) <= WIDEST_BALL:
                widths = [wider] * wide + [width] * (blocks - wide)
                radii = [near + 1] * wide + [near] * (blocks - wide)
                yield [Block(sum(widths[:i]), widths[i], radii[i]) for i in range(blocks)]


@cache
def _nanoseconds(width: int, radius: int, count: int) -> float:
    """Estimate the work of one block; measured on one core with 512-bit popcount, but only ratios matter."""
    buckets = 1 << width
    load = count / buckets
    filled = 1 - math.exp(-load)
    visits = buckets * sum(math.comb(width, ones) for ones in range(radius + 1)) / 2
    registers = (load + UNROLLED / 2) * (load / LANES + 0.45)
    return visits * (2.0 + filled * (7.0 + 0.26 * registers)) + 6.0 * count + 4.0 * buckets


def _pieces(codes: Codes, radius: int, capacity: int, threads: int) -> Iterator[Pairs]:
    blocks = plan(codes.size, radius)
    masks = np.array([block.mask for block in blocks], np.uint64)
    radii = np.array([block.radius for block in blocks], np.int64)
    with ThreadPoolExecutor(threads) as pool:
        for index, block in enumerate(blocks):
            held = order = starts = np.empty(0)  # frees the last block's before this one's are made
            held, order, starts = sort_by_block(codes, block.shift, block.width)
            pieces = min(1 << block.width, 1 + codes.size // SLICE)
            bounds = np.linspace(0, 1 << block.width, pieces + 1).astype(np.int64)
            slices = (
                _Slice(held, order, starts, block.flips, masks[:index], radii[:index], radius, capacity, low, high)
                for low, high in pairwise(bounds)
            )
            yield from _in_order(slices, pool, threads)


class _Slice:
    """The comparisons of some buckets of one block; stops when its buffer is full and goes on from there."""

    def __init__(self, *arguments: Any) -> None:
        *self.fixed, self.radius, self.capacity, low, self.high = arguments
        self.low = low
        self.place = np.array([0, low, -1, -1, -1], np.int64)

    def step(self) -> tuple[Pairs, bool]:
        """Return the next pairs, and whether they are the last."""
        a, b = np.empty((2, self.capacity), np.int64)
        distance = np.empty(self.capacity, np.uint8)
        found, done = compare_buckets(
            *self.fixed, np.uint64(self.radius), self.low, self.high, self.place, a, b, distance
        )
        return (a[:found].copy(), b[:found].copy(), distance[:found].copy()), done


def _in_order(slices: Iterable[_Slice], pool: ThreadPoolExecutor, threads: int) -> Iterator[Pairs]:
    """Run slices `threads` at a time; each holds back at most one buffer while its predecessors are emitted."""
    running: deque[tuple[_Slice, Future[tuple[Pairs, bool]]]] = deque()

    def drain() -> Iterator[Pairs]:
        piece, future = running.popleft()
        pairs, done = future.result()
        yield pairs
        while not done:
            pairs, done = piece.step()
            yield pairs

    for piece in slices:
        running.append((piece, pool.submit(piece.step)))
        if len(running) > threads:
            yield from drain()
    while running:
        yield from drain()


def in_chunks(pieces: Iterable[Pairs], rows: int) -> Iterator[Pairs]:
    """Join small pieces and cut large ones, so that every chunk but the last has `rows` rows."""
    waiting: list[Pairs] = []
    count = 0
    for piece in pieces:
        while count + piece[0].size >= rows:
            take = rows - count
            yield _concatenate([*waiting, (piece[0][:take], piece[1][:take], piece[2][:take])])
            piece, waiting, count = (piece[0][take:], piece[1][take:], piece[2][take:]), [], 0
        if piece[0].size:
            waiting.append(piece)
            count += piece[0].size
    if waiting:
        yield _concatenate(waiting)


def _concatenate(pieces: list[Pairs]) -> Pairs:
    a, b, distance = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return a, b, distance
