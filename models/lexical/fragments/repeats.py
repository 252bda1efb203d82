"""Repeats: the regions where a corpus can repeat itself, the pre-filter of the fragment search.

A suffix array is the costly part of fragment search, so it should see only text that can repeat. A passage of at least
`min_chars` code points in at least `min_hosts` documents consists of windows of half that length which all occur in
at least `min_hosts` documents. So: count the documents of every window in a hashed table, then keep the stretches in
which no window falls short. Nothing that repeats enough is lost; a hash collision only keeps more.

Two passes over the documents in the same order, a part at a time: `add` every part, then ask each for its `regions`.
Only every 2^s-th window is looked up, chosen by its content so that all its occurrences agree; at `min_chars` 60, where
s = 2, the table takes one to two bytes per code point of the corpus.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import ROLLING
from models.kernels.jit import inner, kernel
from models.lexical.text import Normalised, Words

SEPARATOR = np.uint32(0xFFFFFFFF)
"""Stands after every region; no code point is as large."""

MIX = np.uint64(0xD6E8FEB86659FD93)
BLOCK = 8192
MOST_HOSTS = 0xFFFF

_RULES = tuple(map(ord, "-*_=~"))
"""Signs of a rule, with which no passage begins or ends: some of its hosts set it off, and others do not."""
BEGIN, END = 1, 2
"""Bits of `Regions.edges`."""

SPACE = np.uint32(0x20)
CLOSING = np.array(sorted(map(ord, ".,;:!?)]}…»”’'\"。，、；：！？）」』】")), dtype=np.uint32)
"""Punctuation that belongs to what stands before it, unless that is a space."""
_CLOSES = np.isin(np.arange(int(CLOSING.max()) + 1), CLOSING)
ALONE = np.array(sorted(map(ord, ".,;:!?…»。，、；：！？")), dtype=np.uint32)
"""Punctuation that does so behind a space, too, amid a line: "à demain !", and texts whose signs stand apart."""
_ALONE = np.isin(np.arange(int(CLOSING.max()) + 1), ALONE)


Read = Callable[[], NDArray[Any]]
"""Gives back an array that was laid somewhere; nobody changes it."""

Lay = Callable[[Iterable[NDArray[Any]]], list[Read]]
"""Puts arrays where they take no memory, or leaves them there."""


def hold(arrays: Iterable[NDArray[Any]]) -> list[Read]:
    """Leave arrays in memory."""
    return [partial(_same, array) for array in arrays]


def _same(array: NDArray[Any]) -> NDArray[Any]:
    return array


class Regions(NamedTuple):
    """Stretches of normalised text that may repeat, flat, in document order, disjoint within a document.

    Attributes:
        codes: uint32[k], normalised code points, `SEPARATOR` after each region.
        origin: int32[k], the code point of the original that each position came from, relative to its document; at a
            separator, where the text after the region begins (where the original stops when nothing follows).
        edges: uint8[k], whether a passage may begin at this position (`BEGIN`) and end before it (`END`), also told at
            separators: no cut splits a word or what one code point of the original became, spaces stay outside, and so
            does punctuation that closes what stands before the passage.
        pointers: int64[r + 1], first position of each region.
        doc: int64[r], the document of each region, ascending.
        offset: int64[r], where each region begins in its document's normalised text.
    """

    codes: NDArray[np.uint32]
    origin: NDArray[np.int32]
    edges: NDArray[np.uint8]
    pointers: NDArray[np.int64]
    doc: NDArray[np.int64]
    offset: NDArray[np.int64]


class WindowCounts:
    """Count in how many documents each window of text occurs, by a hashed table of fixed size.

    Args:
        expected_chars: code points of the whole corpus, about; sets the memory: 4 bytes for three of four sampled
            windows. With more text than that nothing is lost, the filter is just less sharp.
        min_chars: shortest passage of interest, in normalised code points, at least 2.
        min_hosts: in how many different documents it must occur, 2 to 65535.
        most_bytes: bound of the memory.

    Raises:
        ValueError: for a bound out of range.
    """

    def __init__(self, expected_chars: int, min_chars: int, min_hosts: int, most_bytes: int = 1 << 34) -> None:
        if min_chars < 2 or not 2 <= min_hosts <= MOST_HOSTS:
            raise ValueError(f"min_chars {min_chars} must be >= 2 and min_hosts {min_hosts} within 2..65535")
        self.min_hosts = min_hosts
        self.min_chars = min_chars
        self.window = min_chars // 2
        # A stretch is kept when this many windows in a row do not fall short. Sampling lets windows pass unseen: with
        # seven samples expected in such a run, one run in a thousand passes by luck (e^-7).
        self.run = min_chars - self.window + 1
        self.skip_bits = max(0, int(math.log2(self.run / 7)))
        sampled = max(expected_chars, 1) >> self.skip_bits
        self.slots = min(1024 + 3 * sampled // 4, most_bytes // 4)
        self._table = np.empty(0, np.uint32)
        self._frequent = np.empty(0, np.uint8)
        self._documents = 0

    def add(self, normalised: Normalised, first_doc: int, weight: int = 1) -> None:
        """Count the windows of the next documents.

        Args:
            normalised: the documents of one part.
            first_doc: number of its first document; parts come in ascending order and no document spans two.
            weight: for how many documents each of them counts.

        Raises:
            ValueError: these documents come before some that were added, or regions were asked for already.
        """
        if first_doc < self._documents or len(self._frequent):
            raise ValueError(f"document {first_doc} after {self._documents} documents")
        if not len(self._table):
            self._table = np.empty(self.slots, np.uint32)
            self._table[:] = 0  # not `zeros`: they come without huge pages
        codes, pointers = normalised.codes, normalised.pointers
        bits, before = self.min_hosts.bit_length(), max(self._documents - 1, 0)
        _count(codes, pointers, first_doc, before, np.uint32(weight), self.window, self.skip_bits, bits, self._table)
        self._documents = first_doc + len(pointers) - 1

    def windows(self, normalised: Normalised) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Slots of the sampled windows of some documents, and the row of the document of each, in order."""
        slot, row = _slots_of(normalised.codes, normalised.pointers, self.window, self.skip_bits, self.slots)
        return slot, row

    def frequent(self, first: int, stop: int, several: Iterable[Sequence[NDArray[np.uint32]]]) -> NDArray[np.uint8]:
        """Count a range of slots by itself.

        Args:
            first: slot, a multiple of 8.
            stop: slot behind the last.
            several: what `windows` said of each part within the range, fewer than 2^32 documents in all.

        Returns:
            A bit for each slot, whether enough documents met it, and at least one for none.
        """
        bits = self.min_hosts.bit_length()
        counts, last = np.zeros((2, stop - first), np.uint32)
        seen = 1
        for slot, row in several:
            if len(row):
                _tally(slot, row, np.uint32(first), np.uint32(seen), np.uint32((1 << bits) - 1), last, counts)
                seen += int(row[-1]) + 1
        met: NDArray[np.uint8] = _frequent(counts, bits, self.min_hosts)
        return met

    def answer(self, frequent: NDArray[np.uint8]) -> None:
        """Take over what was counted elsewhere; then `regions` can be asked for."""
        self._frequent = frequent

    def close(self) -> None:
        """Give the counts up for what follows from them; before several threads ask for `regions`."""
        if not len(self._frequent):  # a bit for four bytes, so that the second pass stays in the caches
            self._frequent = _frequent(self._table, self.min_hosts.bit_length(), self.min_hosts)
            self._table = np.empty(0, np.uint32)

    def regions(self, normalised: Normalised, words: Words, first_doc: int) -> Regions:
        """Keep what may repeat in these documents, once all documents have been added; the counts are given up.

        Args:
            normalised: the documents of one part.
            words: their words, which say where a cut is allowed.
            first_doc: number of its first document.

        Returns:
            The regions, each at least `min_chars` long.
        """
        self.close()
        codes, pointers = normalised.codes, normalised.pointers
        row, start, end = _passing(codes, pointers, self.window, self.run, self.skip_bits, self.slots, self._frequent)
        bounds = np.zeros(len(row) + 1, dtype=np.int64)
        np.cumsum(end - start + 1, out=bounds[1:])
        size = bounds[-1]  # allocated here, since numpy asks the kernel for huge pages and numba does not
        found = Regions(
            np.empty(size, np.uint32), np.empty(size, np.int32), np.zeros(size, np.uint8),
            bounds, row + first_doc, start - pointers[row],
        )  # fmt: skip
        _gather(
            codes, normalised.origin, pointers, normalised.stops, normalised.line_breaks, words.start, words.end,
            row, start, end, bounds, found.codes, found.origin, found.edges,
        )  # fmt: skip
        return found


class Text(NamedTuple):
    """Code points of the regions of a batch.

    Attributes:
        begin: position of the first among those of all batches.
        codes: uint32[k], `SEPARATOR` after each region.
        pointers: int64[r + 1], first position of each region within the batch.
    """

    begin: int
    codes: NDArray[np.uint32]
    pointers: NDArray[np.int64]


class LaidBatch(NamedTuple):
    """Regions of one batch, laid somewhere.

    Attributes:
        size: code points with separators.
        weight: for how many documents each of the batch counts.
        codes, origin, edges, pointers, doc, offset: see `Regions`.
    """

    size: int
    weight: int
    codes: Read
    origin: Read
    edges: Read
    pointers: Read
    doc: Read
    offset: Read

    @classmethod
    def of(cls, regions: Regions, lay: Lay = hold, weight: int = 1) -> Self:
        """Lay the regions of a batch: what there is for each code point, and apart from it what is small."""
        codes, origin, edges = lay(regions[:3])
        pointers, doc, offset = lay(regions[3:])
        return cls(len(regions.codes), weight, codes, origin, edges, pointers, doc, offset)


class LaidRegions:
    """Regions of several batches one after another, read batch by batch.

    Args:
        batches: their regions, each let go before the next is asked for.
        lay: where arrays are put; the search lays down there, too, what it comes back to.

    Attributes:
        batches: list of `LaidBatch`.
        lay: the same.
        begin: int64[batches + 1], position of the first code point of each batch.
    """

    def __init__(self, batches: Iterable[LaidBatch], lay: Lay = hold) -> None:
        self.lay, self.batches = lay, list(batches)
        self.begin = np.cumsum([0, *(batch.size for batch in self.batches)], dtype=np.int64)

    def __len__(self) -> int:
        """Code points with separators."""
        return int(self.begin[-1])

    def pointers(self) -> NDArray[np.int64]:
        """Read int64[r + 1], the first position of each region."""
        moved = [batch.pointers()[1:] + begin for batch, begin in zip(self.batches, self.begin, strict=False)]
        return np.concatenate([np.zeros(1, np.int64), *moved])

    def texts(self) -> Iterator[Text]:
        """Read all batches."""
        yield from map(self.text, range(len(self.batches)))

    def text(self, index: int) -> Text:
        """Read one batch."""
        batch = self.batches[index]
        return Text(int(self.begin[index]), batch.codes(), batch.pointers())

    def shares(self, position: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64[batches + 1], where the positions of each batch begin among ascending ones."""
        return np.searchsorted(position, self.begin)


def repeated_regions(normalised: Normalised, words: Words, min_chars: int, min_hosts: int) -> Regions:
    """Make both passes over one batch that holds the whole corpus; see `WindowCounts`."""
    counts = WindowCounts(len(normalised.codes), min_chars, min_hosts)
    counts.add(normalised, 0)
    return counts.regions(normalised, words, 0)


@kernel
def _sampled(
    codes: NDArray[np.uint32],
    first: int,
    last: int,
    window: int,
    skip_bits: int,
    size: int,
    positions: NDArray[np.int64],
    slots: NDArray[np.int64],
) -> int:
    """Write the window starts in [first, last) that are sampled, with their slots; return how many."""
    limit = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(skip_bits)
    up, half = np.uint64(skip_bits), np.uint64(32)
    rolling, power = np.uint64(0), np.uint64(1)
    for i in range(first, first + window - 1):
        rolling = rolling * ROLLING + np.uint64(codes[i])
        power *= ROLLING
    found = 0
    for i in range(first, last):
        rolling = rolling * ROLLING + np.uint64(codes[i + window - 1])
        mixed = (rolling ^ (rolling >> np.uint64(32))) * MIX
        # Always written, kept by moving on: a branch taken at random costs more than the store.
        positions[found] = i
        slots[found] = (((mixed << up) >> half) * np.uint64(size)) >> half
        found += int(mixed <= limit)
        rolling -= power * np.uint64(codes[i])
    return found


@kernel
def _count(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    first_doc: int,
    before: int,
    weight: np.uint32,
    window: int,
    skip_bits: int,
    host_bits: int,
    table: NDArray[np.uint32],
) -> None:
    """A slot counts in its low bits and in the others remembers the last document that met it.

    Documents come in order, so each is counted once. When their names are used up all slots forget theirs.
    """
    positions, slots = np.empty(BLOCK + 1, np.int64), np.empty(BLOCK + 1, np.int64)
    most, names = np.uint32((1 << host_bits) - 1), (1 << (32 - host_bits)) - 1
    weight = min(weight, most)
    for d in range(len(pointers) - 1):
        doc = first_doc + d
        if doc // names != before // names:
            table &= most
        before = doc
        name = np.uint32((doc % names + 1) << host_bits)
        stop = pointers[d + 1] - window + 1
        for block in range(pointers[d], stop, BLOCK):
            last = min(block + BLOCK, stop)
            found = _sampled(codes, block, last, window, skip_bits, len(table), positions, slots)
            for i in range(found):
                entry = table[slots[i]]
                if entry ^ name > most:
                    table[slots[i]] = name | min(np.uint32((entry & most) + weight), most)


@kernel
def _slots_of(
    codes: NDArray[np.uint32], pointers: NDArray[np.int64], window: int, skip_bits: int, size: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    positions, slots = np.empty(BLOCK + 1, np.int64), np.empty(BLOCK + 1, np.int64)
    slot, row, filled = np.empty(len(codes), np.uint32), np.empty(len(codes), np.uint32), 0
    for d in range(len(pointers) - 1):
        stop = pointers[d + 1] - window + 1
        for block in range(pointers[d], stop, BLOCK):
            found = _sampled(codes, block, min(block + BLOCK, stop), window, skip_bits, size, positions, slots)
            for i in range(found):
                slot[filled], row[filled] = slots[i], d
                filled += 1
    return slot[:filled].copy(), row[:filled].copy()


@kernel
def _tally(
    slot: NDArray[np.uint32],
    row: NDArray[np.uint32],
    first: np.uint32,
    seen: np.uint32,
    most: np.uint32,
    last: NDArray[np.uint32],
    counts: NDArray[np.uint32],
) -> None:
    """Count the documents of each slot, up to `most`; those of one slot come in order, `seen` before them."""
    for i in range(len(slot)):
        here, name = slot[i] - first, seen + row[i]
        if last[here] != name:
            last[here] = name
            counts[here] = min(counts[here] + np.uint32(1), most)


@kernel
def _frequent(table: NDArray[np.uint32], host_bits: int, min_hosts: int) -> NDArray[np.uint8]:
    """One bit per slot: whether enough documents met it."""
    most = np.uint32((1 << host_bits) - 1)
    bits = np.zeros(len(table) // 8 + 1, np.uint8)
    for slot in range(len(table)):
        bits[slot >> 3] |= np.uint8((table[slot] & most >= min_hosts) << (slot & 7))
    return bits


@kernel
def _passing(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    window: int,
    run: int,
    skip_bits: int,
    size: int,
    frequent: NDArray[np.uint8],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Unite all runs of at least `run` windows without one that falls short: (row, start, end)."""
    positions, slots = np.empty(BLOCK + 1, np.int64), np.empty(BLOCK + 1, np.int64)
    bound = len(codes) // (run + window - 1) + 1  # regions are disjoint and no shorter than this
    row, start, end = np.empty(bound, np.int64), np.empty(bound, np.int64), np.empty(bound, np.int64)
    kept = 0
    for d in range(len(pointers) - 1):
        unbroken = pointers[d]
        first_of_document = kept
        stop = pointers[d + 1] - window + 1
        for block in range(pointers[d], stop, BLOCK):
            last = min(block + BLOCK, stop)
            found = _sampled(codes, block, last, window, skip_bits, size, positions, slots)
            short = 0
            for i in range(found):
                positions[short] = positions[i]
                short += 1 - ((frequent[slots[i] >> 3] >> (slots[i] & 7)) & 1)
            if last == stop:
                positions[short] = stop
                short += 1
            for i in range(short):
                if positions[i] - unbroken >= run:
                    if kept > first_of_document and end[kept - 1] >= unbroken:
                        kept -= 1
                    else:
                        row[kept], start[kept] = d, unbroken
                    end[kept] = positions[i] + window - 1
                    kept += 1
                unbroken = positions[i] + 1
    return row[:kept].copy(), start[:kept].copy(), end[:kept].copy()


@inner
def _rule_end(codes: NDArray[np.uint32], at: int, first: int, stop: int) -> int:
    """Where the rule ends in which this stands, as "---" or "=====" between two paragraphs; `at` if in none."""
    begin, end = at, at
    while begin > first and codes[begin - 1] == codes[at]:
        begin -= 1
    while end < stop and codes[end] == codes[at]:
        end += 1
    alone = (begin == first or codes[begin - 1] == SPACE) and (end == stop or codes[end] == SPACE)
    return end if alone and end - begin >= 2 and codes[at] in _RULES else at


@kernel
def _gather(
    codes: NDArray[np.uint32],
    origin: NDArray[np.int32],
    pointers: NDArray[np.int64],
    stops: NDArray[np.int32],
    line_breaks: NDArray[np.int64],
    word_start: NDArray[np.int64],
    word_end: NDArray[np.int64],
    row: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    bounds: NDArray[np.int64],
    kept: NDArray[np.uint32],
    kept_origin: NDArray[np.int32],
    edges: NDArray[np.uint8],
) -> None:
    for r in range(len(row)):
        first, stop, shift = pointers[row[r]], pointers[row[r] + 1], bounds[r] - start[r]
        last = end[r] + shift
        kept[bounds[r] : last] = codes[start[r] : end[r]]
        kept[last] = SEPARATOR
        kept_origin[bounds[r] : last] = origin[start[r] : end[r]]
        kept_origin[last] = origin[end[r]] if end[r] < stop else stops[row[r]]
        w = int(np.searchsorted(word_end, start[r], side="right"))
        p = start[r]
        while p <= end[r]:  # from one end of a word to the beginning of the next
            outside = w == len(word_end) or word_start[w] >= p
            rule_end = _rule_end(codes, p, first, stop) if outside and (p == start[r] or codes[p - 1] == SPACE) else p
            if rule_end > p:
                p = rule_end + 1  # edges are 0 here
                continue
            if outside and not (first < p < stop and origin[p] == origin[p - 1]):
                behind_space = p == first or codes[p - 1] == SPACE
                edge = 0 if behind_space else END
                closes = False
                if p < stop and codes[p] < len(_CLOSES):
                    alone = (p + 1 == stop or codes[p + 1] == SPACE) and p > first
                    if behind_space and alone and _ALONE[codes[p]]:
                        line = np.searchsorted(line_breaks, p)
                        closes = line == len(line_breaks) or line_breaks[line] != p
                    elif not behind_space:
                        closes = _CLOSES[codes[p]]
                if p < stop and codes[p] != SPACE and not closes:
                    edge |= BEGIN
                edges[p + shift] = edge
            if w < len(word_end) and word_start[w] <= p:
                p = max(word_end[w], p + 1)
                w += 1
            else:
                p += 1
