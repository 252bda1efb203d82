"""Vector blocks: where in 64 bytes those of a range lie, as the bits of one word.

The loops over text look for the next byte that matters; here vector code, written by hand because the compiler does not
find it by itself, answers for 64 bytes at once. Arrays must go on for `BLOCK` elements behind the last one that counts.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

BLOCK = 64
BYTES = ir.VectorType(ir.IntType(8), BLOCK)


def lanes(value: int | list[int], kind: Any = BYTES) -> Any:
    """A constant vector: one value for all elements, or one for each."""
    return ir.Constant(kind, [value] * kind.count if isinstance(value, int) else value)


def broadcast(builder: Any, value: Any, kind: Any = BYTES) -> Any:
    """A vector of `value` in each element."""
    single = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count)
    return builder.shuffle_vector(single, ir.Constant(kind, ir.Undefined), zeros)


def vector_at(context: Any, builder: Any, array_type: Any, array: Any, at: Any, kind: Any = BYTES) -> Any:
    """Pointer to the vector that begins with element `at` of an array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), kind.as_pointer())


def between(builder: Any, held: Any, low: int, high: int) -> Any:
    """Which bytes of a vector lie in low … high."""
    return builder.icmp_unsigned("<=", builder.sub(held, lanes(low)), lanes(high - low))


@intrinsic
def within(typing_context: Any, data: Any, at: Any, low: Any, high: Any) -> Any:
    """uint64 whose bit i says whether low <= data[at + i] <= high, for data uint8 and at int64."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = vector_at(context, builder, signature.args[0], arguments[0], arguments[1])
        low, high = arguments[2:]
        held = builder.sub(builder.load(pointer, align=1), broadcast(builder, low))
        found = builder.icmp_unsigned("<=", held, broadcast(builder, builder.sub(high, low)))
        return builder.bitcast(found, ir.IntType(64))

    return types.uint64(data, types.int64, types.uint8, types.uint8), codegen


@intrinsic
def first_set(typing_context: Any, word: Any) -> Any:
    """int64 index of the lowest bit that is set in a uint64; 64 when none is."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return types.int64(types.uint64), codegen
