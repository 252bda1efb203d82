"""UTF-8 bytes of a column of texts, as Arrow holds them."""

import numpy as np
import polars as pl
from numpy.typing import NDArray


def utf8(texts: pl.Series) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return uint8[k], the bytes of n texts, flat and read-only, and int64[n + 1], where each begins."""
    _, offsets, data = texts.to_arrow(compat_level=pl.CompatLevel.oldest()).buffers()
    # copied: kernels would be compiled once more for an array that cannot be written
    pointers = np.frombuffer(offsets, np.int64)[: len(texts) + 1].copy()
    return np.frombuffer(data, np.uint8)[: pointers[-1]], pointers
