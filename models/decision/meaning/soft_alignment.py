"""Soft alignment: how well each word of a text is met by a word of another, and what is left over.

Late interaction as in ColBERT (Khattab and Zaharia 2020), over word vectors without context: each word's best match,
weighed by how rare the word is, both ways, and by sentence.
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.facts.lexicon import GROUPED, Lexicon, class_of, exclude
from models.decision.meaning.bags import MOST, RARE, Bags
from models.kernels.jit import counted, kernel, lean
from models.kernels.products import add_scaled, dot_rows

MET, CLOSE = 0.5, 0.75
"""Cosine of word vectors from which a word counts as met, and as said by another word of the same meaning."""
_SENTENCES = 48
"""Sentences of a text that are compared, from its beginning."""
_LEAST = np.float32(1.0)
"""Weight of a sentence from which it says something by itself."""

ALIGNED = (
    "cover", "met", "same", "worst_sentence", "unmet_sentences", "rarest_unmet", "unmet_names", "names", "lost",
    "worst_told", "told", "other_names",
)  # fmt: skip
"""What is told of either side; see `align`."""
BETWEEN = ("order", "opposites", "aligned_opposites", "swapped", "grouped")
"""What is told of the pair."""
WORDING = ("same", "names", "other_names", "order", "opposites", "grouped")
"""What of it hangs on spelling alone."""


def align(bags: Bags, vectors: NDArray[np.float32], a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.float32]:
    """Align the words of pairs.

    Args:
        bags: n texts.
        vectors: float32[V, d], unit word vectors by row.
        a: int64[p], one text of each pair.
        b: int64[p], the other.

    Returns:
        float32[p, 2 * 12 + 5], `ALIGNED` of a, of b, then `BETWEEN`. By weight of words: `cover`, the mean of the best
        matches; `met`, the share of those of `MET` and more; `same`, of those that stand in both. `worst_sentence`, the
        least cover of a sentence; `unmet_sentences`, the share of sentences of which not half is met; `rarest_unmet`,
        the largest weight that misses; `unmet_names` and `names`, how many; `lost`, the weight of all that is unmet.
        `worst_told` and `told`, the least and the mean cosine of a sentence's words, taken together, and those of the
        sentence of the other text that is nearest. `other_names`: names of which the other text has no word at all.
        `order`: how far the words that both have stand in the same order, -1 to 1. `opposites`: words of one text that
        exclude words of the other, which neither shares; `aligned_opposites`: of these, those that are each other's
        best match. `swapped`: weight of words that stand for one another and are neither close nor the same. `grouped`:
        words that one text alone has and that exclude others.
    """
    found: NDArray[np.float32] = _align(bags, vectors, a, b, bags.known)
    return found


def wording(bags: Bags, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.float32]:
    """Compare the words of pairs as they are spelt, without their vectors, which cost most.

    Args:
        bags: n texts.
        a: int64[p], one text of each pair.
        b: int64[p], the other.

    Returns:
        float32[p, 2 * 12 + 5], as `align` has it; only the columns `WORDING` say what they say there.
    """
    found: NDArray[np.float32] = _wording(bags, a, b, bags.known)
    return found


@kernel
def _wording(bags: Bags, a: NDArray[np.int64], b: NDArray[np.int64], known: Lexicon) -> NDArray[np.float32]:
    sides = len(ALIGNED)
    found = np.zeros((len(a), 2 * sides + len(BETWEEN)), np.float32)
    best, match = np.empty((2, MOST), np.float32), np.empty((2, MOST), np.int64)
    for pair in range(len(a)):
        i0, i1 = bags.pointers[a[pair]], bags.pointers[a[pair] + 1]
        j0, j1 = bags.pointers[b[pair]], bags.pointers[b[pair] + 1]
        _match_same(bags.hash[i0:i1], bags.hash[j0:j1], best, match)
        _side(bags, a[pair], best[0], found[pair, :sides])
        _side(bags, b[pair], best[1], found[pair, sides : 2 * sides])
        _between(bags, i0, i1, j0, j1, best, match, known, found[pair, 2 * sides :])
    return found


@lean
def _match_same(
    one: NDArray[np.uint64], other: NDArray[np.uint64], best: NDArray[np.float32], match: NDArray[np.int64]
) -> None:
    best[:], match[:] = 0, -1
    for i in range(len(one)):
        for j in range(len(other)):
            if one[i] == other[j]:
                best[0, i], match[0, i], best[1, j], match[1, j] = 1, j, 1, i
                break


@kernel
def _align(
    bags: Bags, vectors: NDArray[np.float32], a: NDArray[np.int64], b: NDArray[np.int64], known: Lexicon
) -> NDArray[np.float32]:
    sides = len(ALIGNED)
    found = np.zeros((len(a), 2 * sides + len(BETWEEN)), np.float32)
    width = vectors.shape[1]
    best = np.empty((2, MOST), np.float32)
    match = np.empty((2, MOST), np.int64)
    told, heavy = np.empty((2, _SENTENCES, width), np.float32), np.empty((2, _SENTENCES), np.float32)
    for pair in range(len(a)):
        i0, i1 = bags.pointers[a[pair]], bags.pointers[a[pair] + 1]
        j0, j1 = bags.pointers[b[pair]], bags.pointers[b[pair] + 1]
        near = dot_rows(_vectors_of(bags, vectors, i0, i1), _vectors_of(bags, vectors, j0, j1))
        _match(bags.hash[i0:i1], bags.hash[j0:j1], near, best, match)
        _side(bags, a[pair], best[0], found[pair, :sides])
        _side(bags, b[pair], best[1], found[pair, sides : 2 * sides])
        _between(bags, i0, i1, j0, j1, best, match, known, found[pair, 2 * sides :])
        in_a = _sentences(bags, vectors, a[pair], told[0], heavy[0])
        in_b = _sentences(bags, vectors, b[pair], told[1], heavy[1])
        near = dot_rows(told[0, :in_a], told[1, :in_b])
        _nearest(near, heavy[0], found[pair, :sides])
        _nearest(near.T, heavy[1], found[pair, sides : 2 * sides])
    return found


@counted
def _vectors_of(bags: Bags, vectors: NDArray[np.float32], first: int, stop: int) -> NDArray[np.float32]:
    """Word vectors of a text, zero where a word has none."""
    found = np.zeros((stop - first, vectors.shape[1]), np.float32)
    for at in range(first, stop):
        if bags.row[at] < len(vectors):
            found[at - first] = vectors[bags.row[at]]
    return found


@lean
def _match(
    one: NDArray[np.uint64],
    other: NDArray[np.uint64],
    near: NDArray[np.float32],
    best: NDArray[np.float32],
    match: NDArray[np.int64],
) -> None:
    """Fill the best match of each word in the other text; nothing is as near to a word as the word itself."""
    best[:], match[:] = 0, -1
    for i in range(len(one)):
        for j in range(len(other)):
            fit = np.float32(1) if one[i] == other[j] else min(near[i, j], np.float32(0.99))
            if fit > best[0, i]:
                best[0, i], match[0, i] = fit, j
            if fit > best[1, j]:
                best[1, j], match[1, j] = fit, i


@lean
def _side(bags: Bags, text: int, best: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    first, stop = bags.pointers[text], bags.pointers[text + 1]
    total = np.float32(1e-6)
    for at in range(first, stop):
        weight, near = bags.weight[at], best[at - first]
        total += weight
        out[0] += weight * near
        out[1] += weight * (near >= MET)
        out[2] += weight * (near == 1)
        out[5] = max(out[5], weight * (1 - near))
        out[6] += bags.name[at] and near < MET and weight >= RARE
        out[7] += bags.name[at]
        out[8] += weight * (near < MET)
        out[11] += bags.name[at] and near < 1 and weight >= RARE
    out[0] /= total
    out[1] /= total
    out[2] /= total
    out[3] = 1.0
    sentences = np.float32(0)
    begin, end = bags.said_pointers[text], bags.said_pointers[text + 1]
    mass, met, well = np.float32(0), np.float32(0), np.float32(0)
    for at in range(begin, end + 1):
        if at == end or bags.said[at] < 0:
            if mass >= _LEAST:
                sentences += 1
                out[3] = min(out[3], well / mass)
                out[4] += met < mass / 2
            mass, met, well = np.float32(0), np.float32(0), np.float32(0)
            continue
        weight, near = bags.weight[first + bags.said[at]], best[bags.said[at]]
        mass += weight
        well += weight * near
        met += weight * (near >= MET)
    if sentences:
        out[4] /= sentences


@lean
def _sentences(
    bags: Bags, vectors: NDArray[np.float32], text: int, told: NDArray[np.float32], heavy: NDArray[np.float32]
) -> int:
    """Fill the unit vector and the weight of each sentence that says something; returns how many there are."""
    first, begin, end = bags.pointers[text], bags.said_pointers[text], bags.said_pointers[text + 1]
    count = 0
    told[0], heavy[0] = 0, 0
    for at in range(begin, end + 1):
        if at == end or bags.said[at] < 0:
            if heavy[count] >= _LEAST:
                norm = np.float32(1e-9)
                for k in range(told.shape[1]):
                    norm += told[count, k] * told[count, k]
                norm = np.float32(1) / np.sqrt(norm)
                for k in range(told.shape[1]):
                    told[count, k] *= norm
                count += 1
            if count == _SENTENCES:
                break
            told[count], heavy[count] = 0, 0
            continue
        word = first + bags.said[at]
        heavy[count] += bags.weight[word]
        if bags.row[word] < len(vectors):
            add_scaled(vectors[bags.row[word]], bags.weight[word], told[count])
    return count


@lean
def _nearest(near: NDArray[np.float32], heavy: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    least, total, mass = np.float32(1), np.float32(0), np.float32(1e-6)
    for i in range(len(near)):
        nearest = np.float32(0)
        for j in range(near.shape[1]):
            nearest = max(nearest, near[i, j])
        least = min(least, nearest)
        total += heavy[i] * nearest
        mass += heavy[i]
    out[9], out[10] = least, total / mass


@lean
def _between(
    bags: Bags,
    i0: int,
    i1: int,
    j0: int,
    j1: int,
    best: NDArray[np.float32],
    match: NDArray[np.int64],
    known: Lexicon,
    out: NDArray[np.float32],
) -> None:
    agree, pairs = np.float32(0), np.float32(0)
    for i in range(i0, i1):
        if best[0, i - i0] < 1 or bags.weight[i] < RARE:
            continue
        for k in range(i + 1, i1):
            if best[0, k - i0] < 1 or bags.weight[k] < RARE:
                continue
            one, other = j0 + match[0, i - i0], j0 + match[0, k - i0]
            agree += 1 if bags.place[other] > bags.place[one] else -1
            pairs += 1
    out[0] = agree / pairs if pairs else 1.0
    for i in range(i0, i1):
        if best[0, i - i0] == 1:
            continue
        j = match[0, i - i0]
        if j >= 0 and match[1, j] == i - i0 and best[1, j] < CLOSE:
            out[3] += min(bags.weight[i], bags.weight[j0 + j]) * (1 - best[1, j])
        if class_of(known, bags.hash[i]) & GROUPED == 0:
            continue
        out[4] += 1
        for other in range(j0, j1):
            if best[1, other - j0] == 1 or class_of(known, bags.hash[other]) & GROUPED == 0:
                continue
            if exclude(known, bags.hash[i], bags.hash[other]):
                out[1] += 1
                out[2] += match[0, i - i0] == other - j0
    for j in range(j0, j1):
        out[4] += best[1, j - j0] < 1 and class_of(known, bags.hash[j]) & GROUPED != 0
