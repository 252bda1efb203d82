"""Bounds of parts: so many documents each, fewer where they are long."""

import numpy as np
from numpy.typing import NDArray


def part_bounds(sizes: NDArray[np.int64], rows: int, most: int) -> NDArray[np.int64]:
    """Where parts begin and end; without documents there is one part.

    Args:
        sizes: int64[documents], of each text.
        rows: documents of a part at most.
        most: of the sizes of a part together, unless one document alone has more.

    Returns:
        int64[parts + 1].
    """
    ends, bounds = np.cumsum(sizes), [0]
    while bounds[-1] < len(sizes):
        begin = bounds[-1]
        fit = int(np.searchsorted(ends, (ends[begin - 1] if begin else 0) + most, "right"))
        bounds.append(min(begin + rows, max(begin + 1, fit), len(sizes)))
    return np.array(bounds if len(sizes) else [0, 0])
