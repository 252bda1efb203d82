"""Hash functions behind every stored hash: 64-bit mixes, fixed by this file, so that an index outlives a process.

`mix` is the finaliser of MurmurHash3 (Appleby, public domain): a bijection of 64-bit words in which every input bit
reaches every output bit. `absorb` feeds a sequence one item at a time.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from models.kernels.jit import inlined
from models.kernels.vector_blocks import broadcast, lanes, vector_at

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""The golden ratio as a fraction of 64 bits, made odd (Knuth): its multiples spread evenly over all words."""
ROLLING = np.uint64(0x9E3779B97F4A7C55)
"""Base of the polynomial hashes that roll along the letters of a text."""
_FIRST = np.uint64(0xFF51AFD7ED558CCD)
_SECOND = np.uint64(0xC4CEB9FE1A85EC53)
_HALF = np.uint64(32)
EIGHT = 8
"""Sequences that `absorb_eight` works on at a time, and the items that it takes of each."""
_SHIFT = np.uint64(33)


@inlined
def absorb(state: np.uint64, item: np.uint64) -> np.uint64:
    """Feed one item into a running hash.

    Args:
        state: the hash so far, uint64; a start value of its own keeps two kinds of sequence apart.
        item: the next item, uint64.

    Returns:
        The new state, uint64. Order matters; pass the last state through `mix`.
    """
    state = (state ^ item) * GOLDEN
    return state ^ (state >> _HALF)


@inlined
def mix(value: np.uint64) -> np.uint64:
    """Spread the bits of a word over the whole word (MurmurHash3 finaliser).

    Args:
        value: any uint64.

    Returns:
        Its image under a fixed bijection, uint64.
    """
    value = (value ^ (value >> _SHIFT)) * _FIRST
    value = (value ^ (value >> _SHIFT)) * _SECOND
    return value ^ (value >> _SHIFT)


@intrinsic
def absorb_eight(typing_context: Any, state: Any, items: Any, start: Any, end: Any, first: Any, states: Any) -> Any:
    """Absorb up to `EIGHT` items of each of `EIGHT` sequences at once; the same states as `absorb` gives.

    Sequence s of those from number `first` on has the items `start[s]` to `end[s]`, uint32; all start with `state`,
    and `states[s]` receives what comes out. There is no loop over items, whose end no processor can foresee; `EIGHT`
    elements must stand behind each start.
    """

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        narrow, wide = (ir.VectorType(ir.IntType(bits), EIGHT) for bits in (32, 64))

        def place(column: int, index: Any, kind: Any = wide) -> Any:
            return vector_at(context, builder, signature.args[column], arguments[column], index, kind)

        starts = builder.load(place(2, arguments[4]), align=1)
        size = builder.sub(builder.load(place(3, arguments[4]), align=1), starts)
        begin = [builder.extract_element(starts, ir.IntType(32)(lane)) for lane in range(EIGHT)]
        rows = [builder.load(place(1, at, narrow), align=1) for at in begin]
        held = broadcast(builder, arguments[0], wide)
        for step, row in enumerate(_transposed(builder, rows)):
            fed = builder.mul(builder.xor(held, builder.zext(row, wide)), lanes(int(GOLDEN), wide))
            fed = builder.xor(fed, builder.lshr(fed, lanes(32, wide)))
            held = builder.select(builder.icmp_signed(">", size, lanes(step, wide)), fed, held)
        builder.store(held, place(5, arguments[4]), align=1)
        return context.get_dummy_value()

    return types.void(types.uint64, items, start, end, types.int64, states), codegen


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Eight vectors of eight, rows for columns: squares of one, two and four change places across the diagonal."""
    for width in (1, 2, 4):
        upper = [lane if not lane & width else EIGHT + lane - width for lane in range(EIGHT)]
        lower = [lane + width if not lane & width else EIGHT + lane for lane in range(EIGHT)]
        pairs = [(rows[row & ~width], rows[row | width], lower if row & width else upper) for row in range(EIGHT)]
        order = ir.VectorType(ir.IntType(32), EIGHT)
        rows = [builder.shuffle_vector(one, other, ir.Constant(order, lane)) for one, other, lane in pairs]
    return rows
