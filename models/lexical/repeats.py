"""Where a corpus can repeat itself: the pre-filter of the fragment search.

A suffix array is the costly part of fragment search, so it should see only text that can repeat. A passage of at least
`min_chars` code points in at least `min_hosts` documents consists of windows of half that length which all occur in
at least `min_hosts` documents. So: count the documents of every window in a hashed table, then keep the stretches in
which no window falls short. Nothing that repeats enough is lost; a hash collision only keeps more.

Two passes over the documents in the same order, a part at a time: `add` every part, then ask each for its `regions`.
Only every 2^s-th window is looked up, chosen by its content so that all its occurrences agree; at `min_chars` 60, where
s = 2, the table takes one to two bytes per code point of the corpus. Where that is too much it is counted share by
share, with a first pass for each.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.lexical.text import Normalised, Words

SEPARATOR = np.uint32(0xFFFFFFFF)
"""Stands after every region; no code point is as large."""

BASE = np.uint64(0x9E3779B97F4A7C55)
MIX = np.uint64(0xD6E8FEB86659FD93)
BLOCK = 8192
HOST_BITS = np.uint64(16)
MOST_HOSTS = np.uint64(0xFFFF)

BEGIN, END = 1, 2
"""Bits of `Regions.edges`."""

SPACE = np.uint32(0x20)
CLOSING = np.array(sorted(map(ord, ".,;:!?)]}…»”’'\"。，、；：！？）」』】")), dtype=np.uint32)
"""Punctuation that belongs to what stands before it, unless that is a space."""
_CLOSES = np.isin(np.arange(int(CLOSING.max()) + 1), CLOSING)


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
        expected_chars: code points of the whole corpus, about; sets the memory (8 bytes per two sampled windows,
            rounded up to a power of two). With more text than that nothing is lost, the filter is just less sharp.
        min_chars: shortest passage of interest, in normalised code points, at least 2.
        min_hosts: in how many different documents it must occur, 2 to 65535.
        most_bytes: memory of a share of the table; `shares` says in how many it is counted. They change nothing else.

    Raises:
        ValueError: for a bound out of range.
    """

    def __init__(self, expected_chars: int, min_chars: int, min_hosts: int, most_bytes: int | None = None) -> None:
        if min_chars < 2 or not 2 <= min_hosts <= int(MOST_HOSTS):
            raise ValueError(f"min_chars {min_chars} must be >= 2 and min_hosts {min_hosts} within 2..65535")
        self.min_hosts = min_hosts
        self.min_chars = min_chars
        self.window = min_chars // 2
        # A stretch is kept when this many windows in a row do not fall short. Sampling lets windows pass unseen: with
        # seven samples expected in such a run, one run in a thousand passes by luck (e^-7).
        self.run = min_chars - self.window + 1
        self.skip_bits = max(0, int(math.log2(self.run / 7)))
        sampled = max(expected_chars, 1) >> self.skip_bits
        self.table_bits = max(10, (sampled // 2).bit_length())
        self.shares = 1
        while most_bytes and (8 << self.table_bits) // self.shares > max(most_bytes, 1 << 16):
            self.shares *= 2
        self._share = 0
        self._table = np.empty((1 << self.table_bits) // self.shares, np.uint64)  # not `zeros`: no huge pages
        self._table[:] = 0
        self._shares: list[NDArray[np.uint8]] = []
        self._frequent = np.empty(0, np.uint8)
        self._documents = 0

    def add(self, normalised: Normalised, first_doc: int, weight: int = 1, share: int = 0) -> None:
        """Count the windows of the next documents that fall in a share of the table.

        Args:
            normalised: the documents of one part.
            first_doc: number of its first document; parts come in ascending order and no document spans two.
            weight: for how many documents each of them counts.
            share: one of `shares`, the next one once all documents have been added to the last.

        Raises:
            ValueError: these documents come before some that were added, or regions were asked for already.
        """
        if len(self._frequent) or (share == self._share and first_doc < self._documents):
            raise ValueError(f"document {first_doc} after {self._documents} documents")
        if share == self._share + 1 < self.shares:
            self._end_share()
        if share != self._share:
            raise ValueError(f"share {share} after {self._share} of {self.shares}")
        codes, pointers = normalised.codes, normalised.pointers
        sampling = self.window, self.skip_bits, self.table_bits
        _count(codes, pointers, first_doc, np.uint64(weight), *sampling, share * len(self._table), self._table)
        self._documents = first_doc + len(pointers) - 1

    def _end_share(self) -> None:
        """Keep a bit for eight bytes, so that the second pass stays in the caches."""
        self._shares.append(_frequent(self._table, np.uint64(self.min_hosts)))
        self._table[:] = 0
        self._share, self._documents = self._share + 1, 0

    def regions(self, normalised: Normalised, words: Words, first_doc: int) -> Regions:
        """Keep what may repeat in these documents, once all documents have been added; the counts are given up.

        Args:
            normalised: the documents of one part.
            words: their words, which say where a cut is allowed.
            first_doc: number of its first document.

        Returns:
            The regions, each at least `min_chars` long.
        """
        if not len(self._frequent):
            self._end_share()
            self._frequent = np.concatenate(self._shares)
            self._table = np.empty(0, np.uint64)
        codes, pointers = normalised.codes, normalised.pointers
        row, start, end = _passing(
            codes, pointers, self.window, self.run, self.skip_bits, self.table_bits, self._frequent
        )
        bounds = np.zeros(len(row) + 1, dtype=np.int64)
        np.cumsum(end - start + 1, out=bounds[1:])
        size = bounds[-1]  # allocated here, since numpy asks the kernel for huge pages and numba does not
        found = Regions(
            np.empty(size, np.uint32), np.empty(size, np.int32), np.zeros(size, np.uint8),
            bounds, row + first_doc, start - pointers[row],
        )  # fmt: skip
        _gather(
            codes, normalised.origin, pointers, normalised.stops, words.start, words.end, row, start, end, bounds,
            found.codes, found.origin, found.edges,
        )  # fmt: skip
        return found


def join_regions(parts: list[Regions]) -> Regions:
    """Put the regions of several parts one after another."""
    lengths = np.array([0] + [len(part.codes) for part in parts], dtype=np.int64).cumsum()
    pointers = [part.pointers[:-1] + shift for part, shift in zip(parts, lengths, strict=False)]
    return Regions(
        codes=np.concatenate([np.empty(0, np.uint32), *(part.codes for part in parts)]),
        origin=np.concatenate([np.empty(0, np.int32), *(part.origin for part in parts)]),
        edges=np.concatenate([np.empty(0, np.uint8), *(part.edges for part in parts)]),
        pointers=np.concatenate([*pointers, lengths[-1:]]),
        doc=np.concatenate([np.empty(0, np.int64), *(part.doc for part in parts)]),
        offset=np.concatenate([np.empty(0, np.int64), *(part.offset for part in parts)]),
    )


def repeated_regions(normalised: Normalised, words: Words, min_chars: int, min_hosts: int) -> Regions:
    """Make both passes over one batch that holds the whole corpus; see `WindowCounts`."""
    counts = WindowCounts(len(normalised.codes), min_chars, min_hosts)
    counts.add(normalised, 0)
    return counts.regions(normalised, words, 0)


@njit(cache=True, nogil=True)
def _sampled(
    codes: NDArray[np.uint32],
    first: int,
    last: int,
    window: int,
    skip_bits: int,
    table_bits: int,
    positions: NDArray[np.int64],
    slots: NDArray[np.uint64],
) -> int:
    """Write the window starts in [first, last) that are sampled, with their slots; return how many."""
    limit = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(skip_bits)
    up, down = np.uint64(skip_bits), np.uint64(64 - table_bits)
    rolling, power = np.uint64(0), np.uint64(1)
    for i in range(first, first + window - 1):
        rolling = rolling * BASE + np.uint64(codes[i])
        power *= BASE
    found = 0
    for i in range(first, last):
        rolling = rolling * BASE + np.uint64(codes[i + window - 1])
        mixed = (rolling ^ (rolling >> np.uint64(32))) * MIX
        # Always written, kept by moving on: a branch taken at random costs more than the store.
        positions[found] = i
        slots[found] = (mixed << up) >> down
        found += int(mixed <= limit)
        rolling -= power * np.uint64(codes[i])
    return found


@njit(cache=True, nogil=True)
def _count(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    first_doc: int,
    weight: np.uint64,
    window: int,
    skip_bits: int,
    table_bits: int,
    base: int,
    table: NDArray[np.uint64],
) -> None:
    """Count the windows whose slots are among those of `table`, of which the first has the number `base`."""
    low, size = np.uint64(base), np.uint64(len(table))
    positions, slots = np.empty(BLOCK + 1, np.int64), np.empty(BLOCK + 1, np.uint64)
    for d in range(len(pointers) - 1):
        # A slot remembers the last document that met it: documents come in order, so each is counted once.
        name = np.uint64(first_doc + d + 1) << HOST_BITS
        stop = pointers[d + 1] - window + 1
        for block in range(pointers[d], stop, BLOCK):
            last = min(block + BLOCK, stop)
            found = _sampled(codes, block, last, window, skip_bits, table_bits, positions, slots)
            for i in range(found):
                slot = slots[i] - low  # of another share it wraps around or lies behind
                if slot >= size:
                    continue
                entry = table[slot]
                if entry ^ name > MOST_HOSTS:
                    table[slot] = name | min((entry & MOST_HOSTS) + weight, MOST_HOSTS)


@njit(cache=True, nogil=True)
def _frequent(table: NDArray[np.uint64], min_hosts: np.uint64) -> NDArray[np.uint8]:
    """One bit per slot: whether enough documents met it."""
    bits = np.zeros(len(table) // 8, np.uint8)
    for slot in range(len(table)):
        bits[slot >> 3] |= np.uint8((table[slot] & MOST_HOSTS >= min_hosts) << (slot & 7))
    return bits


@njit(cache=True, nogil=True)
def _passing(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    window: int,
    run: int,
    skip_bits: int,
    table_bits: int,
    frequent: NDArray[np.uint8],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Unite all runs of at least `run` windows without one that falls short: (row, start, end)."""
    positions, slots = np.empty(BLOCK + 1, np.int64), np.empty(BLOCK + 1, np.uint64)
    bound = len(codes) // (run + window - 1) + 1  # regions are disjoint and no shorter than this
    row, start, end = np.empty(bound, np.int64), np.empty(bound, np.int64), np.empty(bound, np.int64)
    kept = 0
    for d in range(len(pointers) - 1):
        unbroken = pointers[d]
        first_of_document = kept
        stop = pointers[d + 1] - window + 1
        for block in range(pointers[d], stop, BLOCK):
            last = min(block + BLOCK, stop)
            found = _sampled(codes, block, last, window, skip_bits, table_bits, positions, slots)
            short = 0
            for i in range(found):
                positions[short] = positions[i]
                short += 1 - ((frequent[slots[i] >> np.uint64(3)] >> np.uint8(slots[i] & np.uint64(7))) & 1)
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


@njit(cache=True, nogil=True)
def _gather(
    codes: NDArray[np.uint32],
    origin: NDArray[np.int32],
    pointers: NDArray[np.int64],
    stops: NDArray[np.int32],
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
            if outside and not (first < p < stop and origin[p] == origin[p - 1]):
                behind_space = p == first or codes[p - 1] == SPACE
                edge = 0 if behind_space else END
                if p < stop and codes[p] != SPACE:
                    if behind_space or codes[p] >= len(_CLOSES) or not _CLOSES[codes[p]]:
                        edge |= BEGIN
                edges[p + shift] = edge
            if w < len(word_end) and word_start[w] <= p:
                p = max(word_end[w], p + 1)
                w += 1
            else:
                p += 1
