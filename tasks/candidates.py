"""Cascade stages 2 and 3: pairs from the semantic block, from banded LSH and from containment samples."""

import duckdb
import numpy as np
import polars as pl
from prefect import task

import sql
from data_contracts.contracts import CANDIDATES
from models.lexical.weighted_minhash import similarity
from models.semantic.hamming import star_join
from tasks.check import hold
from tasks.columns import matrix
from tasks.progress import stage_progress
from tasks.run import Run
from tasks.tables import Stage, TableRef, atomic_path, glob, scan

PAIR = {"a": pl.Int64, "b": pl.Int64}
BATCH = 1 << 18


def all_pairs(documents: int) -> int:
    """How many pairs n documents form: what the pass rates of the cascade are measured against."""
    return documents * (documents - 1) // 2


@task(task_run_name="block by Hamming radius")
def block(run: Run, documents: TableRef, signatures: TableRef) -> TableRef:
    """Cascade stage 2: all pairs of codes within the Hamming radius (`eq:blocking`)."""
    cascade, radius = run.parameters.cascade, run.parameters.projection_hash.radius
    with Stage(run, "blocked", [signatures], run.parameters.projection_hash, cascade) as stage:
        if not stage.finished:
            planted = scan(documents).select("doc", planted=pl.col("canary").is_not_null())
            coded = scan(signatures).select("doc", "code").join(planted, on="doc", maintain_order="left").collect()
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
            if not index:
                stage.write(0, pl.DataFrame(schema=PAIR | {"hamming": pl.Int16}))
            stage.counts = {"pairs_in": all_pairs(coded.height), "pairs_out": found}
            stage.facts = {"pairs_skipped": skipped, "distinct_codes": coded["code"].n_unique()}
    return stage.ref


@task(task_run_name="band by sketch")
def band(run: Run, documents: TableRef, signatures: TableRef) -> TableRef:
    """Cascade stage 3: pairs that share a band (`eq:lsh_prob`)."""
    cascade = run.parameters.cascade
    limits = {"hot_bucket": cascade.hot_bucket, "representatives": cascade.representatives}
    with Stage(run, "banded", [documents, signatures], cascade) as stage:
        if not stage.finished:
            with run.connect() as con, stage_progress("band", signatures.rows) as bar:
                places = {"signatures": glob(signatures), "documents": glob(documents)}
                found = _write(stage, sql.run(con, "banded_pairs", **places, **limits))
                stage.facts = sql.run(con, "hot_buckets", **places, **limits).pl().row(0, named=True)
                bar.advance(signatures.rows)
            stage.counts = {"pairs_in": all_pairs(signatures.rows), "pairs_out": found}
    return stage.ref


@task(task_run_name="nest by containment")
def nest(run: Run, documents: TableRef, signatures: TableRef) -> TableRef:
    """Pairs in which one document's sampled shingles mostly occur in the other (FracMinHash)."""
    bounds = run.parameters.containment
    with Stage(run, "nested", [documents, signatures], bounds) as stage:
        if not stage.finished:
            with run.connect() as con, stage_progress("nest", signatures.rows) as bar:
                found = _write(
                    stage,
                    sql.run(
                        con,
                        "contained_pairs",
                        signatures=glob(signatures),
                        documents=glob(documents),
                        hot_shingle=bounds.hot_shingle,
                        min_ratio=bounds.min_sample_ratio,
                        part_ratio=bounds.part_ratio,
                        part_shared=bounds.part_shared,
                    ),
                )
                bar.advance(signatures.rows)
            stage.counts = {"pairs_in": all_pairs(signatures.rows), "pairs_out": found}
    return stage.ref


@task(task_run_name="route pairs")
def route(
    run: Run, documents: TableRef, signatures: TableRef, blocked: TableRef, banded: TableRef, nested: TableRef
) -> TableRef:
    """Merge the routes and let through what the sketches find similar enough for its route."""
    cascade = run.parameters.cascade
    with Stage(run, "candidates", [signatures, blocked, banded, nested], cascade) as stage:
        if not stage.finished:
            sketches = scan(signatures).select("doc", "sketch").collect()
            doc, sketch = sketches["doc"].to_numpy(), matrix(sketches["sketch"])
            with run.connect() as con:
                places = {"blocked": glob(blocked), "banded": glob(banded), "contained": glob(nested)}
                merged = sql.run(con, "routed_pairs", **places, routing=cascade.routing)
                total = passed = 0
                with stage_progress("route", None, unit="pairs") as bar:
                    for index, batch in enumerate(merged.to_arrow_reader(BATCH)):
                        pairs = pl.DataFrame(pl.from_arrow(batch))
                        rows = np.searchsorted(doc, pairs["a"]), np.searchsorted(doc, pairs["b"])
                        alike = similarity(sketch[rows[0]], sketch[rows[1]])
                        semantic = pl.col("route") == "semantic"
                        bar_of_route = pl.when(semantic).then(cascade.min_similarity_semantic)
                        enough = pl.col("similarity") >= bar_of_route.otherwise(cascade.min_similarity)
                        # A paraphrase shares hardly any wording; nulls of other routes must not spread.
                        variant = (pl.col("hamming") <= cascade.variant_radius).fill_null(value=False)
                        unsketched = cascade.routing == "semantic"
                        passing = enough | variant | pl.col("contained") | unsketched
                        chosen = pairs.with_columns(similarity=alike).filter(passing)
                        stage.write(index, chosen.drop("contained"))
                        total, passed = total + pairs.height, passed + chosen.height
                        bar.advance(pairs.height)
            if not total:
                columns = PAIR | {"hamming": pl.Int16, "route": pl.String, "similarity": pl.Float32}
                stage.write(0, pl.DataFrame(schema=columns))
            stage.counts = {"pairs_in": total, "pairs_out": passed}
            stage.facts = {"documents": signatures.rows}
    return hold(run, stage.ref, CANDIDATES, documents)


def _write(stage: Stage, pairs: duckdb.DuckDBPyRelation) -> int:
    """Write a relation of pairs as one part without passing it through Python; return its rows."""
    with atomic_path(stage.part(0)) as temporary:
        pairs.write_parquet(str(temporary), compression="zstd")
    return int(pl.scan_parquet(stage.part(0)).select(pl.len()).collect().item())
