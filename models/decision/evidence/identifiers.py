"""Identifiers, such as "UpdateAccessSource" and "pthread_join": whether two of them name two things."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import lean

_PART = 3
"""Letters that two names of things differ in at least; fewer may be a slip, a plural or a number."""


@lean
def is_other_identifier(
    x: NDArray[np.uint32], first: int, stop: int, y: NDArray[np.uint32], other: int, other_stop: int, mask: np.uint32
) -> bool:
    """Whether `x[first:stop]` names another thing than `y[other:other_stop]`, as "getName" and "getValue" do.

    One that only has a name space in front, as "GoogleCloudVision.Word" beside "Word", names the same thing. `mask` has
    the bits of the letters that count.
    """
    size, across = stop - first, other_stop - other
    front = back = 0
    while front < min(size, across) and (x[first + front] ^ y[other + front]) & mask == 0:
        front += 1
    while back < min(size, across) - front and (x[stop - 1 - back] ^ y[other_stop - 1 - back]) & mask == 0:
        back += 1
    one, two = size - front - back, across - front - back
    return max(one, two) >= _PART and not (front == 0 and min(one, two) == 0)
