"""Windows counted by workers, a range of slots each; then what may repeat is kept part by part."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.lexical.fragments.repeats import LaidBatch, Lay, Regions, WindowCounts
from models.lexical.fragments.widths import filled
from models.lexical.text import Normalised, normalise, split_words
from tasks.parallel.exchange import Exchange, put_apart
from tasks.parallel.map_parts import Arrays, map_chunks, spread
from tasks.storage.stage import Stage

RANGE = 1 << 24
"""Slots that one worker counts, in 128 MB."""
Reads = Sequence[Callable[[], pl.DataFrame]]
"""For each part, how to read its documents: `doc`, `text`."""


def by_workers(stage: Stage, counts: WindowCounts, reads: Reads, lay: Lay) -> Iterator[LaidBatch]:
    """What may repeat of each part, laid somewhere: its texts are read twice.

    Windows wait on disk between, 2 bytes for a character.
    """
    edges, numbers = [*range(0, counts.slots, RANGE), counts.slots], range(len(reads))
    laid = Exchange(stage.path, "windows")
    for _ in spread(stage, partial(_lay_part, laid, counts, reads, len(edges) - 1), numbers):
        pass
    ranges = spread(stage, partial(_count_range, laid, counts, edges, len(reads)), range(len(edges) - 1))
    frequent = np.concatenate([one[: RANGE // 8] for one in ranges])
    laid.clear(len(reads))
    yield from map_chunks(stage, partial(_keep_part, counts, reads, lay), numbers, {"frequent": frequent})


def normalised_batch(read: Callable[[], pl.DataFrame]) -> tuple[NDArray[np.int64], Normalised]:
    """Numbers of some documents, and their normalised texts as they are searched."""
    part = read()
    return part["doc"].to_numpy(), filled(normalise(part["text"]))


def regions_of(counts: WindowCounts, doc: NDArray[np.int64], normalised: Normalised) -> Regions:
    """What may repeat of some documents, under their own numbers."""
    regions = counts.regions(normalised, split_words(normalised), 0)
    return regions._replace(doc=doc[regions.doc])


def _lay_part(laid: Exchange, counts: WindowCounts, reads: Reads, ranges: int, index: int) -> list[int]:
    doc, normalised = normalised_batch(reads[index])
    slot, row = counts.windows(normalised)
    order, sizes = put_apart(slot // RANGE, ranges)
    laid.put(index, sizes, [slot[order], row[order]])
    return [len(doc)]


def _count_range(
    laid: Exchange, counts: WindowCounts, edges: list[int], makers: int, owner: int
) -> list[NDArray[np.uint8]]:
    several = (laid.take(maker, [np.uint32, np.uint32], owner) for maker in range(makers))
    return [counts.frequent(edges[owner], edges[owner + 1], several)]


def _keep_part(counts: WindowCounts, reads: Reads, lay: Lay, arrays: Arrays, index: int) -> LaidBatch:
    counts.answer(arrays["frequent"])
    return LaidBatch.of(regions_of(counts, *normalised_batch(reads[index])), lay)
