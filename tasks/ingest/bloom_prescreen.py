"""Bloom pre-screen, cascade stage 1: which distinct texts share wording with any other."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from prefect import task

from models.lexical.sketch.bloom import TwoGenerationBloom
from models.lexical.sketch.shingles import LETTERS, Shingles, is_short, shingle
from models.lexical.text import normalise, split_words
from models.parameters import Prescreen
from tasks.parallel.map_parts import spread
from tasks.pipeline.registry import PRESCREEN, PRESENT
from tasks.quality.enforce_contracts import hold
from tasks.runtime.progress import Bar
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import batches
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, characters_of, distinct_part, one_part, parts, scan

PLANTED = np.uint64(0x63616E6172696573)
"""What tells the shingles of planted documents from those of all others, which they must not bring into play."""


class Counted(NamedTuple):
    """Shingles of one part, n texts: int64[2, n] by words and by characters; bool[n] which have none by words."""

    doc: pl.Series
    shingles: np.ndarray
    short: np.ndarray


@task(task_run_name="prescreen by Bloom filter")
def prescreen(run: Run, documents: TableRef, copies: TableRef, everything: bool = False) -> TableRef:
    """Fill the two-generation Bloom filter with the shingles of every text, then ask it about every text.

    Until then the shingles wait on disk, 8 bytes each: about as much as the texts.

    Args:
        run: its `prescreen` section says how much wording must be shared.
        documents: working documents.
        copies: exact copies among them.
        everything: keep every distinct text in play that was not published before, because it may resemble a live
            document, of which the filter knows nothing.
    """
    bounds, short_chars, inputs = run.parameters.prescreen, run.parameters.sketch.short_chars, [documents, copies]
    filtered = Stage(run, PRESCREEN, inputs, bounds, extra=short_chars)
    with Stage(run, PRESENT, inputs) if everything else filtered as stage:
        if not stage.finished:
            with stage.progress(documents.rows) as bar:
                screen = _filter if bounds.min_shared and not everything else _pass
                passed = texts = 0
                for index, part in enumerate(screen(stage, documents, copies, bar)):
                    stage.write(index, part)
                    passed, texts = passed + int(part["in_play"].sum()), texts + part.height
            stage.counts = {"documents_in": texts, "documents_out": passed}
    return hold(run, PRESCREEN, prescreen=stage.ref, documents=documents, copies=copies)


def _pass(_: Stage, documents: TableRef, copies: TableRef, bar: Bar) -> Iterator[pl.DataFrame]:
    """Answers that keep every distinct text in play that was not published before."""
    none = pl.lit(0, pl.Int32)
    collapsed = scan(copies).select("doc").collect()
    for path in parts(documents):
        part = distinct_part(path, collapsed, ["doc", "published"])
        yield part.select("doc", shingles=none, shared=none, in_play=~pl.col("published"))
        bar.advance(part.height)


def _filter(stage: Stage, documents: TableRef, copies: TableRef, bar: Bar) -> Iterator[pl.DataFrame]:
    """Answers of the filter, part by part; where the memory limit has no room for it, it is made share by share."""
    bounds, short_chars = stage.run.parameters.prescreen, stage.run.parameters.sketch.short_chars
    expected = max(1024, characters_of(documents) // 4)
    bloom = TwoGenerationBloom(expected, bounds.bits_per_shingle, bounds.hashes, stage.run.share_bytes)
    waiting = stage.path / ".shingles.tmp"
    counted: list[Counted] = []
    with waiting.open("wb") as file:
        read = partial(_read_part, documents, copies, short_chars, bounds.shingle_size)
        for part, hashes in spread(stage, read, range(len(parts(documents)))):
            bloom.insert(hashes)
            file.write(hashes.data)
            counted.append(part)
            bar.advance(len(part.doc))
    shared = [np.zeros_like(part.shingles) for part in counted]
    rates = []
    for share in range(bloom.shares):
        if share:
            bloom.turn(share)
            for hashes in _waiting(waiting, counted):
                bloom.insert(hashes)
        rates.append(bloom.false_positive_rate())
        for index, hashes in enumerate(_waiting(waiting, counted)):
            shared[index] += _counts(bloom.seen_again(hashes), counted[index].shingles)
    stage.facts = {"false_positive_rate": float(np.mean(rates))}
    waiting.unlink()
    for part, again in zip(counted, shared, strict=True):
        yield _screen(part, again, bounds)


def _waiting(file: Path, counted: list[Counted]) -> Iterator[np.ndarray]:
    """The shingles of every part."""
    with file.open("rb") as waiting:
        for part in counted:
            yield np.fromfile(waiting, np.uint64, int(part.shingles.sum()))


def _counts(answers: np.ndarray, shingles: np.ndarray) -> np.ndarray:
    """Number of shingles of each text, int64[2, n] as `shingles`, that were answered with yes."""
    again = np.concatenate([[0], np.cumsum(answers, dtype=np.int64)])
    pointers = np.concatenate([[0], np.cumsum(shingles)])
    counts: np.ndarray = np.diff(again[pointers]).reshape(2, -1)
    return counts


def _read_part(
    documents: TableRef, copies: TableRef, short_chars: int, size: int, index: int
) -> list[tuple[Counted, np.ndarray]]:
    """Counts of the distinct texts of one part, and their shingles; planted documents share theirs with each other."""
    columns = ["doc", "text", "canary"]
    part = distinct_part(one_part(documents, index), scan(copies).select("doc").collect(), columns)
    shingles, short, hashes = _shingle(part["text"], short_chars, size)
    if part["canary"].count():
        planted = part["canary"].is_not_null().to_numpy()
        hashes[np.repeat(np.concatenate([planted, planted]), shingles.ravel())] ^= PLANTED
    return [(Counted(part["doc"], shingles, short), hashes)]


def _shingle(texts: pl.Series, short_chars: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts by words and by characters, what is too short for words, and the shingles, those by words first.

    Short texts are shingled both ways: an excerpt must meet its long parent on words.
    """
    lanes: tuple[list[Shingles], list[Shingles]] = ([], [])
    both = []
    for part in batches([texts.to_frame("text")]):
        batch = part["text"]
        normalised = normalise(batch)
        words = split_words(normalised)
        by_words = shingle(normalised, words, 0, size, _letters(size))
        again = is_short(normalised, words, short_chars, 0) & ~by_words.short
        few = normalise(batch.filter(pl.Series(again)))
        lanes[0].append(by_words)
        lanes[1].append(shingle(few, split_words(few), short_chars, size, _letters(size)))
        both.append(again)
    counts = [np.concatenate([np.zeros(0, np.int64), *(np.diff(one.pointers) for one in lane)]) for lane in lanes]
    short = np.concatenate([np.zeros(0, np.bool_), *(one.short for one in lanes[0])])
    by_characters = np.zeros_like(counts[0])
    by_characters[np.concatenate([np.zeros(0, np.bool_), *both])] = counts[1]
    hashes = np.concatenate([np.zeros(0, np.uint64), *(one.hash for lane in lanes for one in lane)])
    return np.stack([counts[0], by_characters]), short, hashes


def _letters(size: int) -> int:
    """Letters per shingle of a short text: consonants, of which words have few."""
    return max(LETTERS, size - 2)


def _screen(part: Counted, shared: np.ndarray, bounds: Prescreen) -> pl.DataFrame:
    counted = pl.DataFrame(
        {
            "doc": part.doc,
            "by_characters": part.short,
            "shingles": part.shingles[0].astype(np.int32),
            "shared": shared[0].astype(np.int32),
            "short_shingles": part.shingles[1].astype(np.int32),
            "short_shared": shared[1].astype(np.int32),
        }
    )
    share = bounds.min_shared_short
    as_words = pl.col("shared") >= pl.min_horizontal(pl.lit(bounds.min_shared), "shingles")
    as_characters = pl.col("shared") >= pl.col("shingles") * share
    in_words = pl.when("by_characters").then(as_characters).otherwise(as_words) & (pl.col("shared") > 0)
    in_short = (pl.col("short_shared") >= pl.col("short_shingles") * share) & (pl.col("short_shared") > 0)
    return counted.select("doc", "shingles", "shared", in_play=in_words | in_short)
