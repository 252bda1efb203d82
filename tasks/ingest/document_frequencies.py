"""Document frequencies of shingles, words and lines: frozen with the run, every later weight refers to them."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from prefect import task

from models.lexical.sketch.features import Frequencies
from models.lexical.sketch.line_shapes import line_shapes
from models.lexical.sketch.shingles import shingle
from models.lexical.sketch.weights import cells, count_documents, distinct_per_document
from models.lexical.text import normalise, split_words
from tasks.parallel.exchange import Exchange, put_apart
from tasks.parallel.map_parts import spread
from tasks.parallel.runners import current
from tasks.pipeline.registry import COUNT
from tasks.remote.object_mirror import fetch, mirror
from tasks.runtime.progress import Bar
from tasks.runtime.run import Run
from tasks.storage.atomic import atomic_path
from tasks.storage.ragged_arrays import batches
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, characters_of, distinct_part, one_part, parts, scan

SHINGLES, WORDS, LINES = "shingles.npy", "words.npy", "lines.npy"
CHARACTERS_PER_CELL = 4
"""About one cell per shingle; fewer make rare shingles look common."""
SHINGLES_PER_WORD, SHINGLES_PER_LINE = 2, 4
"""There are far fewer different words than shingles, and what is rare among them must not look common; and lines."""
RANGES = 16
"""Of cells, each with an owner where workers count; the least table has 256 cells."""


def load_frequencies(counted: TableRef) -> Frequencies:
    """Map the tables of this stage: a night looks up few of their cells."""
    places = (fetch(Path(counted.path) / name) for name in (SHINGLES, WORDS, LINES))
    shingles, words, lines = (np.asarray(np.load(place, mmap_mode="c")) for place in places)
    return Frequencies(shingles, words, counted.rows, lines)


@task(task_run_name="count frequencies")
def count(run: Run, documents: TableRef, copies: TableRef) -> TableRef:
    """Count document frequencies of shingles, words and lines over the distinct texts, one row per text counted.

    Planted documents are not counted: what is common or rare is a matter of the user's texts alone.

    Where nothing is weighed by them, the tables stay small and at zero.
    """
    sketch = run.parameters.sketch
    searched = run.parameters.fragment.action != "off" and run.parameters.encoder.name != "none"
    weighed = sketch.use_idf or run.parameters.verify.decider != "fixed" or searched
    recipe = {"bits": sketch.df_bits, "short": sketch.lane, "weighed": weighed}
    with Stage(run, COUNT, [documents, copies], extra=recipe) as stage:
        if not stage.finished:
            characters = characters_of(documents) if weighed else 0
            bits = min(sketch.df_bits, max(16, (characters // CHARACTERS_PER_CELL).bit_length()))
            per_cell = {SHINGLES: 1, WORDS: SHINGLES_PER_WORD, LINES: SHINGLES_PER_LINE}
            sizes = {name: (1 << bits) // shingles for name, shingles in per_cell.items()}
            numbers = range(len(parts(documents)))
            with stage.progress(documents.rows) as bar:
                read = partial(_read_part if weighed else _list_part, stage, documents, copies)
                tables = (_by_range if current() and weighed else _at_once)(stage, read, sizes, numbers, bar)
                for name, table in tables:
                    save_array(stage.path / name, table)
            for index in numbers:
                mirror(stage.part(index))
            stage.counts = {"documents_in": documents.rows, "documents_out": documents.rows - copies.rows}
    return stage.ref


class Batch(NamedTuple):
    """Hashes of the shingles, the words and the lines of some texts, uint64, distinct within each text."""

    texts: int
    shingles: np.ndarray
    words: np.ndarray
    lines: np.ndarray


def _read_part(stage: Stage, documents: TableRef, copies: TableRef, index: int) -> Iterator[Batch]:
    """Read the distinct texts of a part and list them as its rows."""
    part = _own_part(documents, copies, index, "text")
    lane = stage.run.parameters.sketch.lane
    for batch in batches([part]):
        normalised = normalise(batch["text"])
        found = split_words(normalised)
        hashes = shingle(normalised, found, lane).hash
        lines = line_shapes(normalised, found)
        of_words, of_lines = (distinct_per_document(one.hash, one.pointers) for one in (found, lines))
        yield Batch(batch.height, hashes, of_words, of_lines[of_lines > 0])
    stage.write(index, part.select("doc"))


def _at_once(
    stage: Stage, read: Callable[[int], Iterable[Batch]], sizes: dict[str, int], numbers: range, bar: Bar
) -> Iterator[tuple[str, np.ndarray]]:
    """The tables, counted here as the parts are read."""
    tables = [np.zeros(size, np.uint32) for size in sizes.values()]
    for batch in spread(stage, read, numbers):
        for table, hashes in zip(tables, batch[1:], strict=True):
            count_documents(table, hashes)
        bar.advance(batch.texts)
    yield from zip(sizes, tables, strict=True)


def _by_range(
    stage: Stage, read: Callable[[int], Iterable[Batch]], sizes: dict[str, int], numbers: range, bar: Bar
) -> Iterator[tuple[str, np.ndarray]]:
    """The tables, counted by workers that own a range of cells each."""
    for texts in spread(stage, partial(_lay_part, stage, read, sizes), numbers):
        bar.advance(texts)
    for name, size in sizes.items():
        count = partial(_count_range, Exchange(stage.path, name), len(numbers), size)
        yield name, np.concatenate(list(spread(stage, count, range(RANGES))))
        Exchange(stage.path, name).clear(len(numbers))


def _lay_part(stage: Stage, read: Callable[[int], Iterable[Batch]], sizes: dict[str, int], index: int) -> Iterator[int]:
    """Lay out the cells of a part for the owners of their ranges."""
    batches = list(read(index))
    yield sum(batch.texts for batch in batches)
    for (name, size), *hashes in zip(sizes.items(), *(batch[1:] for batch in batches), strict=True):
        cell = cells(np.concatenate(hashes), size.bit_length() - 1)
        order, each = put_apart(cell // (size // RANGES), RANGES)
        Exchange(stage.path, name).put(index, each, [cell[order]])


def _count_range(laid: Exchange, makers: int, size: int, owner: int) -> list[np.ndarray]:
    """Documents of the cells of a range."""
    width = size // RANGES
    counted = np.zeros(width, np.uint32)
    for maker in range(makers):
        (cell,) = laid.take(maker, [np.uint32], owner)
        np.add.at(counted, cell - owner * width, np.uint32(1))
    return [counted]


def _list_part(stage: Stage, documents: TableRef, copies: TableRef, index: int) -> list[Batch]:
    """List the distinct texts of a part without reading them."""
    part = _own_part(documents, copies, index)
    stage.write(index, part.select("doc"))
    return [Batch(part.height, *(np.empty(0, np.uint64) for _ in range(3)))]


def _own_part(documents: TableRef, copies: TableRef, index: int, *columns: str) -> pl.DataFrame:
    """The distinct texts of a part that were not planted."""
    collapsed = scan(copies).select("doc").collect()
    part = distinct_part(one_part(documents, index), collapsed, ["doc", "canary", *columns])
    return part.filter(pl.col("canary").is_null())


def save_array(path: Path, table: np.ndarray) -> None:
    """Write an array as `np.save` does, which would not say that the disk is full."""
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(table))
        file.write(table.data)
