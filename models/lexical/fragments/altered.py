"""Altered copies of passages: stretches of text that differ from a passage in a few words that say nothing.

What makes a copy of a changed passage is that nothing is lost with it: a word that the passage lacks has to be a
function word, and none that the passage has and the copy lacks may turn round what it says, as "not" and "only" do.
Of a long passage one word may stand in place of another that says something else, if neither is a fact: "on this
site" is "on this page", but not "on these two pages".
"""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from models.kernels.hash_set import holds
from models.kernels.jit import kernel, lean
from models.kernels.probe import FREE, NOWHERE, probe, slot_bits
from models.lexical.sketch.shingles import hash_word_grams
from models.lexical.text import Words

SEED = 4
"""Words in a row that a copy has left unchanged somewhere."""
CHAIN = 16
"""Passages that are tried for one seed, at most."""
BAND = 4
"""Words that are put in or left out in a row, at most."""
WORDS_PER_CHANGE = 8
"""A copy of so many words may have one change, and one more for each further so many."""
OTHER_WORD = 2
"""Changes that a plain word counts for which stands in place of another."""
_SUBSTITUTED, _LEFT_OUT, _PUT_IN = 0, 1, 2
_FAR = np.int32(1 << 20)


class Passages(NamedTuple):
    """Words of passages; passage u owns `pointers[u]:pointers[u+1]`.

    Attributes:
        hash: uint64[w].
        seed: uint64[w], gram of `SEED` words that begins with each; 0 at the last ones.
        turning: bool[w], words whose absence would turn round what is said.
        pointers: int64[n+1].
    """

    hash: NDArray[np.uint64]
    seed: NDArray[np.uint64]
    turning: NDArray[np.bool_]
    pointers: NDArray[np.int64]

    @classmethod
    def of(cls, words: Words, turning: NDArray[np.bool_]) -> Self:
        """Passages of the words of n texts."""
        return cls(words.hash, hash_word_grams(words, SEED), turning, words.pointers)


class Copies(NamedTuple):
    """Stretches of documents that are copies of passages, by document and first word.

    Attributes:
        passage: int64[c].
        first: int64[c], first word, counted over the batch.
        behind: int64[c], the word behind the last.
        changes: int64[c], words that differ; 0: the passage itself.
    """

    passage: NDArray[np.int64]
    first: NDArray[np.int64]
    behind: NDArray[np.int64]
    changes: NDArray[np.int64]


class Kinds(NamedTuple):
    """What the words of documents say.

    Attributes:
        light: a `hash_set` of words that say nothing by themselves.
        facts: a `hash_set` of words that may be facts, such as numbers, negations and units.
        plain: bool[w], words that may stand in place of another: no names, no numbers.
    """

    light: NDArray[np.uint64]
    facts: NDArray[np.uint64]
    plain: NDArray[np.bool_]


def altered_copies(words: Words, kinds: Kinds, passages: Passages) -> Copies:
    """Find copies of passages in documents, exact ones and altered ones; those that overlap are all told.

    Args:
        words: words of n documents.
        kinds: what they say.
        passages: what is looked for.
    """
    index = _index(passages.seed, CHAIN)
    return Copies(*_find(words.hash, words.pointers, kinds, hash_word_grams(words, SEED), *passages, *index))


@kernel
def _index(grams: NDArray[np.uint64], chain: int) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    keys = np.zeros(1 << slot_bits(len(grams), 4), np.uint64)
    first, length = np.full(len(keys), NOWHERE, np.int64), np.zeros(len(keys), np.uint8)
    after = np.full(len(grams), NOWHERE, np.int64)
    for at in range(len(grams) - 1, -1, -1):
        if grams[at] == FREE:
            continue
        slot = probe(keys, grams[at], grams[at])
        if length[slot] < chain:
            keys[slot], after[at] = grams[at], first[slot]
            first[slot] = at
            length[slot] += 1
    return keys, first, after


@kernel
def _find(
    hash: NDArray[np.uint64],
    pointers: NDArray[np.int64],
    kinds: Kinds,
    seeds: NDArray[np.uint64],
    wanted: NDArray[np.uint64],
    _: NDArray[np.uint64],
    turning: NDArray[np.bool_],
    bounds: NDArray[np.int64],
    keys: NDArray[np.uint64],
    first: NDArray[np.int64],
    after: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    owner = np.empty(len(wanted), np.int64)
    for u in range(len(bounds) - 1):
        owner[bounds[u] : bounds[u + 1]] = u
    # Of each passage: up to which word it was looked for from which place on, and where its last copy ends.
    looked, looked_at = np.zeros(len(bounds), np.int64), np.full(len(bounds), NOWHERE, np.int64)
    copied = np.zeros(len(bounds), np.int64)
    longest = np.diff(bounds).max() if len(bounds) > 1 else 0
    steps, cost = np.empty((longest + 1, 2 * BAND + 1), np.uint8), np.empty((2, 2 * BAND + 1), np.int32)
    found, room = np.empty((4, 1024), np.int64), 0
    for row in range(len(pointers) - 1):
        for p in range(pointers[row], pointers[row + 1]):
            if seeds[p] == FREE:
                continue
            at = first[probe(keys, seeds[p], seeds[p])]
            while at != NOWHERE:
                u = owner[at]
                begin = p - (at - bounds[u])
                if p >= copied[u] and (p >= looked[u] or begin != looked_at[u]):
                    looked[u], looked_at[u] = begin + bounds[u + 1] - bounds[u], begin
                    start, behind, changes = _aligned(
                        hash[pointers[row] : pointers[row + 1]],
                        Kinds(kinds.light, kinds.facts, kinds.plain[pointers[row] : pointers[row + 1]]),
                        wanted[bounds[u] : bounds[u + 1]],
                        turning[bounds[u] : bounds[u + 1]],
                        begin - pointers[row],
                        cost,
                        steps,
                    )
                    if changes >= 0:
                        copied[u] = behind + pointers[row]
                        if room == found.shape[1]:
                            found = np.concatenate((found, np.empty((4, room), np.int64)), 1)
                        found[0, room], found[1, room] = u, start + pointers[row]
                        found[2, room], found[3, room] = behind + pointers[row], changes
                        room += 1
                at = after[at]
    return found[0, :room].copy(), found[1, :room].copy(), found[2, :room].copy(), found[3, :room].copy()


@lean
def _exchange(kinds: Kinds, text: NDArray[np.uint64], word: int) -> np.int32:
    """Changes that a word counts for which stands in place of another."""
    if holds(kinds.light, text[word]):
        return np.int32(1)
    return np.int32(OTHER_WORD) if kinds.plain[word] and not holds(kinds.facts, text[word]) else _FAR


@lean
def _aligned(
    text: NDArray[np.uint64],
    kinds: Kinds,
    passage: NDArray[np.uint64],
    turning: NDArray[np.bool_],
    begin: int,
    cost: NDArray[np.int32],
    steps: NDArray[np.uint8],
) -> tuple[int, int, int]:
    """First word, word behind the last and number of changes of the copy that begins about there; -1: it is none."""
    size = len(passage)
    limit = np.int32(size // WORDS_PER_CHANGE)
    for d in range(2 * BAND + 1):
        here = begin + d - BAND
        cost[0, d] = 0 if 0 <= here <= len(text) else _FAR
    for i in range(1, size + 1):
        old, new = (i - 1) & 1, i & 1
        least = _FAR
        for d in range(2 * BAND + 1):
            behind = begin + i + d - BAND  # words of the text that are read by then
            best, step = _FAR, _SUBSTITUTED
            if 1 <= behind <= len(text):
                if passage[i - 1] == text[behind - 1]:
                    best = cost[old, d]
                elif cost[old, d] < limit and not turning[i - 1]:
                    best = cost[old, d] + _exchange(kinds, text, behind - 1)
            if d < 2 * BAND and not turning[i - 1]:
                # where the last word is missing the next one took its place, if it can have
                replaced = i == size and 0 <= behind < len(text) and _exchange(kinds, text, behind) == OTHER_WORD
                less = cost[old, d + 1] + np.int32(1 + OTHER_WORD * replaced)
                if less < best:
                    best, step = less, _LEFT_OUT
            cheaper = d > 0 and 1 <= behind <= len(text) and cost[new, d - 1] < min(limit, best - 1)
            if cheaper and holds(kinds.light, text[behind - 1]):
                best, step = cost[new, d - 1] + np.int32(1), _PUT_IN
            cost[new, d], steps[i, d] = best, step
            least = min(least, best)
        if least > limit:
            return 0, 0, -1
    d, changes = BAND, cost[size & 1, BAND]
    for apart in range(1, BAND + 1):  # of equal ends that which leaves no word behind that took the place of another
        for other in (BAND + apart, BAND - apart):
            if cost[size & 1, other] < changes:
                d, changes = other, cost[size & 1, other]
    if changes > limit:
        return 0, 0, -1
    i, last = size, begin + size + d - BAND
    while i > 0:
        step = steps[i, d]
        if step == _PUT_IN:
            d -= 1
            continue
        if step == _LEFT_OUT:
            d += 1
        i -= 1
    return begin + d - BAND, last, int(changes)
