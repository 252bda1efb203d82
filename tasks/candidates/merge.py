"""Merge of the routes: each pair once, if sketches or vectors find it similar enough for its route."""

import os
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO

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
) -> TableRef:
    """Merge the routes and let through what sketches and vectors find similar enough for its route."""
    inputs, bar = [embeddings, signatures, blocked, banded, nested], run.parameters.verify.tau_semantic
    with Stage(run, ROUTE, inputs, run.parameters.cascade, extra=bar) as stage:
        if not stage.finished:
            total = passed = 0
            with (
                TemporaryFile(dir=stage.path, prefix=".sketches.", suffix=".tmp") as sketches,
                TemporaryFile(dir=stage.path, prefix=".vectors.", suffix=".tmp") as vectors,
                run.connect() as con,
                stage.progress(None, unit="pairs") as shown,
            ):
                doc = _lay_out(signatures, "sketch", np.uint32, sketches)
                _lay_out(embeddings, "vector", np.float16, vectors)
                for index, pairs in enumerate(merged(run, con, blocked, banded, nested)):
                    # Mapped for each batch anew: what was read for one does not stay in memory.
                    measured = measure(run.parameters, pairs, doc, _mapped(sketches, np.uint32, doc))
                    chosen = alike_enough(run.parameters, measured, doc, _mapped(vectors, np.float16, doc))
                    stage.write(index, chosen)
                    total, passed = total + pairs.height, passed + chosen.height
                    shown.advance(pairs.height)
            if not total:
                stage.write(0, pl.DataFrame(schema=CANDIDATES.schema))
            stage.counts = {"pairs_in": total, "pairs_out": passed}
            stage.facts = {"documents": signatures.rows}
    return hold(run, ROUTE, candidates=stage.ref, documents=documents)


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


def _lay_out(table: TableRef, column: str, dtype: DTypeLike, file: IO[bytes]) -> np.ndarray:
    """Write the rows of a column one behind the other; returns their document numbers, ascending."""
    doc = [np.empty(0, np.int64)]
    for path in parts(table):
        numbers, rows = rows_of(pl.read_parquet(path, columns=["doc", column]), column)
        doc.append(numbers)
        file.write(np.ascontiguousarray(rows, dtype).data)
    file.flush()
    return np.concatenate(doc)


def _mapped(file: IO[bytes], dtype: DTypeLike, doc: np.ndarray) -> np.ndarray:
    empty = not os.fstat(file.fileno()).st_size
    return np.empty((len(doc), 0), dtype) if empty else np.memmap(file, dtype, "r").reshape(len(doc), -1)


def rows_of(table: pl.DataFrame, column: str) -> tuple[np.ndarray, np.ndarray]:
    """Document numbers, int64[n] ascending, and the rows of a column, [n, d]."""
    ordered = table.sort("doc")
    return ordered["doc"].to_numpy(), matrix(ordered[column])


def measure(parameters: Parameters, pairs: pl.DataFrame, doc: np.ndarray, sketch: np.ndarray) -> pl.DataFrame:
    """Estimate the similarity of routed pairs from their sketches.

    Args:
        parameters: of the run.
        pairs: as `merged` gives them.
        doc: int64[n], document numbers, ascending.
        sketch: uint32[n, m].

    Returns:
        The pairs with `similarity`, whether it `passes` the bar of its route, and whether vectors are `asked` instead.
    """
    cascade = parameters.cascade
    rows = np.searchsorted(doc, pairs["a"]), np.searchsorted(doc, pairs["b"])
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


def alike_enough(parameters: Parameters, measured: pl.DataFrame, doc: np.ndarray, vector: np.ndarray) -> pl.DataFrame:
    """Keep of what `measure` gave the pairs that pass; `doc` int64[n], ascending, and `vector` float16[n, d] answer.

    Documents that are in no pair whose vectors are asked may be missing from both.
    """
    asked = measured["asked"].to_numpy()
    rows = (np.searchsorted(doc, measured[side].to_numpy()[asked]) for side in ("a", "b"))
    variant = np.zeros(measured.height, np.bool_)
    variant[asked] = _cosine(vector, *rows) >= parameters.verify.tau_semantic
    return measured.filter(pl.col("passes") | pl.Series(variant)).drop("contained", "passes", "asked")


def _cosine(vector: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    found = np.empty(len(one), np.float32)
    for at in range(0, len(one), COMPARED):
        a, b = (vector[rows[at : at + COMPARED]].astype(np.float32) for rows in (one, other))
        found[at : at + COMPARED] = np.einsum("pd,pd->p", a, b)
    return found
