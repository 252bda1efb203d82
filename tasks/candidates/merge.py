"""Cascade stages 2 and 3: pairs from the semantic block, from banded LSH and from containment samples.

A refresh gives the live documents of the index, too: its documents then also meet those, but those not each other.
"""

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
from data_contracts.contracts import CANDIDATES
from models.lexical.sketch.weighted_minhash import similarity
from models.parameters import Parameters
from models.semantic.hamming.near import near
from models.semantic.hamming.star import star_join
from tasks.quality.enforce_contracts import hold
from tasks.refresh.previous_snapshot import Live
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import matrix
from tasks.storage.tables import Stage, TableRef, atomic_path, glob, parts, scan

PAIR = {"a": pl.Int64, "b": pl.Int64}
CANDIDATE = PAIR | {"hamming": pl.Int16, "route": pl.String, "similarity": pl.Float32}
BATCH = 1 << 18
MERGED = 4_000_000
"""Pairs of all routes that are merged at a time, about."""
COMPARED = 1 << 14
"""Pairs whose sketches are fetched at a time."""


def all_pairs(documents: int) -> int:
    """How many pairs n documents form: what the pass rates of the cascade are measured against."""
    return documents * (documents - 1) // 2


@task(task_run_name="block by Hamming radius")
def block(run: Run, documents: TableRef, signatures: TableRef, live: Live | None = None) -> TableRef:
    """Cascade stage 2: all pairs of codes within the Hamming radius (`eq:blocking`)."""
    cascade, radius = run.parameters.cascade, run.parameters.projection_hash.radius
    with Stage(run, "blocked", [signatures, *(live or ())], run.parameters.projection_hash, cascade) as stage:
        if not stage.finished:
            planted = scan(documents).select("doc", planted=pl.col("canary").is_not_null())
            asked = pl.lit(cascade.routing != "lexical")
            codes = scan(signatures).select("doc", "code").filter(asked)
            coded = codes.join(planted, on="doc", maintain_order="left").collect()
            index = found = skipped = 0
            with stage_progress("block", coded.height) as bar:
                for _, group in sorted(coded.group_by("planted"), key=lambda item: item[0]):
                    doc = group["doc"].to_numpy()
                    join = star_join(
                        group["code"].to_numpy(),
                        radius,
                        cascade.hot_bucket,
                        cascade.representatives,
                        threads=run.threads,
                        crowd=cascade.crowd,
                    )
                    for a, b, distance in join:
                        pairs = pl.DataFrame({"a": doc[a], "b": doc[b], "hamming": distance.astype(np.int16)})
                        stage.write(index, pairs)
                        index += 1
                        found += pairs.height
                    skipped += join.skipped
                    bar.advance(group.height)
                if live:
                    pairs = _near_live(run, coded.filter(~pl.col("planted")), live)
                    stage.write(index, pairs)
                    index += 1
                    found += pairs.height
            if not index:
                stage.write(0, pl.DataFrame(schema=PAIR | {"hamming": pl.Int16}))
            stage.counts = {"pairs_in": _met(coded.height, live), "pairs_out": found}
            stage.facts = {"pairs_skipped": skipped, "distinct_codes": coded["code"].n_unique()}
    return stage.ref


@task(task_run_name="band by sketch")
def band(run: Run, documents: TableRef, signatures: TableRef, live: Live | None = None) -> TableRef:
    """Cascade stage 3: pairs that share a band (`eq:lsh_prob`)."""
    cascade = run.parameters.cascade
    limits = {"hot_bucket": cascade.hot_bucket, "representatives": cascade.representatives}
    with Stage(run, "banded", [documents, signatures, *(live or ())], cascade) as stage:
        if not stage.finished:
            with run.connect() as con, stage_progress("band", signatures.rows) as bar:
                places = {"signatures": glob(signatures), "documents": glob(documents)}
                shared = stage.path / ".buckets.tmp"
                sql.run(con, "stages/shared_bands", **places).write_parquet(str(shared))
                found = _write(stage, sql.run(con, "stages/banded_pairs", **places, buckets=str(shared), **limits))
                stage.facts = sql.run(con, "stages/hot_buckets", buckets=str(shared), **limits).pl().row(0, named=True)
                shared.unlink()
                if live:
                    found += _write(
                        stage, sql.run(con, "refresh/reached_by_band", **places, **live.places(), **limits), 1
                    )
                bar.advance(signatures.rows)
            stage.counts = {"pairs_in": _met(signatures.rows, live), "pairs_out": found}
    return stage.ref


@task(task_run_name="nest by containment")
def nest(run: Run, documents: TableRef, signatures: TableRef, live: Live | None = None) -> TableRef:
    """Pairs in which one document's sampled shingles mostly occur in the other (FracMinHash)."""
    bounds = run.parameters.containment
    limits = {
        "hot_shingle": bounds.hot_shingle,
        "min_ratio": bounds.min_sample_ratio,
        "part_ratio": bounds.part_ratio,
        "part_shared": bounds.part_shared,
    }
    with Stage(run, "nested", [documents, signatures, *(live or ())], bounds) as stage:
        if not stage.finished:
            with run.connect() as con, stage_progress("nest", signatures.rows) as bar:
                places = {"signatures": glob(signatures), "documents": glob(documents)}
                found = _write(stage, sql.run(con, "stages/contained_pairs", **places, **limits))
                if live:
                    found += _write(
                        stage, sql.run(con, "refresh/reached_by_sample", **places, **live.places(), **limits), 1
                    )
                bar.advance(signatures.rows)
            stage.counts = {"pairs_in": _met(signatures.rows, live), "pairs_out": found}
    return stage.ref


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
    with Stage(run, "candidates", inputs, run.parameters.cascade, extra=bar) as stage:
        if not stage.finished:
            total = passed = 0
            with (
                TemporaryFile(dir=stage.path, prefix=".sketches.", suffix=".tmp") as sketches,
                TemporaryFile(dir=stage.path, prefix=".vectors.", suffix=".tmp") as vectors,
                run.connect() as con,
                stage_progress("route", None, unit="pairs") as shown,
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
                stage.write(0, pl.DataFrame(schema=CANDIDATE))
            stage.counts = {"pairs_in": total, "pairs_out": passed}
            stage.facts = {"documents": signatures.rows}
    return hold(run, stage.ref, CANDIDATES, documents)


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


def _near_live(run: Run, coded: pl.DataFrame, live: Live) -> pl.DataFrame:
    """Pairs of tonight's codes and those of live documents; kept ones come first where they are too many."""
    cascade, radius = run.parameters.cascade, run.parameters.projection_hash.radius
    roster = scan(live.roster).select("doc", gone=pl.col("survivor").is_not_null())
    there = scan(live.signatures).select("doc", "code").join(roster, on="doc").sort("gone", "doc").collect()
    old, new = there["doc"].to_numpy(), coded["doc"].to_numpy()
    codes = coded["code"].to_numpy(), there["code"].to_numpy()
    b, a, distance = near(*codes, radius, cascade.crowd, cascade.representatives)
    lower, upper = np.minimum(old[a], new[b]), np.maximum(old[a], new[b])
    return pl.DataFrame({"a": lower, "b": upper, "hamming": distance.astype(np.int16)})


def _met(documents: int, live: Live | None) -> int:
    """How many pairs documents form with each other and with live ones."""
    return all_pairs(documents) + (documents * live.roster.rows if live else 0)


def _write(stage: Stage, pairs: duckdb.DuckDBPyRelation, index: int = 0) -> int:
    """Write a relation of pairs as one part without passing it through Python; return its rows."""
    with atomic_path(stage.part(index)) as temporary:
        pairs.write_parquet(str(temporary), compression="zstd")
    return int(pl.scan_parquet(stage.part(index)).select(pl.len()).collect().item())
