"""Cascade stage 1: which distinct texts share wording with any other."""

import numpy as np
import polars as pl
from prefect import task

from data_contracts.contracts import PRESCREEN
from models.lexical.bloom import TwoGenerationBloom
from models.lexical.shingles import Shingles, shingle
from models.lexical.text import normalise, split_words
from models.parameters import Prescreen
from tasks.check import hold
from tasks.progress import stage_progress
from tasks.run import Run
from tasks.tables import Stage, TableRef, distinct_part, parts, scan


@task(task_run_name="prescreen by Bloom filter")
def prescreen(run: Run, documents: TableRef, copies: TableRef) -> TableRef:
    """Fill the two-generation Bloom filter with the shingles of every text, then ask it about every text."""
    bounds, short_chars = run.parameters.prescreen, run.parameters.sketch.short_chars
    with Stage(run, "prescreen", [documents, copies], bounds, extra=short_chars) as stage:
        if stage.finished:
            return hold(run, stage.ref, PRESCREEN, documents, copies)
        collapsed = scan(copies).select("doc").collect()
        characters = scan(documents).select(pl.col("n_chars").sum()).collect().item()
        bloom = TwoGenerationBloom(max(1024, characters // 4), bounds.bits_per_shingle, bounds.hashes)
        paths = parts(documents)
        with stage_progress("prescreen", 2 * documents.rows) as bar:
            for path in paths:
                part = distinct_part(path, collapsed)
                for lane in _lanes(part["text"], short_chars, bounds.shingle_size):
                    bloom.insert(lane.hash)
                bar.advance(part.height)
            kept = rows = 0
            for index, path in enumerate(paths):
                part = distinct_part(path, collapsed)
                lanes = _lanes(part["text"], short_chars, bounds.shingle_size)
                answer = _screen(part["doc"], lanes, bloom, bounds)
                stage.write(index, answer)
                kept += int(answer["in_play"].sum())
                rows += part.height
                bar.advance(part.height)
        stage.counts = {"documents_in": rows, "documents_out": kept}
        stage.facts = {"false_positive_rate": bloom.false_positive_rate()}
    return hold(run, stage.ref, PRESCREEN, documents, copies)


def _lanes(texts: pl.Series, short_chars: int, size: int) -> tuple[Shingles, Shingles]:
    """Shingles by words, and for short texts by characters: an excerpt must meet its long parent on words."""
    normalised = normalise(texts)
    words = split_words(normalised)
    by_words = shingle(normalised, words, 0, size)
    by_characters = shingle(normalised, words, short_chars, size)
    return by_words, _rows(by_characters, by_characters.short & ~by_words.short)


def _rows(shingles: Shingles, chosen: np.ndarray) -> Shingles:
    """Keep the shingles of the chosen documents; the others stay as empty rows."""
    lengths = np.diff(shingles.pointers)
    kept = np.repeat(chosen, lengths)
    pointers = np.concatenate([[0], np.cumsum(np.where(chosen, lengths, 0))])
    columns = (shingles.hash, shingles.first_word, shingles.last_word)
    hashes, first_word, last_word = (column[kept] for column in columns)
    return Shingles(hashes, first_word, last_word, pointers, shingles.short)


def _screen(
    doc: pl.Series, lanes: tuple[Shingles, Shingles], bloom: TwoGenerationBloom, bounds: Prescreen
) -> pl.DataFrame:
    counts = [_shared(lane, bloom) for lane in lanes]
    counted = pl.DataFrame(
        {
            "doc": doc,
            "by_characters": lanes[0].short,
            "shingles": counts[0][0],
            "shared": counts[0][1],
            "short_shingles": counts[1][0],
            "short_shared": counts[1][1],
        }
    )
    share = bounds.min_shared_short
    as_words = pl.col("shared") >= pl.min_horizontal(pl.lit(bounds.min_shared), "shingles")
    as_characters = pl.col("shared") >= pl.col("shingles") * share
    in_words = pl.when("by_characters").then(as_characters).otherwise(as_words) & (pl.col("shared") > 0)
    in_short = (pl.col("short_shared") >= pl.col("short_shingles") * share) & (pl.col("short_shared") > 0)
    return counted.select("doc", "shingles", "shared", in_play=in_words | in_short)


def _shared(lane: Shingles, bloom: TwoGenerationBloom) -> tuple[np.ndarray, np.ndarray]:
    """Shingles per document, and how many of them another document holds too."""
    again = np.concatenate([[0], np.cumsum(bloom.seen_again(lane.hash))])
    return np.diff(lane.pointers).astype(np.int32), np.diff(again[lane.pointers]).astype(np.int32)
