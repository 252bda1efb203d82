"""Postings: which documents hold which key, put apart by key, so that each share of keys is joined by itself.

Parts of signatures are laid out for the owners of keys, and what these find for the ranges of documents in which the
parts of a table are cut. How many own keys follows from the size of the corpus and changes no byte of what is found.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
import polars as pl
from numpy.typing import NDArray

from tasks.parallel.exchange import Exchange, put_apart
from tasks.parallel.map_parts import spread
from tasks.parallel.runners import current, share
from tasks.runtime.run import Run
from tasks.storage.parquet import write_passing
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, one_part, parts, scan

OWNED = 500_000
"""Documents whose keys make one share, about; where workers wait for shares, `SHARED`."""
SHARED = 20_000
RANGE = 32
"""Parts of signatures whose documents' pairs make one part of a table."""
PAIRS = "pairs"
"""Name under which owners lay out what they found, if it has no other."""
MET = 1 << 21
"""Rows of what owners found that are held beside what is added up of them."""


class Postings(NamedTuple):
    """Keys of all documents, laid out in the folder of a table.

    Attributes:
        run: as a part sees it.
        folder: where they are.
        makers: parts that they came from.
        owners: shares of keys.
        edges: first document of each range.
    """

    run: Run
    folder: Path
    makers: int
    owners: int
    edges: list[int]

    @property
    def ranges(self) -> int:
        """Parts of the table that is made."""
        return len(self.edges)

    def lay(self, maker: int, doc: NDArray[np.int64], key: NDArray[np.uint64], planted: NDArray[np.bool_]) -> None:
        """Put the postings of a part apart by owner."""
        order, sizes = put_apart(key % np.uint64(self.owners), self.owners)
        self._keys.put(maker, sizes, [doc[order], key[order], planted[order]])

    @contextmanager
    def owned(self, owner: int) -> Iterator[tuple[duckdb.DuckDBPyConnection, str]]:
        """The postings of an owner as a file, with who can ask it: `doc`, `key`, and whether that was planted."""
        each = (self._keys.take(maker, _POSTING, owner) for maker in range(self.makers))
        doc, key, planted = map(np.concatenate, zip(*each, strict=True))
        self.folder.mkdir(parents=True, exist_ok=True)
        place = self.folder / f".{owner:05d}.postings.tmp"
        write_passing(pl.DataFrame({"doc": doc, "key": key, "planted": planted}), place)
        with self.run.connect() as con:
            yield con, str(place)
        place.unlink()

    def found(self, owner: int, rows: duckdb.DuckDBPyRelation, name: str = PAIRS) -> None:
        """Put what an owner found apart by range: rows in order of their first column, a document."""
        columns = rows.fetchnumpy()
        reached = np.searchsorted(self.edges, next(iter(columns.values())), side="right") - 1
        Exchange(self.folder, name).put(owner, np.bincount(reached, minlength=self.ranges), columns.values())

    def met(self, number: int, keys: Sequence[str], counted: Sequence[str] = (), name: str = PAIRS) -> pl.DataFrame:
        """What the owners found in a range, each once and in no order, with the sums of what they counted.

        Several owners find the same, more of them the more there are, so it is added up `MET` rows at a time.
        """
        found = Exchange(self.folder, name)
        made = pl.DataFrame(schema=dict.fromkeys([*keys, *counted], pl.Int64))
        held, rows = [made], 0
        for owner in range(self.owners):
            taken = found.take(owner, [np.int64] * made.width, number)
            held.append(pl.DataFrame(dict(zip(made.columns, taken, strict=True))))
            rows += held[-1].height
            if rows > max(MET, made.height) or owner == self.owners - 1:
                made = pl.concat(held).group_by(*keys).agg(pl.col(*counted).sum() if counted else [])
                held, rows = [made], 0
        return made

    @property
    def _keys(self) -> Exchange:
        return Exchange(self.folder, "keys")

    def clear(self, *names: str) -> None:
        """Remove all, what was found under further names, too."""
        self._keys.clear(self.makers)
        for name in (PAIRS, *names):
            Exchange(self.folder, name).clear(self.owners)


_POSTING = (np.int64, np.uint64, np.bool_)


def lay_out(stage: Stage, documents: TableRef, signatures: TableRef, column: str) -> Postings:
    """Lay out the keys that stand in a column of lists."""
    several, planted = parts(signatures), pl.col("canary").is_not_null()
    known = scan(documents).filter(planted).select("doc").collect()["doc"].to_numpy()
    edges = first_documents(signatures, RANGE)
    owners = 1 + signatures.rows // (SHARED if current() else OWNED)
    made = Postings(share(stage.run), stage.path, len(several), owners, edges)
    for _ in spread(stage, partial(_lay_part, made, signatures, column, known), range(len(several))):
        pass
    return made


def first_documents(signatures: TableRef, several: int) -> list[int]:
    """First document of each range of so many parts; the first range begins at 0."""
    chosen = parts(signatures)[::several]
    first = [pl.scan_parquet(path).select("doc").head(1).collect()["doc"].to_list() for path in chosen]
    return [0, *(doc for docs in first[1:] for doc in docs)]


def _lay_part(
    made: Postings, signatures: TableRef, column: str, planted: NDArray[np.int64], index: int
) -> Iterator[int]:
    part = pl.read_parquet(one_part(signatures, index), columns=["doc", column])
    rows = part.select("doc", key=column).explode("key")
    doc = rows["doc"].to_numpy()
    made.lay(index, doc, rows["key"].to_numpy(), np.isin(doc, planted))
    yield rows.height
