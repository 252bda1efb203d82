"""Search for passages that enough documents share, within a bound on memory."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import numpy as np
import polars as pl

from data_contracts.schemas import PASSAGES, PLACES
from models.lexical.fragments.repeats import LaidRegions, Regions, WindowCounts
from models.lexical.fragments.search import Fragments, fragments_in
from models.lexical.text import Normalised, normalise, split_words, to_text
from tasks.runtime.run import Run
from tasks.storage.spill import Floor
from tasks.storage.tables import TableRef, parts

SORTED_BYTES = 10
"""Memory that sorting takes for a code point of what may repeat."""


class Batch(NamedTuple):
    """Documents that are searched: how to read them (`doc`, `text`), and for how many each counts."""

    read: Callable[[], pl.DataFrame]
    weight: int = 1


def survivors(documents: TableRef, wanted: pl.Series, planted: bool) -> list[Batch]:
    """The wanted documents part by part, or the few canaries among them at once."""
    paths = [parts(documents)] if planted else [[path] for path in parts(documents)]
    return [Batch(partial(_read, chosen, wanted, planted)) for chosen in paths]


def _read(paths: list[Path], wanted: pl.Series, planted: bool) -> pl.DataFrame:
    chosen = pl.col("doc").is_in(wanted.implode()) & (pl.col("canary").is_not_null() == planted)
    return pl.scan_parquet(paths).select("doc", "text", "canary").filter(chosen).collect()


def search(run: Run, batches: Sequence[Batch], characters: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Find the passages that enough documents share.

    Args:
        run: its `fragment` section says how long and how many. Of its memory limit a quarter at most goes to each of
            these: the counts of windows, text that can repeat (the rest lies in a file of the workspace), and what is
            sorted at a time; a sixteenth to normalised texts that need not be made twice. Beside that stand one batch
            and about 100 bytes for each place that is found.
        batches: the documents; each is read twice.
        characters: code points of all of them, about.

    Returns:
        The passages (`fragment` from 0, `text`, `chars`, `hosts`, `occurrences`) and where they stand in the originals
        (`fragment`, `doc`, `start`, `end`), by fragment.
    """
    if run.parameters.encoder.name == "none" or run.parameters.fragment.action == "off":  # nothing is cut unseen
        return pl.DataFrame(schema=PASSAGES.schema), pl.DataFrame(schema=PLACES.schema)
    bounds, limit = run.parameters.fragment, run.limit_bytes
    counts = WindowCounts(characters, bounds.min_chars, bounds.min_hosts, limit // 4)
    held: dict[int, tuple[pl.Series, Normalised]] = {}
    seen, room = 0, limit // 16

    def count(index: int, batch: Batch) -> tuple[int, int]:
        doc, normalised = _normalised(batch)
        counts.add(normalised, seen, batch.weight)
        size = sum(column.nbytes for column in normalised)
        if size <= room:
            held[index] = doc, normalised
        return seen + len(doc), room - size

    def kept(index: int, batch: Batch) -> Regions:
        doc, normalised = held.pop(index) if index in held else _normalised(batch)
        regions = counts.regions(normalised, split_words(normalised), 0)
        weights.append(np.full(len(regions.doc), batch.weight, np.int32))
        return regions._replace(doc=doc.to_numpy()[regions.doc])

    for index, batch in enumerate(batches):
        seen, room = count(index, batch)
    weights = [np.empty(0, np.int32)]
    with TemporaryFile(dir=run.workspace, prefix=".regions.", suffix=".tmp") as file:
        laid = LaidRegions((kept(index, batch) for index, batch in enumerate(batches)), Floor(file, limit // 4))
        shards = 1 + len(laid) * SORTED_BYTES // (limit // 4)
        return _tables(fragments_in(laid, bounds.min_chars, bounds.min_hosts, np.concatenate(weights), shards))


def _normalised(batch: Batch) -> tuple[pl.Series, Normalised]:
    part = batch.read()
    return part["doc"], normalise(part["text"])


def _tables(found: Fragments) -> tuple[pl.DataFrame, pl.DataFrame]:
    texts = [to_text(codes) for codes in np.split(found.codes, found.code_pointers[1:-1])][: len(found.hosts)]
    number, occurrences = np.arange(len(found.hosts)), np.diff(found.pointers)
    passages = pl.DataFrame(
        {
            "fragment": number,
            "text": pl.Series(texts, dtype=pl.String),
            "chars": np.diff(found.code_pointers),
            "hosts": found.hosts,
            "occurrences": occurrences,
        }
    )
    places = {"doc": found.doc, "start": found.start, "end": found.end}
    return passages, pl.DataFrame({"fragment": np.repeat(number, occurrences)} | places)
