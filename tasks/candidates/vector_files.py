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

from models.semantic.neighbours.codes import WORDS
from models.semantic.neighbours.search import whole_numbers
from tasks.parallel.concatenated_files import Files, concatenate
from tasks.parallel.map_parts import Arrays
from tasks.refresh.previous_snapshot import fetch
from tasks.storage.ragged_arrays import matrix
from tasks.storage.row_numbers import rows_among
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, one_part, parts, scan

KINDS = {"vectors": np.float16, "exact": np.int16, "codes": np.uint64}
ROWS = 1 << 14
"""Rows that are moved together."""


class Held(NamedTuple):
    """Documents and where their vectors are.

    Attributes:
        tables: each document stands in one of them; part by part they are about the same documents.
        doc: int64[n], ascending.
    """

    tables: Sequence[TableRef]
    doc: NDArray[np.int64]


def codes_of(held: Sequence[Held]) -> NDArray[np.uint64]:
    """Codes of documents, uint64[n, 4], in the order of their numbers."""
    found = [
        scan(ref).select("doc", "neighbour_code").filter(pl.col("doc").is_in(pl.Series(some.doc).implode()))
        for some in held
        for ref in some.tables
    ]
    return matrix(pl.concat(found).collect().sort("doc")["neighbour_code"], np.uint64)


class Fetched:
    """Vectors of documents that are read when somebody asks for them, each once."""

    def __init__(self, held: Sequence[Held]) -> None:
        """`held` says which documents there are: n in all, none twice."""
        self._held, self._doc = held, np.sort(np.concatenate([some.doc for some in held]))
        self._rows, self._vectors = np.empty(0, np.int64), np.empty((0, 0), np.float16)

    def take(self, rows: NDArray[np.int64]) -> NDArray[np.float16]:
        """Vectors, float16[r, d], of r rows of the n."""
        if len(lacking := np.setdiff1d(rows, self._rows)):
            docs = self._doc[lacking]
            here = [Held(some.tables, docs[rows_among(docs, some.doc)]) for some in self._held]
            both = np.concatenate([self._rows, lacking])
            several = [fetch(ref, pl.Series(some.doc), ["vector"]) for some in here for ref in some.tables]
            found = matrix(pl.concat(several).sort("doc")["vector"])
            vectors = np.concatenate([self._vectors, found]) if len(self._rows) else found
            order = np.argsort(both)
            self._rows, self._vectors = both[order], vectors[order]
        return self._vectors[np.searchsorted(self._rows, rows)]


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
def vectors_at_hand(stage: Stage, held: Sequence[Held]) -> Iterator[Vectors]:
    """Vectors of some documents, in the order of their numbers, in files of the stage as long as the block runs.

    Args:
        stage: what this is for.
        held: one document at least in all, none twice.
    """
    held = [some for some in held if len(some.doc)]
    places = {name: stage.path / f".{uuid.uuid4().hex}.{name}.tmp" for name in KINDS}
    several = [(which, at) for which, some in enumerate(held) for at in range(len(parts(some.tables[0])))]
    tables, arrays = [some.tables for some in held], {f"doc{which}": some.doc for which, some in enumerate(held)}
    try:
        laid = concatenate(stage, places, partial(_write, tables, several), range(len(several)), arrays)
        found = np.concatenate([*laid])
        if (np.diff(found) < 0).any():
            order = np.argsort(found)
            for name, place in places.items():
                _put_in_order(name, place, order)
        vectors, exact, codes = (_mapped(name, place, len(found)) for name, place in places.items())
        yield Vectors(vectors, exact, np.array(codes))
    finally:
        for place in places.values():
            place.unlink(missing_ok=True)


def _write(
    tables: list[Sequence[TableRef]], several: list[tuple[int, int]], files: Files, arrays: Arrays, number: int
) -> NDArray[np.int64]:
    """Write the vectors of wanted documents of some parts, in order; returns which these are."""
    which, part = several[number]
    wanted = arrays[f"doc{which}"]
    near = pl.col("doc").is_between(int(wanted[0]), int(wanted[-1]))  # canaries stand in few of the parts
    found = [
        pl.scan_parquet(one_part(ref, part)).select("doc", "vector", "neighbour_code").filter(near)
        for ref in tables[which]
    ]
    rows = pl.concat(found).sort("doc").collect()
    doc = rows["doc"].to_numpy()
    here = rows_among(doc, wanted)
    if len(here):
        chosen = rows[here]
        vectors = matrix(chosen["vector"])
        files["vectors"].write(vectors.data)
        files["exact"].write(whole_numbers(vectors).data)
        files["codes"].write(matrix(chosen["neighbour_code"], np.uint64).data)
    return np.asarray(doc[here])


def _mapped(name: str, place: Path, rows: int) -> NDArray[Any]:
    # Mapped so that kernels take them for arrays that may be written, as they take others.
    return np.asarray(np.memmap(place, KINDS[name], "c").reshape(rows, -1 if name != "codes" else WORDS))


def _put_in_order(name: str, place: Path, order: NDArray[np.int64]) -> None:
    held, other = _mapped(name, place, len(order)), place.with_suffix(".ordered.tmp")
    with other.open("wb") as file:
        for begin in range(0, len(order), ROWS):
            file.write(held[order[begin : begin + ROWS]].data)
    other.replace(place)
