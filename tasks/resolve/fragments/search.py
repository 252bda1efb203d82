"""Search for passages that enough documents share, within a bound on memory."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from tempfile import TemporaryFile
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from data_contracts.schemas import PASSAGES, PLACES
from models.lexical.fragments.repeats import LaidBatch, LaidRegions, Regions, WindowCounts
from models.lexical.fragments.search import Fragments, fragments_in
from models.lexical.text import Normalised
from tasks.parallel.map_parts import map_numbers
from tasks.parallel.runners import current
from tasks.parallel.threads import at_once, in_threads
from tasks.resolve.fragments.windows import by_workers, normalised_batch, regions_of
from tasks.runtime.run import Run
from tasks.storage.spill import ArrayFiles, Floor
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, one_part, parts, scan

SORTED_BYTES = 10
"""Memory that sorting takes for a code point of what may repeat."""
SORTED_THERE = 1 << 24
"""Code points that a worker sorts at a time, about."""


class Batch(NamedTuple):
    """Documents that are searched: how to read them (`doc`, `text`), and for how many each counts."""

    read: Callable[[], pl.DataFrame]
    weight: int = 1


def survivors(documents: TableRef, prescreened: TableRef, removals: TableRef, planted: bool) -> list[Batch]:
    """The documents in play that stay, part by part, or the few canaries among them at once."""
    numbers = range(len(parts(documents)))
    several = [[*numbers]] if planted else [[number] for number in numbers]
    return [Batch(partial(_read, documents, prescreened, removals, chosen, planted)) for chosen in several]


def _read(
    documents: TableRef, prescreened: TableRef, removals: TableRef, numbers: list[int], planted: bool
) -> pl.DataFrame:
    screened, read = (pl.scan_parquet([one_part(ref, at) for at in numbers]) for ref in (prescreened, documents))
    wanted = screened.filter("in_play").join(scan(removals), on="doc", how="anti").collect()["doc"]
    chosen = pl.col("doc").is_in(wanted.implode()) & (pl.col("canary").is_not_null() == planted)
    return read.select("doc", "text", "canary").filter(chosen).collect()


def search(
    run: Run, batches: Sequence[Batch], characters: int, stage: Stage | None = None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Find the passages that enough documents share.

    Args:
        run: its `fragment` section says how long and how many. Of its memory limit a quarter at most goes to each of
            these: the counts of windows, text that can repeat (the rest lies in a file of the workspace), and what is
            sorted at a time; a sixteenth to normalised texts that need not be made twice. Beside that stand one batch
            and about 100 bytes for each place that is found.
        batches: the documents; each is read twice.
        characters: code points of all of them, about.
        stage: whose workers read and sort, if there are any; then every document counts for one.

    Returns:
        The passages (`fragment` from 0, `text`, `chars`, `hosts`, `occurrences`) and where they stand in the originals
        (`fragment`, `doc`, `start`, `end`), by fragment.
    """
    if run.parameters.encoder.name == "none" or run.parameters.fragment.action == "off":  # nothing is cut unseen
        return pl.DataFrame(schema=PASSAGES.schema), pl.DataFrame(schema=PLACES.schema)
    bounds, limit = run.parameters.fragment, run.limit_bytes
    counts = WindowCounts(characters, bounds.min_chars, bounds.min_hosts, limit // 4)
    if stage and current() and len(batches) > 1:
        files = ArrayFiles(stage.path, "searched")
        laid = LaidRegions(by_workers(stage, counts, [batch.read for batch in batches], files), files)
        shards, over = 1 + len(laid) // SORTED_THERE, partial(map_numbers, stage)
        found = fragments_in(laid, bounds.min_chars, bounds.min_hosts, shards, over)
        files.clear()
        return _tables(found)
    with TemporaryFile(dir=run.workspace, prefix=".regions.", suffix=".tmp") as file:
        lay, several = Floor(file, limit // 4), zip(batches, _here(run, counts, batches, limit // 16), strict=True)
        laid = LaidRegions((LaidBatch.of(regions, lay, batch.weight) for batch, regions in several), lay)
        shards = at_once(run) * (1 + len(laid) * SORTED_BYTES // (limit // 4))
        return _tables(fragments_in(laid, bounds.min_chars, bounds.min_hosts, shards, partial(in_threads, run)))


def _here(run: Run, counts: WindowCounts, batches: Sequence[Batch], room: int) -> Iterator[Regions]:
    """What may repeat of each batch; normalised texts that there is room for are not made twice."""
    held: dict[int, tuple[NDArray[np.int64], Normalised]] = {}
    seen, reads = 0, [batch.read for batch in batches]
    for index, (doc, normalised) in enumerate(in_threads(run, normalised_batch, reads)):
        counts.add(normalised, seen, batches[index].weight)
        seen += len(doc)
        size = sum(column.nbytes for column in normalised)
        if size <= room:
            held[index], room = (doc, normalised), room - size
    counts.close()

    def regions(index: int) -> Regions:
        return regions_of(counts, *(held.pop(index) if index in held else normalised_batch(reads[index])))

    yield from in_threads(run, regions, range(len(reads)))


def _tables(found: Fragments) -> tuple[pl.DataFrame, pl.DataFrame]:
    number, occurrences = np.arange(len(found.hosts)), np.diff(found.pointers)
    passages = pl.DataFrame(
        {
            "fragment": number,
            "text": found.texts,
            "chars": found.texts.str.len_chars().cast(pl.Int64),
            "hosts": found.hosts,
            "occurrences": occurrences,
        }
    )
    places = {"doc": found.doc, "start": found.start, "end": found.end}
    return passages, pl.DataFrame({"fragment": np.repeat(number, occurrences)} | places)
