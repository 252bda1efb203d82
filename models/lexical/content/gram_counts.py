"""Gram counts of a sample: in how many documents and groups of copies each stands, who holds it, what becomes of it."""

from typing import NamedTuple

import numpy as np

from models.kernels.hashing import mix
from models.kernels.jit import inlined, kernel
from models.kernels.probe import FREE, probe, slot_bits

Array = np.ndarray

SHARED, NOBODY = -2, -1
"""In place of a source: several hold the gram; none does yet."""
_PUBLISHED, _LOST = 1, 2
_BITS = 4


class _Table(NamedTuple):
    """Open addressing, at most half full.

    Of each gram the documents and the groups of copies that hold it, the last document and the first group, its source
    and what became of it.
    """

    keys: Array
    counts: Array
    groups: Array
    last: Array
    first_group: Array
    source: Array
    fate: Array


class GramCounts:
    """Counts the grams that a fixed sample takes of the texts of a corpus.

    The sample is by the hash of the gram alone (FracMinHash, Irber et al. 2022): every gram of the corpus has the same
    chance of one in `scale`, so that shares among the sampled are unbiased estimates of shares among all. `scale` 1 is
    exact. Takes 33 bytes for each of two to four places per sampled gram, and 8 for each of two to four per further
    group that holds one.
    """

    def __init__(self, scale: int) -> None:
        """Sample one gram in `scale`, a power of two."""
        if scale < 1 or scale & (scale - 1):
            raise ValueError(f"a sample of one gram in {scale}, which is no power of two")
        self.scale = scale
        self._mask = np.uint64(scale - 1)
        self._table, self._held, self._added = _empty(1 << _BITS), 0, 0
        self._met, self._meetings = np.zeros(1 << _BITS, np.uint64), 0

    def add(self, grams: Array, pointers: Array, weight: Array, source: Array, group: Array | None = None) -> None:
        """Count documents.

        Args:
            grams: uint64[w] along the words, 0 for none.
            pointers: int64[n+1] of the documents.
            weight: int32[n], how many documents have this text.
            source: int32[n], where they come from, from 0; `SHARED` if from several sources.
            group: uint64[n], the same number for copies of one text; None: no two are copies.
        """
        more = int(_sampled(grams, self._mask))
        self._grow(more)
        self._met = _grown(self._met, self._meetings + more)
        groups = np.arange(self._added, self._added + len(weight)).astype(np.uint64) if group is None else group
        given = (grams, pointers, weight, source, groups, self._added)
        held, meetings = _add(self._table, self._met, self._mask, *given)
        self._held += held
        self._meetings += meetings
        self._added += len(weight)

    def publish(self, grams: Array) -> None:
        """Mark the grams of a published text."""
        _mark(self._table, self._mask, grams, _PUBLISHED)

    def lose(self, grams: Array) -> None:
        """Mark the grams of a passage that no published text covers."""
        _mark(self._table, self._mask, grams, _LOST)

    def lost(self, least: int) -> tuple[int, int]:
        """Of the sampled grams that stand in at least so many documents: how many are not published, and how many."""
        common = (self._table.keys != FREE) & (self._table.counts >= least)
        return int((common & (self._table.fate & _PUBLISHED == 0)).sum()), int(common.sum())

    def lost_apart(self, least: int) -> tuple[int, int]:
        """The same of grams that stand in at least so many groups of copies.

        What fifty thousand copies of one text were stamped with is no text that many documents share.
        """
        common = (self._table.keys != FREE) & (self._table.groups >= least)
        return int((common & (self._table.fate & _PUBLISHED == 0)).sum()), int(common.sum())

    def by_source(self, sources: int) -> tuple[Array, Array]:
        """Of the sampled grams that only one source holds: int64[sources] in passages that are lost, and in all."""
        own = (self._table.keys != FREE) & (self._table.source >= 0)
        gone = own & (self._table.fate == _LOST)
        counts = (np.bincount(self._table.source[which], minlength=sources) for which in (gone, own))
        lost, held = counts
        return lost, held

    def _grow(self, more: int) -> None:
        room = 1 << slot_bits(self._held + more, _BITS)
        if room > len(self._table.keys):
            table = _empty(room)
            _copy(self._table, table)
            self._table = table


def sample(grams: Array, pointers: Array, scale: int) -> tuple[Array, Array]:
    """Of the grams of some texts those that are counted, and where those of each text begin then.

    Args:
        grams: uint64[w], 0 for none.
        pointers: int64[n+1] of the texts.
        scale: of `GramCounts`.
    """
    chosen = (grams & np.uint64(scale - 1) == FREE) & (grams != FREE)
    return grams[chosen], np.concatenate([[0], np.cumsum(chosen)])[pointers]


def _grown(met: Array, keys: int) -> Array:
    """A set with room for so many keys."""
    room = 1 << slot_bits(keys, _BITS)
    if room <= len(met):
        return met
    grown = np.zeros(room, np.uint64)
    _copy_keys(met, grown)
    return grown


def _empty(room: int) -> _Table:
    return _Table(
        np.zeros(room, np.uint64),
        np.zeros(room, np.int32),
        np.zeros(room, np.int32),
        np.full(room, -1, np.int32),
        np.zeros(room, np.uint64),
        np.full(room, NOBODY, np.int32),
        np.zeros(room, np.uint8),
    )


@kernel
def _sampled(grams: Array, mask: np.uint64) -> int:
    count = 0
    for gram in grams:
        count += (gram & mask == FREE) & (gram != FREE)
    return count


@inlined
def _place(keys: Array, gram: np.uint64) -> int:
    """The high bits choose the place: the low ones are the same for all that is sampled."""
    return int(probe(keys, gram >> np.uint64(32), gram))


@kernel
def _add(
    table: _Table,
    met: Array,
    mask: np.uint64,
    grams: Array,
    pointers: Array,
    weight: Array,
    source: Array,
    group: Array,
    added: int,
) -> tuple[int, int]:
    """Count each gram once a document and once a group; how many grams and how many further groups of them are new.

    A gram and a group that is not its first stand as one key in `met`.
    """
    held, meetings = 0, 0
    for row in range(weight.size):
        for at in range(pointers[row], pointers[row + 1]):
            gram = grams[at]
            if gram & mask != FREE or gram == FREE:
                continue
            slot = _place(table.keys, gram)
            if table.keys[slot] == FREE:
                table.keys[slot] = gram
                table.source[slot], table.first_group[slot], table.groups[slot] = source[row], group[row], 1
                held += 1
            if table.last[slot] != added + row:
                table.last[slot] = added + row
                table.counts[slot] += weight[row]
                if table.first_group[slot] != group[row]:
                    key = mix(gram ^ mix(group[row])) | np.uint64(1)
                    place = probe(met, key >> np.uint64(1), key)
                    new = met[place] == FREE
                    met[place] = key
                    table.groups[slot] += new
                    meetings += new
                if table.source[slot] != source[row]:
                    table.source[slot] = SHARED
    return held, meetings


@kernel
def _mark(table: _Table, mask: np.uint64, grams: Array, fate: int) -> None:
    for gram in grams:
        if gram & mask == FREE and gram != FREE:
            slot = _place(table.keys, gram)
            if table.keys[slot] == gram:
                table.fate[slot] |= fate


@kernel
def _copy(one: _Table, other: _Table) -> None:
    for at in range(one.keys.size):
        if one.keys[at] != FREE:
            slot = _place(other.keys, one.keys[at])
            other.keys[slot], other.counts[slot], other.last[slot] = one.keys[at], one.counts[at], one.last[at]
            other.source[slot], other.fate[slot] = one.source[at], one.fate[at]
            other.groups[slot], other.first_group[slot] = one.groups[at], one.first_group[at]


@kernel
def _copy_keys(one: Array, other: Array) -> None:
    for key in one:
        if key != FREE:
            other[probe(other, key >> np.uint64(1), key)] = key
