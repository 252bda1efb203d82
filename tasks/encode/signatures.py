"""Signatures of documents in play: semantic code, attention-weighted sketch, bands, containment sample."""

from functools import partial

import numpy as np
import polars as pl
from prefect import task

from models.lexical.sketch.banding import band_counts, bands
from models.lexical.sketch.containment import sample
from models.lexical.sketch.features import Frequencies, shingle_weights
from models.lexical.sketch.shingles import Shingles, shingle
from models.lexical.sketch.weighted_minhash import icws, prob_minhash
from models.lexical.text import normalise, split_words
from tasks.encode.model_bundle import load_bundle
from tasks.ingest.document_frequencies import load_frequencies
from tasks.parallel.map_parts import Advance, fill
from tasks.pipeline.registry import SIGN
from tasks.quality.enforce_contracts import hold
from tasks.runtime.run import Run
from tasks.storage.parquet import FETCHED
from tasks.storage.ragged_arrays import batches, flat_bytes, matrix, ragged
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, one_part, parts, scan

SKETCHES = {"probminhash": prob_minhash, "icws": icws}


@task(task_run_name="sign texts")
def sign(
    run: Run,
    documents: TableRef,
    prescreened: TableRef,
    frequencies: TableRef,
    embeddings: TableRef,
    mean_entropy: float | None = None,
) -> TableRef:
    """Sign part by part with the run's frozen frequency table and the bundle's hyperplanes.

    `mean_entropy` is that of the index which the signatures are to meet; without it that of these documents.
    """
    sections = (run.parameters.sketch, run.parameters.containment)
    bundle = load_bundle(run.parameters.encoder)
    inputs = [documents, frequencies, embeddings]
    with Stage(run, SIGN, inputs, *sections, extra=[bundle.id, mean_entropy]) as stage:
        if not stage.finished:
            if mean_entropy is None:
                mean_entropy = _mean_entropy(documents, embeddings)
            with stage.progress(embeddings.rows) as bar:
                make = partial(_sign_part, run, documents, embeddings, frequencies, mean_entropy)
                fill(stage, make, stage.missing(len(parts(embeddings))), bar, FETCHED, dense=True)
            stage.counts = {"documents_in": embeddings.rows, "documents_out": embeddings.rows}
            stage.facts = {"mean_entropy": mean_entropy}
    return hold(run, SIGN, signatures=stage.ref, prescreen=prescreened)


def _mean_entropy(documents: TableRef, embeddings: TableRef) -> float:
    """Mean entropy of attention over the documents that were not planted."""
    planted = scan(documents).filter(pl.col("canary").is_not_null()).select("doc")
    own = scan(embeddings).select("doc", "entropy").join(planted, on="doc", how="anti", maintain_order="left")
    return own.select(pl.col("entropy").mean()).collect().item() or 0.0


def _sign_part(
    run: Run,
    documents: TableRef,
    embeddings: TableRef,
    frequencies: TableRef,
    mean_entropy: float,
    index: int,
    advance: Advance,
) -> pl.DataFrame:
    embedded = pl.read_parquet(one_part(embeddings, index), columns=["doc", "vector", "attention", "entropy"])
    texts = pl.read_parquet(one_part(documents, index), columns=["doc", "text"])
    part = embedded.join(texts, on="doc", how="left", maintain_order="left")
    counted = load_frequencies(frequencies)
    sketched = pl.concat([_sketch(run, batch, counted, mean_entropy) for batch in batches([part])])
    codes = np.zeros(part.height, np.uint64)
    if hyperplanes := load_bundle(run.parameters.encoder).projections.get(run.parameters.encoder.name):
        codes = hyperplanes.codes(matrix(part["vector"]).astype(np.float32))
    advance(part.height)
    return sketched.insert_column(1, pl.Series("code", codes))


def _sketch(run: Run, batch: pl.DataFrame, counted: Frequencies, mean_entropy: float) -> pl.DataFrame:
    chosen = run.parameters.sketch
    normalised = normalise(batch["text"])
    words = split_words(normalised)
    grams = shingle(normalised, words, chosen.lane)
    weight = shingle_weights(grams, words, flat_bytes(batch["attention"])[0], counted, chosen)
    sketch = SKETCHES[chosen.kind](grams.hash, weight, grams.pointers, chosen.slots)
    entropy = batch["entropy"].to_numpy()
    counts = band_counts(entropy, mean_entropy, chosen.bands, chosen.entropy_gain, chosen.bands_min, chosen.bands_max)
    mass = np.add.reduceat(weight, grams.pointers[:-1]) if len(batch) else np.empty(0, np.float32)
    # Nothing is contained without its meaning, so without an encoder nothing is sampled.
    nothing = np.empty(0, np.uint64), np.zeros(batch.height + 1, np.int64)
    blind = run.parameters.encoder.name == "none"
    return pl.DataFrame(
        {
            "doc": batch["doc"],
            "sketch": pl.Series(sketch),
            "bands": ragged(*bands(sketch, counts, chosen.rows)),
            "sample": ragged(*nothing) if blind else _sample(batch["text"], grams, run.parameters.containment.scale),
            "short": grams.short,
            "mass": mass.astype(np.float32),
        }
    )


def _sample(texts: pl.Series, grams: Shingles, scale: int) -> pl.Series:
    """Samples of shingles by words: those at hand, and for texts that went by characters others."""
    normalised = normalise(texts.filter(pl.Series(grams.short)))
    by_words = shingle(normalised, split_words(normalised), short_chars=0)
    samples = [ragged(*sample(one.hash, one.pointers, scale)) for one in (grams, by_words)]
    order = np.argsort(np.concatenate([np.flatnonzero(~grams.short), np.flatnonzero(grams.short)]))
    return pl.concat([samples[0].filter(pl.Series(~grams.short)), samples[1]])[order]
