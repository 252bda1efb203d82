"""Embeddings of documents in play: vectors, attention per word and entropy."""

import functools

import numpy as np
import polars as pl
from prefect import task

from models.lexical.sketch.features import quantise_attention
from models.lexical.text import normalise, split_words
from models.parameters import Encoder as EncoderParameters
from models.semantic.encoder.blind import Blind
from models.semantic.encoder.encoder import Encoder, WordSpans, word_spans
from models.semantic.encoder.student import Student
from models.semantic.neighbours.codes import planes
from tasks.encode.model_bundle import load_bundle
from tasks.parallel.map_parts import Advance, fill
from tasks.parallel.runners import share
from tasks.pipeline.registry import EMBED
from tasks.quality.enforce_contracts import hold
from tasks.runtime.run import Run
from tasks.storage.parquet import FETCHED
from tasks.storage.ragged_arrays import batches, packed, packed_bytes
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, one_part, parts

BATCH = 512
"""Documents between two steps of the progress bar."""


@functools.lru_cache(maxsize=1)
def encoder(parameters: EncoderParameters, threads: int) -> Encoder:
    """The encoder of a run, loaded once per process."""
    if parameters.name == "none":
        return Blind()
    if parameters.name == "student":
        return Student(
            load_bundle(parameters).student,
            window_words=parameters.window_words,
            max_windows=parameters.windows,
            threads=threads,
        )
    from models.semantic.encoder.teacher import Teacher  # transformers, which takes seconds to import

    return Teacher(
        window_words=parameters.window_words,
        window_tokens=parameters.window_tokens,
        max_windows=parameters.windows,
        precision=parameters.precision,
        threads=threads,
    )


def in_play(prescreened: TableRef, index: int) -> pl.DataFrame:
    """Documents of a part that go on."""
    return pl.read_parquet(one_part(prescreened, index)).filter("in_play").select("doc")


@task(task_run_name="embed texts")
def embed(run: Run, documents: TableRef, prescreened: TableRef) -> TableRef:
    """Embed part by part; a part once written is never embedded again."""
    model = encoder(run.parameters.encoder, run.threads)
    with Stage(run, EMBED, [documents, prescreened], run.parameters.encoder, extra=model.fingerprint) as stage:
        if not stage.finished:
            chosen = [in_play(prescreened, index).height for index in range(len(parts(documents)))]
            open_parts = stage.missing(len(chosen))
            with stage.progress(sum(chosen[index] for index in open_parts)) as bar:
                make = functools.partial(_embed_part, share(run), documents, prescreened)
                fill(stage, make, open_parts, bar, FETCHED)
            stage.counts = {"documents_in": prescreened.rows, "documents_out": sum(chosen)}
            made = pl.scan_parquet(stage.path / "part-*.parquet")
            facts = made.select(pl.col("words", "windows", "skipped_words").cast(pl.Int64).sum()).collect()
            stage.facts = facts.row(0, named=True)
    return hold(run, EMBED, embeddings=stage.ref, prescreen=prescreened)


def _embed_part(run: Run, documents: TableRef, prescreened: TableRef, index: int, advance: Advance) -> pl.DataFrame:
    model, wanted = encoder(run.parameters.encoder, run.threads), in_play(prescreened, index)
    if model.name == "none":  # texts that it does not see need not be read
        return embed_batch(model, wanted.with_columns(text=pl.lit("")))
    texts = pl.read_parquet(one_part(documents, index), columns=["doc", "text"])
    part = texts.join(wanted, on="doc", how="semi", maintain_order="left")
    embedded = []
    for batch in batches([part], BATCH):
        embedded.append(embed_batch(model, batch))
        advance(batch.height)
    return pl.concat(embedded)


def embed_batch(model: Encoder, batch: pl.DataFrame) -> pl.DataFrame:
    """Rows of `embeddings` for a batch of texts."""
    spans = _no_words(batch.height) if model.name == "none" else _words(batch["text"])
    encoded = model.encode(batch["text"], spans)
    vector = encoded.vector.astype(np.float16)
    return pl.DataFrame(
        {
            "doc": batch["doc"],
            "vector": packed(vector),
            "norm": np.linalg.norm(vector.astype(np.float32), axis=1),
            "neighbour_code": packed(planes(vector.shape[1]).codes(vector)),
            "attention": packed_bytes(quantise_attention(encoded.attention), spans.pointers),
            "entropy": encoded.entropy.astype(np.float32),
            "words": np.diff(spans.pointers).astype(np.int32),
            "windows": encoded.windows.astype(np.int32),
            "skipped_words": encoded.skipped_words.astype(np.int32),
        }
    )


def _words(texts: pl.Series) -> WordSpans:
    normalised = normalise(texts)
    return word_spans(normalised, split_words(normalised))


def _no_words(texts: int) -> WordSpans:
    """Words that no encoder asks for are not even looked for."""
    none = np.empty(0, np.int64)
    return WordSpans(none, none, np.zeros(texts + 1, np.int64), np.empty(0, np.uint64))
