"""Vectors of documents in files that are mapped: as they are stored, in whole numbers for the search, and their codes.

Parts are read by workers; the process of the run holds the codes and maps the rest.
"""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.semantic.neighbours.codes import WORDS, planes
from models.semantic.neighbours.search import whole_numbers
from tasks.parallel.concatenated_files import Files, concatenate
from tasks.parallel.map_parts import Arrays
from tasks.storage.ragged_arrays import matrix
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, one_part, parts

KINDS = {"vectors": np.float16, "exact": np.int16, "codes": np.uint64}
ROWS = 1 << 14
"""Rows that are moved together."""


class Vectors(NamedTuple):
    """Vectors of n documents.

    Attributes:
        vectors: float16[n, d].
        exact: int16[n, d], the same in whole numbers.
        codes: uint64[n, 4], see `planes`.
    """

    vectors: NDArray[np.float16]
    exact: NDArray[np.int16]
    codes: NDArray[np.uint64]


@contextmanager
def vectors_at_hand(stage: Stage, groups: Sequence[Sequence[TableRef]], doc: NDArray[np.int64]) -> Iterator[Vectors]:
    """Vectors of some documents, in files of the stage as long as the block runs.

    Args:
        stage: what this is for.
        groups: tables that hold each of the documents once; those of a group are cut into the same documents.
        doc: int64[n], ascending, one at least.
    """
    places = {name: stage.path / f".{uuid.uuid4().hex}.{name}.tmp" for name in KINDS}
    several = [[one_part(ref, at) for ref in group] for group in groups for at in range(len(parts(group[0])))]
    try:
        laid = concatenate(stage, places, partial(_write, several), range(len(several)), {"doc": doc})
        found = np.concatenate([*laid])
        if (np.diff(found) < 0).any():
            order = np.argsort(found)
            for name, place in places.items():
                _put_in_order(name, place, order)
        vectors, exact, codes = (_mapped(name, place, len(doc)) for name, place in places.items())
        yield Vectors(vectors, exact, np.array(codes))
    finally:
        for place in places.values():
            place.unlink(missing_ok=True)


def _write(several: list[list[Path]], files: Files, arrays: Arrays, number: int) -> NDArray[np.int64]:
    """Write the vectors of wanted documents of some parts, in order; returns which these are."""
    wanted = arrays["doc"]
    rows = pl.concat([pl.read_parquet(path, columns=["doc", "vector"]) for path in several[number]]).sort("doc")
    doc = rows["doc"].to_numpy()
    at = np.minimum(np.searchsorted(wanted, doc), len(wanted) - 1)
    here = wanted[at] == doc
    if here.any():
        vectors = matrix(rows["vector"].filter(pl.Series(here)))
        files["vectors"].write(np.ascontiguousarray(vectors, np.float16).data)
        files["exact"].write(whole_numbers(vectors).data)
        files["codes"].write(planes(vectors.shape[1]).codes(vectors).data)
    found: NDArray[np.int64] = doc[here]
    return found


def _mapped(name: str, place: Path, rows: int) -> NDArray[Any]:
    # Mapped so that kernels take them for arrays that may be written, as they take others.
    return np.asarray(np.memmap(place, KINDS[name], "c").reshape(rows, -1 if name != "codes" else WORDS))


def _put_in_order(name: str, place: Path, order: NDArray[np.int64]) -> None:
    held, other = _mapped(name, place, len(order)), place.with_suffix(".ordered.tmp")
    with other.open("wb") as file:
        for begin in range(0, len(order), ROWS):
            file.write(held[order[begin : begin + ROWS]].data)
    other.replace(place)
