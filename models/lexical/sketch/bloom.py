"""Two-generation Bloom filter over shingles, cascade stage 1 (`eq:bloom`).

Generation one holds every shingle seen, generation two every shingle seen again. A document is asked about only after
the whole corpus has been inserted, so the answer for the first document of a pair equals the answer for the second.

Each shingle touches one 512-bit block, that is one cache line, per generation (blocked filters: Putze, Sanders and
Singler 2007, "Cache-, Hash- and Space-Efficient Bloom Filters"). Its k bits stand in different 64-bit words of the
block as far as k allows, which fills the words evenly and lets eight words be tested at once. A block's load varies
around its mean, so the rate lies somewhat above `eq:bloom`; `TwoGenerationBloom.false_positive_rate` measures it.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from models.kernels.bits import popcount
from models.kernels.hashing import GOLDEN
from models.kernels.jit import inlined, inner, kernel

WORDS = 8  # 64-bit words in a block: one cache line
BLOCK_BYTES = 2 * 8 * WORDS  # of both generations
RUN = 2048  # shingles placed at a time
AHEAD = 48  # shingles between asking memory for a line and using it


def fpr(k: int, n: float, m: float) -> float:
    """Return the false-positive rate of a plain Bloom filter, `eq:bloom`.

    Args:
        k: hash functions.
        n: distinct keys inserted.
        m: bits of the filter.
    """
    return float((1.0 - math.exp(-k * n / m)) ** k)


class TwoGenerationBloom:
    """Says which shingles of a corpus occur in more than one document, in bounded memory.

    Never misses a shingle that was inserted twice. One that was inserted once is reported with a probability of at most
    `false_positive_rate()`. Hashes and layout are fixed, so equal insertions give equal answers on every machine.
    Memory is 2 x `bits_per_shingle` bits for each expected shingle: 4 bytes at the default, 4 GB for 10^9 shingles.
    Where that is too much the filter is made share by share of its blocks, each in the same memory: the whole corpus is
    inserted and asked about once a share, and what any share has seen again, the whole filter has.
    """

    def __init__(
        self, expected: int, bits_per_shingle: int = 16, hashes: int = 7, most_bytes: int | None = None
    ) -> None:
        """Allocate both generations of the first share.

        Args:
            expected: distinct shingles of the whole corpus, the design load; more raise the false-positive rate only.
            bits_per_shingle: m/n of each generation.
            hashes: k, bits set per shingle, 1 to 16.
            most_bytes: bound of the memory, at least one block; None: one share holds all.

        Raises:
            ValueError: an argument is out of range.
        """
        if expected < 0 or bits_per_shingle < 1 or not 1 <= hashes <= 2 * WORDS:
            raise ValueError(f"no such filter: {expected=}, {bits_per_shingle=}, {hashes=} (1 to {2 * WORDS})")
        blocks = max(1, -(-expected * bits_per_shingle // (64 * WORDS)))
        if blocks >= 1 << 32:
            raise ValueError(f"{expected=} shingles of {bits_per_shingle=} need more than 2^32 blocks")
        self.hashes = hashes
        most = blocks if most_bytes is None else max(1, most_bytes // BLOCK_BYTES)
        size = -(-blocks // -(-blocks // most))
        self.shares = -(-blocks // size)
        self._blocks = blocks
        # A block's two generations are neighbours: a shingle seen again then stays in one page. Blocks start on a
        # cache line, which numpy does not promise.
        storage = np.zeros(size * 2 * WORDS + WORDS - 1, np.uint64)
        start = -(storage.ctypes.data // 8) % WORDS
        self._storage = storage[start : start + size * 2 * WORDS].reshape(size, 2, WORDS)
        self._hold(0)

    def turn(self, share: int) -> None:
        """Forget what was inserted, and hold another share (below `shares`) of the filter from now on."""
        self._storage[:] = 0
        self._hold(share)

    def _hold(self, share: int) -> None:
        self._first = share * len(self._storage)
        self._bits = self._storage[: self._blocks - self._first]

    @property
    def memory_bytes(self) -> int:
        """Bytes held by both generations of a share."""
        return self._storage.nbytes

    def share_of(self, hashes: NDArray[np.uint64]) -> NDArray[np.uint32]:
        """Return uint32[g]: the share that holds each shingle of `hashes` (uint64[g])."""
        if self.shares == 1:
            return np.zeros(len(hashes), np.uint32)
        return np.asarray(_share_of(_contiguous(hashes), self._blocks, len(self._storage)))

    def insert(self, hashes: NDArray[np.uint64]) -> None:
        """Add the shingles of the next documents; only their order counts, not how they are cut into batches.

        Args:
            hashes: uint64[g], documents in document order, each document's shingles distinct.
        """
        _insert(self._bits, self._blocks, self._first, _contiguous(hashes), np.uint64(self.hashes))

    def seen_again(self, hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Return bool[g]: whether each shingle of `hashes` (uint64[g]) was inserted more than once.

        Shingles of other shares have not been.
        Releases the interpreter lock, so threads may ask about different documents at once.
        """
        return np.asarray(
            _seen_again(self._bits, self._blocks, self._first, _contiguous(hashes), np.uint64(self.hashes))
        )

    def false_positive_rate(self) -> float:
        """Return the probability that a shingle of this share inserted once is reported as seen again.

        Computed from the bits that are set now, block by block. An upper bound for what was inserted so far, since
        earlier shingles met an emptier generation one.
        """
        first, again = (_fill_rate(self._bits, generation, self.hashes) for generation in (0, 1))
        return float(1.0 - (1.0 - first) * (1.0 - again))


def _contiguous(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    if hashes.dtype != np.uint64 or hashes.ndim != 1:
        raise ValueError(f"shingle hashes must be uint64[g], not {hashes.dtype}{list(hashes.shape)}")
    return np.ascontiguousarray(hashes)


def _odd_multipliers(count: int) -> NDArray[np.uint64]:
    """Return `count` odd multipliers from the SplitMix64 sequence (Steele et al. 2014)."""
    mask, state, out = (1 << 64) - 1, 0, []
    for _ in range(count):
        state = (state + int(GOLDEN)) & mask
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        out.append((mixed ^ (mixed >> 31)) | 1)
    return np.array(out, np.uint64)


MULTIPLIERS = _odd_multipliers(2 * WORDS)


@intrinsic
def _prefetch(typing_context: Any, bits: Any, line: Any) -> Any:
    """Ask the processor for a line, to be written to; a no-op where it has no such instruction."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        line = _line(context, builder, signature, arguments, arguments[1])
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [line.type, flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [line, flag(1), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(bits, types.int64), codegen


@intrinsic
def _missing(typing_context: Any, bits: Any, line: Any, mixed: Any, k: Any, write: Any) -> Any:
    """Return nonzero if one of the shingle's k bits is not set in the line; with `write`, set them all.

    Vector code by hand, because the compiler does not find eight words with eight different shifts by itself. Word w
    has rank (w - start) mod 8; ranks below k hold a bit, ranks below k - 8 hold a second one.
    """

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(ir.IntType(64), WORDS)

        def lanes(values: Iterable[Any]) -> Any:
            return ir.Constant(vector, [int(value) for value in values])

        def broadcast(value: Any) -> Any:
            single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.IntType(32)(0))
            zeros = ir.Constant(ir.VectorType(ir.IntType(32), WORDS), [0] * WORDS)
            return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), zeros)

        spread, rounds = broadcast(arguments[2]), broadcast(arguments[3])
        rank = builder.and_(builder.add(spread, lanes(range(WORDS))), lanes([WORDS - 1] * WORDS))
        mask = lanes([0] * WORDS)
        for first in (0, WORDS):
            product = builder.mul(spread, lanes(MULTIPLIERS[first : first + WORDS]))
            bit = builder.shl(lanes([1] * WORDS), builder.lshr(product, lanes([58] * WORDS)))
            holds = builder.icmp_unsigned("<", builder.add(rank, lanes([first] * WORDS)), rounds)
            mask = builder.or_(mask, builder.select(holds, bit, lanes([0] * WORDS)))
        address = _line(context, builder, signature, arguments, arguments[1])
        address = builder.bitcast(address, vector.as_pointer())
        held = builder.load(address, align=8)
        with builder.if_then(arguments[4]):
            builder.store(builder.or_(held, mask), address, align=8)
        gap = builder.and_(mask, builder.not_(held))
        reduce = ir.FunctionType(ir.IntType(64), [vector])
        name = f"llvm.vector.reduce.or.v{WORDS}i64"
        return builder.call(cgutils.get_or_insert_function(builder.module, reduce, name), [gap])

    return types.uint64(bits, types.int64, types.uint64, types.uint64, types.boolean), codegen


def _line(context: Any, builder: Any, signature: Any, arguments: Any, line: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    words = builder.mul(line, line.type(WORDS))
    return builder.bitcast(builder.gep(data, [words]), cgutils.voidptr_t)


@inlined
def _mix(value: np.uint64) -> Any:
    """Finaliser of MurmurHash3 (Appleby 2011): callers may hand over hashes that are not uniform."""
    value = (value ^ (value >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    value = (value ^ (value >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return value ^ (value >> np.uint64(33))


@inner
def _place(
    hashes: NDArray[np.uint64], blocks: int, mixed: NDArray[np.uint64], line: NDArray[np.int64], at: NDArray[np.int64]
) -> None:
    """Mix hashes, and find their lines of generation one in the whole filter; `line` keeps what lies behind."""
    for i in range(hashes.size):
        mixed[i] = _mix(hashes[i])
        line[i] = 2 * np.int64(((mixed[i] >> np.uint64(32)) * np.uint64(blocks)) >> np.uint64(32))
        at[i] = i


@kernel
def _share_of(hashes: NDArray[np.uint64], blocks: int, size: int) -> NDArray[np.uint32]:
    share = np.empty(hashes.size, np.uint32)
    for i in range(hashes.size):
        block = ((_mix(hashes[i]) >> np.uint64(32)) * np.uint64(blocks)) >> np.uint64(32)
        share[i] = block // np.uint64(size)
    return share


@inner
def _select(
    count: int, first: int, held: int, mixed: NDArray[np.uint64], line: NDArray[np.int64], at: NDArray[np.int64]
) -> int:
    """Move what belongs to `held` blocks from block `first` on to the front, counted from there; return how many."""
    kept = 0
    for i in range(count):
        here = line[i] - 2 * first
        mixed[kept], line[kept], at[kept] = mixed[i], here, i
        kept += int(0 <= here < 2 * held)
    line[kept : kept + AHEAD] = 0  # asked for ahead of time
    return kept


@kernel
def _insert(bits: NDArray[np.uint64], blocks: int, first: int, hashes: NDArray[np.uint64], k: np.uint64) -> None:
    mixed, line, at = np.empty(RUN, np.uint64), np.zeros(RUN + AHEAD, np.int64), np.empty(RUN, np.int64)
    for low in range(0, hashes.size, RUN):
        run = hashes[low : low + RUN]
        _place(run, blocks, mixed, line, at)
        count = run.size
        if len(bits) < blocks:
            count = _select(count, first, len(bits), mixed, line, at)
        for i in range(count):
            _prefetch(bits, line[i + AHEAD])
            _prefetch(bits, line[i + AHEAD] + 1)
            if not _missing(bits, line[i], mixed[i], k, True):
                _missing(bits, line[i] + 1, mixed[i], k, True)


@kernel
def _seen_again(
    bits: NDArray[np.uint64], blocks: int, first: int, hashes: NDArray[np.uint64], k: np.uint64
) -> NDArray[np.bool_]:
    mixed, line, at = np.empty(RUN, np.uint64), np.zeros(RUN + AHEAD, np.int64), np.empty(RUN, np.int64)
    answer = np.zeros(hashes.size, np.bool_)
    for low in range(0, hashes.size, RUN):
        run = hashes[low : low + RUN]
        _place(run, blocks, mixed, line, at)
        count = run.size
        if len(bits) < blocks:
            count = _select(count, first, len(bits), mixed, line, at)
        for i in range(count):
            _prefetch(bits, line[i + AHEAD] + 1)
            answer[low + at[i]] = not _missing(bits, line[i] + 1, mixed[i], k, False)
    return answer


@kernel
def _fill_rate(bits: NDArray[np.uint64], generation: int, k: int) -> float:
    """Mean over blocks and starting words of the product of the fills that k bits meet."""
    total = 0.0
    fill = np.empty(WORDS)
    for block in range(bits.shape[0]):
        for word in range(WORDS):
            fill[word] = popcount(bits[block, generation, word]) / 64.0
        for start in range(WORDS):
            chance = 1.0
            for j in range(k):
                chance *= fill[(start + j) % WORDS]
            total += chance
    return float(total / (bits.shape[0] * WORDS))
