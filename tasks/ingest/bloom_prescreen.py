"""Bloom pre-screen, cascade stage 1: which distinct texts share wording with any other."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
from prefect import task

from models.lexical.sketch.bloom import TwoGenerationBloom
from models.lexical.sketch.shingles import LETTERS, Shingles, is_short, shingle
from models.lexical.text import normalise, split_words
from models.parameters import Prescreen
from tasks.parallel.exchange import Exchange, put_apart
from tasks.parallel.map_parts import spread, write_parts
from tasks.parallel.runners import current
from tasks.parallel.threads import at_once
from tasks.pipeline.registry import PRESCREEN, PRESENT
from tasks.quality.enforce_contracts import hold
from tasks.remote.object_mirror import discard, fetch, lend
from tasks.runtime.progress import Bar
from tasks.runtime.run import Run
from tasks.storage.atomic import atomic_path
from tasks.storage.ragged_arrays import batches
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, characters_of, distinct_part, one_part, parts, scan

PLANTED = np.uint64(0x63616E6172696573)
"""What tells the shingles of planted documents from those of all others, which they must not bring into play."""


LAID = (np.uint64, np.uint32)
"""Columns of what is laid out of a part: shingles, and for which of its texts each counts, by words or characters."""
FILTER_BYTES = 256 << 20
"""Of the filter in a worker: more shares take no more reading, as each is given its own shingles only."""


@task(task_run_name="prescreen by Bloom filter")
def prescreen(run: Run, documents: TableRef, copies: TableRef, everything: bool = False) -> TableRef:
    """Fill the two-generation Bloom filter with the shingles of every text, then ask it about every text.

    Until then the shingles wait on disk, 12 bytes each: about half as much again as the texts. The filter is made in
    shares of its blocks, as many as memory takes or workers can make; each is given the shingles of its own.

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
                for here, of in screen(stage, documents, copies, bar):
                    passed, texts = passed + here, texts + of
            stage.counts = {"documents_in": texts, "documents_out": passed}
    return hold(run, PRESCREEN, prescreen=stage.ref, documents=documents, copies=copies)


def _pass(stage: Stage, documents: TableRef, copies: TableRef, bar: Bar) -> Iterator[tuple[int, int]]:
    """Keep every distinct text in play that was not published before; in play and all, part by part."""
    none = pl.lit(0, pl.Int32)
    collapsed = scan(copies).select("doc").collect()
    for index, path in enumerate(parts(documents)):
        part = distinct_part(path, collapsed, ["doc", "published"])
        stage.write(index, part.select("doc", shingles=none, shared=none, in_play=~pl.col("published")))
        yield int((~part["published"]).sum()), part.height
        bar.advance(part.height)


def _filter(stage: Stage, documents: TableRef, copies: TableRef, bar: Bar) -> Iterator[tuple[int, int]]:
    """Ask the filter about the texts of every part; in play and all, part by part."""
    bounds = stage.run.parameters.prescreen
    expected, room = max(1024, characters_of(documents) // 4), stage.run.share_bytes
    room = min(room, FILTER_BYTES) if current() else room // at_once(stage.run)
    make = partial(TwoGenerationBloom, expected, bounds.bits_per_shingle, bounds.hashes, room)
    numbers, shares = range(len(parts(documents))), make().shares
    for texts in spread(stage, partial(_lay_part, stage, documents, copies, make), numbers):
        bar.advance(texts)
    rates = list(spread(stage, partial(_ask_share, stage.path, make, len(numbers)), range(shares)))
    stage.facts = {"false_positive_rate": float(np.mean(rates))}
    yield from write_parts(stage, partial(_screen_part, stage, shares), numbers)
    for laid, makers in ((_shingles(stage.path), len(numbers)), (_answers(stage.path), shares)):
        laid.clear(makers)


def _shingles(folder: Path) -> Exchange:
    """Shingles of the parts for the shares."""
    return Exchange(folder, "shingles")


def _answers(folder: Path) -> Exchange:
    """Answers of the shares for the parts: whether each shingle was seen again."""
    return Exchange(folder, "answers")


def _counted(stage: Stage, index: int) -> Path:
    """File with the counts of the texts of a part."""
    return stage.path / f".{index:05d}.counted.tmp"


def _lay_part(
    stage: Stage, documents: TableRef, copies: TableRef, make: Callable[[], TwoGenerationBloom], index: int
) -> list[int]:
    """Lay out the shingles of the distinct texts of one part; planted documents share theirs with each other."""
    parameters, columns = stage.run.parameters, ["doc", "text", "canary"]
    part = distinct_part(one_part(documents, index), scan(copies).select("doc").collect(), columns)
    counts, short, hashes = _shingle(part["text"], parameters.sketch.short_chars, parameters.prescreen.shingle_size)
    if part["canary"].count():
        planted = part["canary"].is_not_null().to_numpy()
        hashes[np.repeat(np.concatenate([planted, planted]), counts.ravel())] ^= PLANTED
    text = np.repeat(np.arange(counts.size, dtype=np.uint32), counts.ravel())
    bloom = make()
    order, sizes = put_apart(bloom.share_of(hashes), bloom.shares)
    _shingles(stage.path).put(index, sizes, [hashes[order], text[order]])
    named = {"shingles": counts[0].astype(np.int32), "short_shingles": counts[1].astype(np.int32)}
    with atomic_path(_counted(stage, index)) as temporary:
        pl.DataFrame({"doc": part["doc"], "by_characters": short, **named}).write_ipc(temporary)
    lend(_counted(stage, index))
    return [part.height]


def _ask_share(folder: Path, make: Callable[[], TwoGenerationBloom], makers: int, share: int) -> list[float]:
    """Fill a share of the filter with what is its own, and ask it about that; returns its rate of false answers."""
    bloom = make()
    if share:
        bloom.turn(share)

    def own() -> Iterator[np.ndarray]:
        for maker in range(makers):
            yield _shingles(folder).take(maker, LAID[:1], share)[0]

    sizes = []
    for hashes in own():
        bloom.insert(hashes)
        sizes.append(len(hashes))
    _answers(folder).put(share, np.array(sizes), map(bloom.seen_again, own()))
    return [bloom.false_positive_rate()]


def _screen_part(stage: Stage, shares: int, index: int) -> list[tuple[int, int]]:
    """Write what the answers say of the texts of one part."""
    counted = pl.read_ipc(fetch(_counted(stage, index)))
    (text,) = _shingles(stage.path).take(index, LAID)[1:]
    again = [_answers(stage.path).take(share, [np.bool_], index)[0] for share in range(shares)]
    shared = np.bincount(text[np.concatenate(again)], minlength=2 * counted.height).reshape(2, -1).astype(np.int32)
    answered = counted.with_columns(shared=shared[0], short_shared=shared[1])
    screened = _screen(answered, stage.run.parameters.prescreen)
    stage.write(index, screened)
    discard(_counted(stage, index))
    return [(int(screened["in_play"].sum()), screened.height)]


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


def _screen(counted: pl.DataFrame, bounds: Prescreen) -> pl.DataFrame:
    share = bounds.min_shared_short
    as_words = pl.col("shared") >= pl.min_horizontal(pl.lit(bounds.min_shared), "shingles")
    as_characters = pl.col("shared") >= pl.col("shingles") * share
    in_words = pl.when("by_characters").then(as_characters).otherwise(as_words) & (pl.col("shared") > 0)
    in_short = (pl.col("short_shared") >= pl.col("short_shingles") * share) & (pl.col("short_shared") > 0)
    return counted.select("doc", "shingles", "shared", in_play=in_words | in_short)
