"""Merge of the routes: each pair once, if sketches or vectors find it similar enough for its route.

A refresh gives the live documents of the index, too: its documents are then in pairs with those.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple, Self

import duckdb
import numpy as np
import polars as pl
from numpy.typing import DTypeLike, NDArray
from prefect import task

import sql
from data_contracts.schemas import CANDIDATES
from models.lexical.sketch.weighted_minhash import similarity
from models.parameters import Parameters
from tasks.parallel.map_parts import write_parts
from tasks.parallel.runners import share
from tasks.pipeline.registry import ROUTE
from tasks.quality.enforce_contracts import hold
from tasks.refresh.previous_snapshot import Live
from tasks.refresh.previous_snapshot import fetch as fetch_rows
from tasks.remote.object_mirror import discard, fetch, lend
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import matrix
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, parts, scan

BATCH = 1 << 18
MERGED = 1_000_000
"""Pairs of all routes that are merged at a time, about: those of a range of documents, which make a part."""
COMPARED = 1 << 14
"""Pairs whose sketches are fetched at a time."""


@task(task_run_name="route pairs")
def route(
    run: Run,
    documents: TableRef,
    embeddings: TableRef,
    signatures: TableRef,
    blocked: TableRef,
    banded: TableRef,
    nested: TableRef,
    live: Live | None = None,
) -> TableRef:
    """Merge the routes and let through what sketches and vectors find similar enough for its route.

    A live document that was removed is represented by its survivor: what resembles it is of interest only if it
    resembles the survivor, too, in whose favour alone it may go.
    """
    inputs, bar = [embeddings, signatures, blocked, banded, nested, *(live or ())], run.parameters.verify.tau_semantic
    with Stage(run, ROUTE, inputs, run.parameters.cascade, extra=bar) as stage:
        if not stage.finished:
            met = _met(run.parameters, blocked, banded, nested) if live else _NOBODY
            known, known_vectors = (live.signatures, live.embeddings) if live else (None, None)
            with stage.progress(None, unit="pairs") as shown:
                routes = Routes(
                    share(run),
                    [blocked, banded, nested],
                    _edges([blocked, banded, nested]),
                    Laid.out(stage, signatures, {"sketch": np.uint32, "mass": np.float32}, known, met.proposed),
                    Laid.out(stage, embeddings, {"vector": np.float16}, known_vectors, met.near),
                )
                numbers = range(len(routes.edges) - 1)
                if live:
                    found = [routes.alike(number) for number in numbers]
                    represented = _represented((chosen for _, chosen in found), live)
                    stage.write(0, represented)
                    counts = [(sum(total for total, _ in found), represented.height)]
                else:
                    counts = []
                    for count in write_parts(stage, partial(_write, stage, routes), numbers):
                        shown.advance(count[0])
                        counts.append(count)
                routes.clear()
            stage.counts = {"pairs_in": sum(total for total, _ in counts), "pairs_out": sum(few for _, few in counts)}
            stage.facts = {"documents": signatures.rows}
    # Who is live is known when the documents in reach are gathered, and then the contract is asked.
    return stage.ref if live else hold(run, ROUTE, candidates=stage.ref, documents=documents)


def _edges(refs: Sequence[TableRef]) -> list[int]:
    """First documents of ranges whose pairs are merged together, and the number behind the last."""
    given = [ref for ref in refs if ref.rows]
    ranges = 1 + sum(ref.rows for ref in given) // MERGED
    last = max((scan(ref).select(pl.col("a").max()).collect().item() for ref in given), default=0)
    return [(last + 1) * turn // ranges for turn in range(ranges + 1)]


class Laid(NamedTuple):
    """Columns of a table in files, row behind row, and beside them the documents they are of.

    Attributes:
        folder: where the files are.
        kinds: type of the numbers of each column.
    """

    folder: Path
    kinds: dict[str, str]

    @classmethod
    def out(
        cls, stage: Stage, table: TableRef, kinds: Mapping[str, DTypeLike], index: TableRef | None, met: pl.Series
    ) -> Self:
        """Write the rows of some columns, then those of the documents of an index that are met."""
        laid = cls(stage.path, {column: np.dtype(kind).str for column, kind in kinds.items()})
        doc = [np.empty(0, np.int64)]
        with ExitStack() as stack:
            files = {column: stack.enter_context(laid._place(column).open("wb")) for column in kinds}
            for path in parts(table):
                laid._lay(pl.read_parquet(path, columns=["doc", *kinds]), files, doc)
            if index:
                there = fetch_rows(index, met, [*kinds])
                laid._lay(there.filter(~pl.col("doc").is_in(pl.Series(np.concatenate(doc)).implode())), files, doc)
        numbers = np.concatenate(doc)
        row = np.argsort(numbers, kind="stable")
        for path, array in zip(laid._beside, (numbers[row], row), strict=True):
            with path.open("wb") as file:
                np.save(file, array)
        for path in laid._all:
            lend(path)
        return laid

    def _lay(self, rows: pl.DataFrame, files: Mapping[str, IO[bytes]], doc: list[np.ndarray]) -> None:
        if rows.height:
            doc.append(rows["doc"].to_numpy())
            for column, file in files.items():
                numbers = rows[column]
                written = numbers.to_numpy() if numbers.dtype.is_numeric() else matrix(numbers)
                file.write(np.ascontiguousarray(written, self.kinds[column]).data)

    def rows(self, docs: pl.Series) -> np.ndarray:
        """Where the rows of some documents lie, all of which must have been laid out."""
        doc, row = (np.load(fetch(path), mmap_mode="r") for path in self._beside)
        found: np.ndarray = row[np.searchsorted(doc, docs.to_numpy())]
        return found

    def mapped(self, column: str) -> np.ndarray:
        """All rows of a column; mapped for each batch anew, what was read for one does not stay in memory."""
        documents = len(np.load(fetch(self._beside[0]), mmap_mode="r"))
        if not fetch(self._place(column)).stat().st_size:  # which cannot be mapped
            return np.empty((documents, 0), self.kinds[column])
        return np.memmap(self._place(column), self.kinds[column], "r").reshape(documents, -1)

    def clear(self) -> None:
        """Remove the files."""
        for path in self._all:
            discard(path)

    def _place(self, column: str) -> Path:
        return self.folder / f".{column}.tmp"

    @property
    def _beside(self) -> list[Path]:
        return [self.folder / f".{'-'.join(self.kinds)}.{name}.tmp" for name in ("doc", "row")]

    @property
    def _all(self) -> list[Path]:
        return [*map(self._place, self.kinds), *self._beside]


class Routes(NamedTuple):
    """Pairs of all routes, range by range, with what says how alike they are.

    Attributes:
        run: as a part sees it.
        tables: `blocked`, `banded`, `nested`.
        edges: see `_edges`.
        signed: sketches, and the weight of all shingles.
        embedded: vectors.
    """

    run: Run
    tables: list[TableRef]
    edges: list[int]
    signed: Laid
    embedded: Laid

    def alike(self, number: int) -> tuple[int, pl.DataFrame]:
        """How many pairs a range has, and rows of `candidates` for those that are alike enough."""
        total, chosen = 0, [pl.DataFrame(schema=CANDIDATES.schema)]
        with self.run.connect() as con:
            for pairs in self._merged(con, number):
                measured = measure(self.run.parameters, pairs, self.signed)
                chosen.append(CANDIDATES.shape(alike_enough(self.run.parameters, measured, self.embedded)))
                total += pairs.height
        return total, pl.concat(chosen)

    def _merged(self, con: duckdb.DuckDBPyConnection, number: int) -> Iterator[pl.DataFrame]:
        """The pairs of a range, each once, in batches."""
        names = ("blocked", "banded", "contained")
        places = {name: [str(path) for path in parts(ref)] for name, ref in zip(names, self.tables, strict=True)}
        low, high = self.edges[number], self.edges[number + 1]
        routing = self.run.parameters.cascade.routing
        found = sql.run(con, "stages/routed_pairs", **places, routing=routing, low=low, high=high)
        for batch in found.to_arrow_reader(BATCH):
            yield pl.DataFrame(pl.from_arrow(batch))

    def clear(self) -> None:
        """Remove what was laid out."""
        self.signed.clear()
        self.embedded.clear()


def _write(stage: Stage, routes: Routes, number: int) -> list[tuple[int, int]]:
    """Write the pairs of a range; returns how many there were, and how many are alike enough."""
    total, chosen = routes.alike(number)
    stage.write(number, chosen)
    return [(total, chosen.height)]


class Met(NamedTuple):
    """Documents that pairs name, and those whose codes are near enough for a look at their vectors."""

    proposed: pl.Series
    near: pl.Series


_NOBODY = Met(pl.Series(dtype=pl.Int64), pl.Series(dtype=pl.Int64))


def _met(parameters: Parameters, blocked: TableRef, banded: TableRef, nested: TableRef) -> Met:
    """Documents that the routes propose."""
    near = scan(blocked).filter(pl.col("hamming") <= parameters.cascade.variant_radius)
    sides = (
        pl.concat([pairs.select(doc=side) for pairs in several for side in ("a", "b")]).unique().collect()["doc"]
        for several in ([scan(blocked), scan(banded), scan(nested)], [near])
    )
    return Met(*sides)


def _represented(several: Iterable[pl.DataFrame], live: Live) -> pl.DataFrame:
    """Pairs of all batches, each once, with survivors in place of the live documents that were removed."""
    removed = scan(live.roster).select("doc", "survivor").drop_nulls().collect()
    pairs = pl.concat([pl.DataFrame(schema=CANDIDATES.schema), *several], how="diagonal_relaxed")
    named = pairs.with_columns(
        pl.col(side).replace_strict(removed["doc"], removed["survivor"], default=pl.col(side)) for side in ("a", "b")
    )
    ordered = named.with_columns(a=pl.min_horizontal("a", "b"), b=pl.max_horizontal("a", "b"))
    best = ordered.filter(pl.col("a") < pl.col("b")).sort("a", "b", pl.col("similarity").neg(), "route")
    return CANDIDATES.shape(best.unique(["a", "b"], keep="first", maintain_order=True))


def measure(parameters: Parameters, pairs: pl.DataFrame, signed: Laid) -> pl.DataFrame:
    """Estimate the similarity of routed pairs from their sketches.

    Args:
        parameters: of the run.
        pairs: of a range.
        signed: `sketch`, uint32[n, m], and `mass`, float32[n, 1].

    Returns:
        The pairs with `similarity`, whether it `passes` the bars of its route, and whether vectors are `asked` instead.
    """
    cascade = parameters.cascade
    rows, sketch = (signed.rows(pairs["a"]), signed.rows(pairs["b"])), signed.mapped("sketch")
    alike = np.empty(pairs.height, np.float32)
    for at in range(0, pairs.height, COMPARED):
        one, other = (row[at : at + COMPARED] for row in rows)
        alike[at : at + COMPARED] = similarity(sketch[one], sketch[other])
    bar_of_route = pl.when(pl.col("route") == "semantic").then(cascade.min_similarity_semantic)
    enough = pl.col("similarity") >= bar_of_route.otherwise(cascade.min_similarity)
    of_one, of_other = (signed.mapped("mass")[row, 0] for row in rows)
    held = pl.Series(contained_enough(alike, of_one, of_other, cascade.min_contained))
    # Nulls of other routes must not spread.
    near = (pl.col("hamming") <= cascade.variant_radius).fill_null(value=False)
    unsketched = cascade.routing == "semantic"
    measured = pairs.with_columns(similarity=pl.Series(alike))
    measured = measured.with_columns(passes=(enough & held) | pl.col("contained") | unsketched)
    # A paraphrase shares hardly any wording: it passes if the vectors say what the codes say.
    return measured.with_columns(asked=near & ~pl.col("passes"))


def contained_enough(
    alike: NDArray[np.float32], one: NDArray[np.float32], other: NDArray[np.float32], least: float
) -> NDArray[np.bool_]:
    """Does the larger text of each pair hold so much of the smaller one?

    Of Jaccard similarity s two texts of the masses m and n have s (m + n) / (1 + s) in common.

    Args:
        alike: estimated similarity, float32[p].
        one: mass of the first text of each pair, float32[p].
        other: mass of the second one, float32[p].
        least: share of the smaller mass.

    Returns:
        bool[p].
    """
    found: NDArray[np.bool_] = alike * (one + other) >= least * (1 + alike) * np.minimum(one, other)
    return found


def alike_enough(parameters: Parameters, measured: pl.DataFrame, embedded: Laid) -> pl.DataFrame:
    """Keep of what `measure` gave the pairs that pass; vectors, float16[n, d], answer where they are asked.

    Documents that are in no pair whose vectors are asked may be missing from both.
    """
    asked = measured["asked"].to_numpy()
    rows = (embedded.rows(measured[side].filter(asked)) for side in ("a", "b"))
    variant = np.zeros(measured.height, np.bool_)
    variant[asked] = _cosine(embedded.mapped("vector"), *rows) >= parameters.verify.tau_semantic
    return measured.filter(pl.col("passes") | pl.Series(variant)).drop("contained", "passes", "asked")


def _cosine(vector: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    found = np.empty(len(one), np.float32)
    for at in range(0, len(one), COMPARED):
        a, b = (vector[rows[at : at + COMPARED]].astype(np.float32) for rows in (one, other))
        found[at : at + COMPARED] = np.einsum("pd,pd->p", a, b)
    return found
