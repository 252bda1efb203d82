"""Exchange of texts: every text goes from the part that holds it to the owners that want it, by workers.

So texts that belong together meet, though they stand in parts far from each other, and none passes through the process
of the run.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from tasks.parallel.exchange import Exchange, put_apart
from tasks.parallel.map_parts import Arrays, map_chunks
from tasks.remote.object_mirror import fetch
from tasks.storage.ragged_arrays import flat_bytes
from tasks.storage.tables import TableRef, one_part, parts
from tasks.storage.work import Work


class TextExchange(NamedTuple):
    """Texts put apart by owner: their numbers and lengths, and their bytes.

    Attributes:
        numbers: number and bytes of each text.
        texts: the bytes.
        documents: how many makers had parts of the documents; those behind them had files that stand for some.
        makers: all of them.
    """

    numbers: Exchange
    texts: Exchange
    documents: int
    makers: int

    def take(self, owner: int) -> pl.DataFrame:
        """`doc`, `text` and whether it came from a part of the documents or was written `anew`, for one owner."""
        found = [pl.DataFrame(schema={"doc": pl.Int64, "text": pl.String, "anew": pl.Boolean})]
        for maker in range(self.makers):
            doc, sizes = self.numbers.take(maker, (np.int64, np.int64), owner)
            [content] = self.texts.take(maker, (np.uint8,), owner)
            ends = np.concatenate([[0], np.cumsum(sizes)])
            buffers = [None, pa.py_buffer(ends), pa.py_buffer(content)]
            texts = pl.Series(pa.Array.from_buffers(pa.large_string(), len(doc), buffers), dtype=pl.String)
            anew = pl.lit(maker >= self.documents)
            found.append(pl.DataFrame({"doc": doc, "text": texts}).with_columns(anew=anew))
        return pl.concat(found)

    def clear(self) -> None:
        """Remove what nobody needs any more."""
        self.numbers.clear(self.makers)
        self.texts.clear(self.makers)


def exchange_texts(
    work: Work, name: str, documents: TableRef, wanted: pl.DataFrame, owners: int, anew: Sequence[Path] = ()
) -> TextExchange:
    """Put texts apart by owner.

    Args:
        work: what this is for; in its folder the texts wait.
        name: of the files.
        documents: with `doc` and `text`.
        wanted: `doc`, the `owner` that wants it, and whether it is to come from the files `anew`.
        owners: how many there are.
        anew: files with `doc` and `text` that stand for some documents.
    """
    number = len(parts(documents))
    made = TextExchange(
        Exchange(work.path, f"{name}-numbers"), Exchange(work.path, f"{name}-texts"), number, number + len(anew)
    )
    arrays: dict[str, NDArray[Any]] = {}
    for chosen, told in (("", wanted.filter(~pl.col("anew"))), ("anew_", wanted.filter("anew"))):
        told = told.sort("doc", "owner")
        arrays |= {f"{chosen}doc": told["doc"].to_numpy(), f"{chosen}owner": told["owner"].to_numpy()}
    put = partial(_put, made, documents, list(anew), owners)
    for _ in map_chunks(work, put, range(made.makers), arrays):
        pass
    return made


def _put(made: TextExchange, documents: TableRef, anew: list[Path], owners: int, arrays: Arrays, maker: int) -> None:
    if maker < made.documents:
        part, chosen = pl.read_parquet(one_part(documents, maker), columns=["doc", "text"]), ""
    else:
        part, chosen = pl.read_ipc(fetch(anew[maker - made.documents]), columns=["doc", "text"]), "anew_"
    row, place = _wanted(part["doc"].to_numpy(), arrays[f"{chosen}doc"])
    owner = arrays[f"{chosen}owner"][place]
    order, sizes = put_apart(owner, owners)
    row = row[order]
    content, lengths = flat_bytes(part["text"].gather(row))
    made.numbers.put(maker, sizes, [part["doc"].to_numpy()[row], lengths])
    ends = np.concatenate([[0], np.cumsum(lengths)])[np.concatenate([[0], np.cumsum(sizes)])]
    made.texts.put(maker, np.diff(ends), [content])


def _wanted(doc: NDArray[np.int64], wanted: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of `doc` and the places in `wanted`, which ascends, where their numbers stand."""
    first, behind = (np.searchsorted(wanted, doc, side) for side in ("left", "right"))
    times = behind - first
    row = np.repeat(np.arange(len(doc)), times)
    return row, np.arange(len(row)) + np.repeat(first - np.concatenate([[0], np.cumsum(times)])[:-1], times)
