"""Coverage: grams along the words of a text, sets of grams, and the words that no other text covers.

A word is covered by a text if it stands in a gram of `GRAM` words that the text holds too: so many words in a row
hardly agree by chance. What no gram covers is what the text says alone.
"""

from typing import Self

import numpy as np

from models.kernels.jit import inlined, kernel
from models.kernels.probe import FREE, probe, slot_bits

Array = np.ndarray

GRAM = 5
"""Words of a gram that covers."""
_BITS = 4
_LOW = np.uint64(0xFFFFFFFF)
_SIX, _HALF, _WITHIN = np.uint64(6), np.uint64(32), np.uint64(63)


@kernel
def held_beside(grams: Array, pointers: Array, beside: Array) -> Array:
    """Which grams of each document another one of the batch holds.

    Args:
        grams: uint64[w] as `hash_word_grams` gives them.
        pointers: int64[n+1], document d owns `grams[pointers[d]:pointers[d+1]]`.
        beside: int64[n], the other document, or -1 for none. Neighbours with the same one are compared at one go.

    Returns:
        bool[w].
    """
    held = np.zeros(grams.size, np.bool_)
    other, keys, shift = np.int64(-1), np.zeros(16, np.uint64), np.uint64(60)
    for row in range(pointers.size - 1):
        if beside[row] < 0:
            continue
        if beside[row] != other:
            other = beside[row]
            theirs = grams[pointers[other] : pointers[other + 1]]
            bits = slot_bits(theirs.size, _BITS)
            keys, shift = np.zeros(1 << bits, np.uint64), np.uint64(64 - bits)
            for at in range(theirs.size):
                keys[probe(keys, theirs[at] >> shift, theirs[at])] = theirs[at]
        for at in range(pointers[row], pointers[row + 1]):
            held[at] = grams[at] != FREE and keys[probe(keys, grams[at] >> shift, grams[at])] == grams[at]
    return held


@kernel
def free_words(held: Array, pointers: Array, size: int = GRAM) -> Array:
    """Which words stand in no gram that is held.

    Args:
        held: bool[w], by the word that begins each gram.
        pointers: int64[n+1] of the documents.
        size: words per gram.

    Returns:
        bool[w].
    """
    free = np.ones(held.size, np.bool_)
    for row in range(pointers.size - 1):
        behind = pointers[row]
        for at in range(pointers[row], pointers[row + 1]):
            if held[at]:
                behind = min(at + size, pointers[row + 1])
            free[at] = at >= behind
    return free


@kernel
def runs_of(marked: Array, pointers: Array, least: int) -> tuple[Array, Array, Array]:
    """Runs of at least `least` marked words, none of them across two documents.

    Args:
        marked: bool[w].
        pointers: int64[n+1] of the documents.
        least: words of the shortest run, at least 1.

    Returns:
        int64[r] document, first word and word behind the last of each run, words counted over the batch.
    """
    room = marked.size // least + 1
    rows, firsts, behinds = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    count = 0
    for row in range(pointers.size - 1):
        first, stop = pointers[row], pointers[row + 1]
        while first < stop:
            behind = first
            while behind < stop and marked[behind]:
                behind += 1
            if behind - first >= least:
                rows[count], firsts[count], behinds[count] = row, first, behind
                count += 1
            first = behind + 1
    return rows[:count], firsts[:count], behinds[:count]


class GramSet:
    """A fixed set of grams, and which of them were met in other texts since.

    Takes 10 bytes for each of two to four places per gram. Most grams of texts that have nothing to do with the set are
    told by a bit of a filter that stays in the cache.
    """

    def __init__(self, grams: Array) -> None:
        """Hold grams: uint64[g], of which repetitions and 0 are left out."""
        bits = slot_bits(grams.size, _BITS)
        self._hold(np.zeros(1 << bits, np.uint64), np.zeros(1 << max(0, bits - 3), np.uint64))
        _fill(self._keys, self._shift, self._filter, grams)

    @classmethod
    def of(cls, keys: Array, bits: Array) -> Self:
        """The set whose `arrays` these are, of which nothing was met yet."""
        made = cls.__new__(cls)
        made._hold(keys, bits)
        return made

    def _hold(self, keys: Array, bits: Array) -> None:
        self._keys, self._filter = keys, bits
        self._shift = np.uint64(65 - len(keys).bit_length())
        self._met = np.zeros(len(keys), np.bool_)

    @property
    def arrays(self) -> dict[str, Array]:
        """What it holds, met or not, as `of` takes it."""
        return {"keys": self._keys, "bits": self._filter}

    @property
    def places(self) -> Array:
        """Where the grams stand that were met: int64[p], ascending."""
        return np.flatnonzero(self._met)

    def mark(self, places: Array) -> None:
        """Remember what another one of the same arrays met."""
        self._met[places] = True

    def meet(self, grams: Array) -> None:
        """Remember which of the grams of another text (uint64[w]) the set holds."""
        _meet(self._keys, self._shift, self._filter, self._met, grams)

    def met(self, grams: Array) -> Array:
        """Whether each gram (uint64[w]) is in the set and was met: bool[w]."""
        answers: Array = _were_met(self._keys, self._shift, self._met, grams)
        return answers


@inlined
def _bit(words: int, gram: np.uint64) -> tuple[int, np.uint64]:
    """Word and bit of the filter, from the low half of a hash: the places come from the high one."""
    at = ((gram & _LOW) * np.uint64(64 * words)) >> _HALF
    return int(at >> _SIX), np.uint64(1) << (at & _WITHIN)


@kernel
def _fill(keys: Array, shift: np.uint64, bits: Array, grams: Array) -> None:
    for gram in grams:
        if gram != FREE:
            keys[probe(keys, gram >> shift, gram)] = gram
            word, bit = _bit(bits.size, gram)
            bits[word] |= bit


@kernel
def _meet(keys: Array, shift: np.uint64, bits: Array, met: Array, grams: Array) -> None:
    for gram in grams:
        word, bit = _bit(bits.size, gram)
        if bits[word] & bit and gram != FREE:
            slot = probe(keys, gram >> shift, gram)
            if keys[slot] == gram:
                met[slot] = True


@kernel
def _were_met(keys: Array, shift: np.uint64, met: Array, grams: Array) -> Array:
    answers = np.zeros(grams.size, np.bool_)
    for at in range(grams.size):
        if grams[at] != FREE:
            slot = probe(keys, grams[at] >> shift, grams[at])
            answers[at] = keys[slot] == grams[at] and met[slot]
    return answers
