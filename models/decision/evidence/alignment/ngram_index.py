"""N-gram index of a batch of documents: which runs of words stand once on both sides of a pair.

A run that is repeated knows where it stood before and where it stands next, so that "once" can be asked of any passage.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import GOLDEN
from models.kernels.jit import kernel
from models.kernels.probe import NOWHERE, probe_indices, slot_bits

_NONE = np.int32(NOWHERE)
_NEVER = np.int32(2**31 - 1)


class Runs(NamedTuple):
    """Runs of `size` words; the one from word w on stands at w. Places are counted within the document.

    Attributes:
        hash: uint64[w]; nothing at the last `size - 1` words of a document.
        before: int32[w], the place at which the same run begins for the last time before, or -1.
        after: int32[w], the place at which it begins next, or more than any document has words.
        first: int32[t], per document a hash table of the places at which its different runs begin first, or -1.
        tables: int64[n + 1], where the tables of the documents begin.
        size: words in a run.
    """

    hash: NDArray[np.uint64]
    before: NDArray[np.int32]
    after: NDArray[np.int32]
    first: NDArray[np.int32]
    tables: NDArray[np.int64]
    size: int


@kernel
def find_runs(words: NDArray[np.uint64], pointers: NDArray[np.int64], size: int) -> Runs:
    """Note every run of words.

    Args:
        words: uint64[w], hashes, well mixed.
        pointers: int64[n + 1], document d owns the words `pointers[d]:pointers[d + 1]`.
        size: words in a run, 1 or more.

    Returns:
        The runs of all documents.
    """
    grams = np.empty(len(words), np.uint64)
    before, after = np.full(len(words), _NONE), np.full(len(words), _NEVER)
    tables = np.zeros_like(pointers)
    for row in range(len(pointers) - 1):
        tables[row + 1] = tables[row] + (1 << slot_bits(pointers[row + 1] - pointers[row], 3))
    first = np.full(tables[-1], _NONE)
    runs = Runs(grams, before, after, first, tables, size)
    for row in range(len(pointers) - 1):
        base = pointers[row]
        for at in range(pointers[row + 1] - size - base, -1, -1):
            # Words are hashed already, so that an odd factor per place is enough.
            gram = words[base + at]
            for offset in range(1, size):
                gram = gram * GOLDEN + words[base + at + offset]
            grams[base + at] = gram
            slot = probe_indices(first, tables[row], tables[row + 1], grams, base, gram)
            later = first[slot]
            if later != _NONE:
                after[base + at], before[base + later] = later, at
            first[slot] = at
    return runs


@kernel
def once_in_both(
    runs: Runs, a_base: int, a0: int, a1: int, b_base: int, b0: int, b1: int, b_table: int, b_table_stop: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Runs that occur exactly once in a passage of each of two documents.

    Args:
        runs: of the batch.
        a_base: first word of the first document in the batch.
        a0: first word of the passage within that document; a1 is the word behind its last.
        a1: see a0.
        b_base: the same of the second document.
        b0: see b_base.
        b1: see b_base.
        b_table: where the table of the second document begins; b_table_stop is where it ends.
        b_table_stop: see b_table.

    Returns:
        int32[k] and int32[k], where each run begins in the first and in the second document, rising in the first.
    """
    a_stop, b_stop = a1 - runs.size + 1, b1 - runs.size + 1
    room = max(0, min(a_stop - a0, b_stop - b0))
    in_a, in_b = np.empty(room, np.int32), np.empty(room, np.int32)
    k, j = 0, b_stop
    for i in range(a0, a_stop):
        j += 1
        if runs.before[a_base + i] >= a0 or runs.after[a_base + i] < a_stop:
            continue
        gram = runs.hash[a_base + i]
        # Most runs follow one that was found, in both documents.
        if j >= b_stop or runs.hash[b_base + j] != gram:
            j = runs.first[probe_indices(runs.first, b_table, b_table_stop, runs.hash, b_base, gram)]
            while _NONE < j < b0:
                j = runs.after[b_base + j]
            if j == _NONE or j >= b_stop:
                j = b_stop
                continue
        if runs.before[b_base + j] < b0 and runs.after[b_base + j] >= b_stop:
            in_a[k], in_b[k] = i, j
            k += 1
    return in_a[:k], in_b[:k]
