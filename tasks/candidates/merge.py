"""Merge of the routes: each pair once, if sketches or vectors find it similar enough for its route.

A refresh gives the live documents of the index, too: its documents are then in pairs with those.
"""

import os
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import duckdb
import numpy as np
import polars as pl
from numpy.typing import DTypeLike
from prefect import task

import sql
from data_contracts.schemas import CANDIDATES
from models.lexical.sketch.weighted_minhash import similarity
from models.parameters import Parameters
from tasks.pipeline.registry import ROUTE
from tasks.quality.enforce_contracts import hold
from tasks.refresh.previous_snapshot import Live, fetch
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import matrix
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, glob, parts, scan

BATCH = 1 << 18
MERGED = 4_000_000
"""Pairs of all routes that are merged at a time, about."""
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
            total = passed = 0
            with (
                TemporaryFile(dir=stage.path, prefix=".sketches.", suffix=".tmp") as sketches,
                TemporaryFile(dir=stage.path, prefix=".vectors.", suffix=".tmp") as vectors,
                run.connect() as con,
                stage.progress(None, unit="pairs") as shown,
            ):
                met = _met(run.parameters, blocked, banded, nested) if live else _NOBODY
                known, known_vectors = (live.signatures, live.embeddings) if live else (None, None)
                signed = _lay_out(signatures, "sketch", np.uint32, sketches, known, met.proposed)
                embedded = _lay_out(embeddings, "vector", np.float16, vectors, known_vectors, met.near)

                def alike() -> Iterator[pl.DataFrame]:
                    nonlocal total
                    for pairs in merged(run, con, blocked, banded, nested):
                        # Mapped for each batch anew: what was read for one does not stay in memory.
                        measured = measure(run.parameters, pairs, signed, _mapped(sketches, np.uint32, signed))
                        yield alike_enough(run.parameters, measured, embedded, _mapped(vectors, np.float16, embedded))
                        total += pairs.height
                        shown.advance(pairs.height)

                for index, chosen in enumerate([_represented(alike(), live)] if live else alike()):
                    stage.write(index, chosen)
                    passed += chosen.height
            if not total and not live:
                stage.write(0, pl.DataFrame(schema=CANDIDATES.schema))
            stage.counts = {"pairs_in": total, "pairs_out": passed}
            stage.facts = {"documents": signatures.rows}
    # Who is live is known when the documents in reach are gathered, and then the contract is asked.
    return stage.ref if live else hold(run, ROUTE, candidates=stage.ref, documents=documents)


def merged(
    run: Run, con: duckdb.DuckDBPyConnection, blocked: TableRef, banded: TableRef, nested: TableRef
) -> Iterator[pl.DataFrame]:
    """The pairs of the three routes, each once, in batches."""
    places = {"blocked": glob(blocked), "banded": glob(banded), "contained": glob(nested)}
    given = [ref for ref in (blocked, banded, nested) if ref.rows]
    runs = 1 + sum(ref.rows for ref in given) // MERGED
    last = max((scan(ref).select(pl.col("a").max()).collect().item() for ref in given), default=0)
    for number in range(runs):
        low, high = ((last + 1) * turn // runs for turn in (number, number + 1))
        found = sql.run(
            con, "stages/routed_pairs", **places, routing=run.parameters.cascade.routing, low=low, high=high
        )
        for batch in found.to_arrow_reader(BATCH):
            yield pl.DataFrame(pl.from_arrow(batch))


class Laid(NamedTuple):
    """Rows that were laid one behind the other: their document numbers, ascending, and where the row of each lies."""

    doc: np.ndarray
    row: np.ndarray

    def rows(self, docs: pl.Series) -> np.ndarray:
        """Where the rows of some documents lie."""
        found: np.ndarray = self.row[np.searchsorted(self.doc, docs.to_numpy())]
        return found


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


def _lay_out(
    table: TableRef, column: str, dtype: DTypeLike, file: IO[bytes], index: TableRef | None, met: pl.Series
) -> Laid:
    """Write the rows of a column one behind the other, then those of the documents of an index that are met."""
    doc = [np.empty(0, np.int64)]
    for path in parts(table):
        _lay(pl.read_parquet(path, columns=["doc", column]), dtype, file, doc)
    if index:
        there = fetch(index, met, [column])
        _lay(there.filter(~pl.col("doc").is_in(pl.Series(np.concatenate(doc)).implode())), dtype, file, doc)
    file.flush()
    numbers = np.concatenate(doc)
    row = np.argsort(numbers, kind="stable")
    return Laid(numbers[row], row)


def _lay(rows: pl.DataFrame, dtype: DTypeLike, file: IO[bytes], doc: list[np.ndarray]) -> None:
    if rows.height:
        doc.append(rows["doc"].to_numpy())
        file.write(np.ascontiguousarray(matrix(rows[rows.columns[-1]]), dtype).data)


def _mapped(file: IO[bytes], dtype: DTypeLike, laid: Laid) -> np.ndarray:
    empty = not os.fstat(file.fileno()).st_size
    return np.empty((len(laid.doc), 0), dtype) if empty else np.memmap(file, dtype, "r").reshape(len(laid.doc), -1)


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


def measure(parameters: Parameters, pairs: pl.DataFrame, signed: Laid, sketch: np.ndarray) -> pl.DataFrame:
    """Estimate the similarity of routed pairs from their sketches.

    Args:
        parameters: of the run.
        pairs: as `merged` gives them.
        signed: documents of the sketches.
        sketch: uint32[n, m].

    Returns:
        The pairs with `similarity`, whether it `passes` the bar of its route, and whether vectors are `asked` instead.
    """
    cascade = parameters.cascade
    rows = signed.rows(pairs["a"]), signed.rows(pairs["b"])
    alike = np.empty(pairs.height, np.float32)
    for at in range(0, pairs.height, COMPARED):
        one, other = (row[at : at + COMPARED] for row in rows)
        alike[at : at + COMPARED] = similarity(sketch[one], sketch[other])
    bar_of_route = pl.when(pl.col("route") == "semantic").then(cascade.min_similarity_semantic)
    enough = pl.col("similarity") >= bar_of_route.otherwise(cascade.min_similarity)
    # Nulls of other routes must not spread.
    near = (pl.col("hamming") <= cascade.variant_radius).fill_null(value=False)
    unsketched = cascade.routing == "semantic"
    measured = pairs.with_columns(similarity=pl.Series(alike))
    measured = measured.with_columns(passes=enough | pl.col("contained") | unsketched)
    # A paraphrase shares hardly any wording: it passes if the vectors say what the codes say.
    return measured.with_columns(asked=near & ~pl.col("passes"))


def alike_enough(parameters: Parameters, measured: pl.DataFrame, embedded: Laid, vector: np.ndarray) -> pl.DataFrame:
    """Keep of what `measure` gave the pairs that pass; `vector` float16[n, d] of `embedded` documents answer.

    Documents that are in no pair whose vectors are asked may be missing from both.
    """
    asked = measured["asked"].to_numpy()
    rows = (embedded.rows(measured[side].filter(asked)) for side in ("a", "b"))
    variant = np.zeros(measured.height, np.bool_)
    variant[asked] = _cosine(vector, *rows) >= parameters.verify.tau_semantic
    return measured.filter(pl.col("passes") | pl.Series(variant)).drop("contained", "passes", "asked")


def _cosine(vector: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    found = np.empty(len(one), np.float32)
    for at in range(0, len(one), COMPARED):
        a, b = (vector[rows[at : at + COMPARED]].astype(np.float32) for rows in (one, other))
        found[at : at + COMPARED] = np.einsum("pd,pd->p", a, b)
    return found
