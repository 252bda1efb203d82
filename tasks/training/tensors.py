"""Tensor tables: one row per trained tensor, so that stages find and check them like any other table."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan


def write_tensors(stage: Stage, tensors: Mapping[str, NDArray[Any]]) -> None:
    """Write tensors as the only part of a stage."""
    stage.write(
        0,
        pl.DataFrame(
            {
                "name": list(tensors),
                "dtype": [str(tensor.dtype) for tensor in tensors.values()],
                "shape": pl.Series([list(tensor.shape) for tensor in tensors.values()], dtype=pl.List(pl.Int64)),
                "data": [np.ascontiguousarray(tensor).tobytes() for tensor in tensors.values()],
            }
        ),
    )


def read_tensors(ref: TableRef) -> dict[str, NDArray[Any]]:
    """Read what `write_tensors` wrote."""
    rows = scan(ref).collect().iter_rows(named=True)
    return {row["name"]: np.frombuffer(row["data"], row["dtype"]).reshape(row["shape"]).copy() for row in rows}
