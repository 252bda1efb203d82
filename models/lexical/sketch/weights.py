"""Weights of shingles and words: attention times inverse document frequency (`eq:gram_weight`).

Document frequencies live in a hashed table of counters, so that memory stays fixed whatever the corpus. Shingles that
share a cell add up, which can only lower a weight.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import mix
from models.kernels.jit import compiled, inlined, kernel
from models.kernels.probe import probe_of, slot_bits

EPSILON = np.float32(1e-8)
"""Smallest weight of a shingle, the epsilon of `eq:weighted_minhash`."""

_RUN = 1024  # cells found at a time: after that nothing keeps the processor from asking memory for many of them at once
_TABULATED = 4096  # logarithms taken once per call: nearly every shingle is in fewer documents than this


@inlined
def _cell(hash: np.uint64, shift: np.uint64) -> np.uint64:
    # remixed, so that cells do not repeat the top bits by which shingles are sorted and sampled elsewhere
    cell: np.uint64 = mix(hash ^ np.uint64(0xD6E8FEB86659FD93)) >> shift
    return cell


@kernel
def cells(hash: NDArray[np.uint64], bits: int) -> NDArray[np.uint32]:
    """Map shingle hashes onto the cells of a document-frequency table.

    Args:
        hash: uint64[g].
        bits: log2 of the number of cells, 1 to 32.

    Returns:
        uint32[g] below 2**bits. The mapping is part of the stored format.
    """
    shift = np.uint64(64 - bits)
    result = np.empty(hash.size, np.uint32)
    for i in range(hash.size):
        result[i] = _cell(hash[i], shift)
    return result


def count_documents(table: NDArray[np.uint32], hash: NDArray[np.uint64]) -> None:
    """Add one to the cell of every shingle given, in place.

    Args:
        table: uint32[2**bits] of document counts.
        hash: uint64[g], distinct within each document, any number of documents one after the other.

    Raises:
        ValueError: the table's size is no power of two.
    """
    _count(table, hash, _bits(table))


def gram_weights(
    hash: NDArray[np.uint64],
    first_word: NDArray[np.int32],
    last_word: NDArray[np.int32],
    pointers: NDArray[np.int64],
    attention: NDArray[np.float32],
    word_pointers: NDArray[np.int64],
    table: NDArray[np.uint32],
    n_documents: int,
    use_attention: bool = True,
    use_idf: bool = True,
    idf_floor: float = 0.0,
) -> NDArray[np.float32]:
    """Weigh each shingle by the mean attention on its words times log((N + 1) / (df + 1)), `eq:gram_weight`.

    Args:
        hash: uint64[g], shingles of all documents.
        first_word: int32[g], first word of the shingle, relative to its document.
        last_word: int32[g], last word, inclusive; below `first_word` for a shingle that holds no word.
        pointers: int64[n + 1] into the shingles.
        attention: float32[w] of all documents' words, mean 1 over the words that an encoder saw; a word that it did not
            see stands at 0 and counts as 1, since nothing is known of it.
        word_pointers: int64[n + 1] into `attention`.
        table: uint32[2**bits], documents per cell.
        n_documents: N, the documents counted in `table`.
        use_attention: without it every word counts 1.
        use_idf: without it every shingle counts as rare.
        idf_floor: least IDF as a share of log(N + 1), 0 for the paper's form. Without a floor the text that most
            documents of a corpus share weighs nothing, and near-copies of it look unlike each other.

    Returns:
        float32[g], at least `EPSILON`: a shingle of every document adds nothing, and never a negative amount.

    Raises:
        ValueError: the table's size is no power of two, or a pointer array does not span its values.
    """
    if pointers[-1] != hash.size or (use_attention and word_pointers[-1] != attention.size):
        raise ValueError("pointers do not span the shingles or the words that they point into")
    weight = np.ones(hash.size, np.float32)
    if use_attention:
        _attend(weight, first_word, last_word, pointers, attention, word_pointers)
    return _discounted(weight, hash, table, n_documents, idf_floor) if use_idf else np.maximum(weight, EPSILON)


def word_weights(
    hash: NDArray[np.uint64],
    attention: NDArray[np.float32],
    table: NDArray[np.uint32],
    n_documents: int,
    use_idf: bool = True,
    idf_floor: float = 0.0,
) -> NDArray[np.float32]:
    """Weigh each word by its attention times log((N + 1) / (df + 1)): `eq:gram_weight` for a gram of one word.

    Arguments are as of `gram_weights`; the table must be one in which words were counted.

    Returns:
        float32[w], at least `EPSILON`.

    Raises:
        ValueError: the table's size is no power of two, or there is not one attention per word.
    """
    if attention.size != hash.size:
        raise ValueError(f"{attention.size} attentions for {hash.size} words")
    weight = np.where(attention > 0, attention, np.float32(1)).astype(np.float32)
    return _discounted(weight, hash, table, n_documents, idf_floor) if use_idf else weight


@kernel
def distinct_per_document(hash: NDArray[np.uint64], pointers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Drop repeated hashes within each document, for `count_documents`.

    Args:
        hash: uint64[g], well mixed.
        pointers: int64[n + 1].

    Returns:
        uint64[at most g]: each document's distinct hashes in order of first occurrence, documents in order.
    """
    longest = 1
    for d in range(pointers.size - 1):
        longest = max(longest, pointers[d + 1] - pointers[d])
    size = 1 << slot_bits(longest, 1)
    seen, owner = np.empty(size, np.uint64), np.full(size, -1, np.int64)
    result, kept = np.empty(hash.size, np.uint64), 0
    for d in range(pointers.size - 1):
        # a small document keeps to a small part of the set, which then stays in the nearest cache
        last = (1 << slot_bits(pointers[d + 1] - pointers[d], 1)) - 1
        for g in range(pointers[d], pointers[d + 1]):
            slot = probe_of(d, owner, seen, last, hash[g])
            if owner[slot] != d:
                owner[slot], seen[slot] = d, hash[g]
                result[kept] = hash[g]
                kept += 1
    return result[:kept]


def _bits(table: NDArray[np.uint32]) -> int:
    bits = int(table.size).bit_length() - 1
    if table.size != 1 << bits or not 1 <= bits <= 32:
        raise ValueError(f"a document-frequency table of {table.size} cells: expected a power of two from 2 to 2**32")
    return bits


@kernel
def _count(table: NDArray[np.uint32], hash: NDArray[np.uint64], bits: int) -> None:
    for low in range(0, hash.size, _RUN):
        cell = cells(hash[low : low + _RUN], bits)
        for i in range(cell.size):
            table[cell[i]] += np.uint32(1)


@compiled(error_model="numpy")
def _attend(
    weight: NDArray[np.float32],
    first_word: NDArray[np.int32],
    last_word: NDArray[np.int32],
    pointers: NDArray[np.int64],
    attention: NDArray[np.float32],
    word_pointers: NDArray[np.int64],
) -> None:
    # Sums up to each word make a mean two look-ups; they start anew with each document, so that its weights
    # do not depend on its neighbours in the batch.
    sums = np.zeros(np.diff(word_pointers).max() + 1 if pointers.size > 1 else 1, np.float64)
    for d in range(pointers.size - 1):
        start = word_pointers[d]
        words = word_pointers[d + 1] - start
        total = 0.0
        for i in range(words):
            seen = np.float64(attention[start + i])
            total += seen if seen > 0 else 1.0
            sums[i + 1] = total
        for g in range(pointers[d], pointers[d + 1]):
            first, after = first_word[g], last_word[g] + 1
            if 0 <= first < after <= words:
                weight[g] = np.float32((sums[after] - sums[first]) / (after - first))


def _discounted(
    weight: NDArray[np.float32], hash: NDArray[np.uint64], table: NDArray[np.uint32], n_documents: int, idf_floor: float
) -> NDArray[np.float32]:
    least = np.float32(idf_floor * np.log(n_documents + 1.0))
    logarithms = np.log((n_documents + 1.0) / np.arange(1.0, _TABULATED + 1)).astype(np.float32)
    _discount(weight, hash, table, _bits(table), n_documents, np.maximum(logarithms, least), least)
    return np.maximum(weight, EPSILON, out=weight)


@compiled(error_model="numpy")
def _discount(
    weight: NDArray[np.float32],
    hash: NDArray[np.uint64],
    table: NDArray[np.uint32],
    bits: int,
    n_documents: int,
    logarithms: NDArray[np.float32],
    least: np.float32,
) -> None:
    for low in range(0, hash.size, _RUN):
        cell = cells(hash[low : low + _RUN], bits)
        for i in range(cell.size):
            documents = np.int64(table[cell[i]])
            if documents < logarithms.size:
                weight[low + i] *= logarithms[documents]
            else:
                weight[low + i] *= max(least, np.float32(np.log((n_documents + 1.0) / (documents + 1.0))))
