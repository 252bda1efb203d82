"""The student encoder: words looked up in a table, one query of attention, a small layer into the teacher's space.

It reads words, not sub-words, and does nothing but table rows and sums in one fixed order: the same text has the same
vector on every machine, in every batch, on any number of threads.
"""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.kernels.jit import compiled, inner, kernel, lean
from models.kernels.products import BLOCK, add_products
from models.lexical.text import normalise, split_words
from models.semantic.encoder.encoder import Encoded, WordSpans, cut_windows
from models.semantic.encoder.vocabulary import Vocabulary, vocabulary

VERSION = 2
"""Raised when the same weights may give other answers."""

LANES = 16
"""Partial sums of a scalar product: float sums are not reordered by the compiler, so they are laid out for it."""

STEPS = 8
"""Of `LANES` at a time: so few, and known beforehand, that the partial sums stay in registers meanwhile."""

WINDOWS_PER_TASK = 512


class Weights(NamedTuple):
    """What is learned; V words, B buckets, width d, h inner units, vectors of length k.

    Attributes:
        words: uint64[V], `Words.hash` of the frequent words.
        table: int8[V + B, d], word vectors in steps of `scale`.
        scale: float32[V + B].
        salience: float32[V + B], log weight of a word before it is seen in context.
        query: float32[d, d].
        straight: float32[d, k].
        inner_weight: float32[d, h]; inner_bias: float32[h].
        inner_bias: see inner_weight.
        outer_weight: float32[h, k]; outer_bias: float32[k].
        outer_bias: see outer_weight.
    """

    words: NDArray[np.uint64]
    table: NDArray[np.int8]
    scale: NDArray[np.float32]
    salience: NDArray[np.float32]
    query: NDArray[np.float32]
    straight: NDArray[np.float32]
    inner_weight: NDArray[np.float32]
    inner_bias: NDArray[np.float32]
    outer_weight: NDArray[np.float32]
    outer_bias: NDArray[np.float32]


def quantise(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Store vectors as int8 in steps of a 127th of each one's largest component; int8[n, d] and float32[n] steps."""
    scale = np.maximum(np.abs(table).max(1), 1e-12) / 127
    return np.rint(table / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def word_table(weights: Weights) -> NDArray[np.float32]:
    """Return the word vectors, float32[V + B, d], as the student sees them."""
    table: NDArray[np.float32] = weights.table * weights.scale[:, None]
    return table


class Student:
    """`Encoder` by word vectors distilled from the teacher (`eq:distill`).

    Args:
        weights: what was learned.
        window_words: words per window.
        max_windows: windows read per text.
        threads: tasks at once; has no say in the answer.
    """

    name = "student"

    def __init__(self, weights: Weights, *, window_words: int = 96, max_windows: int = 32, threads: int = 1) -> None:
        self.weights = weights
        self.window_words, self.max_windows, self.threads = window_words, max_windows, threads
        self.dimensions = weights.straight.shape[1]
        self.vocabulary: Vocabulary = vocabulary(weights.words, len(weights.table) - len(weights.words))
        digest = hashlib.sha256(repr((VERSION, window_words, max_windows)).encode())
        for tensor in weights:
            digest.update(np.ascontiguousarray(tensor).data)
        self.fingerprint = f"{self.name}-{digest.hexdigest()[:16]}"

    def encode(self, texts: Sequence[str] | pl.Series, spans: WordSpans) -> Encoded:
        """See `Encoder.encode`; the words' hashes are all that is read of the texts."""
        windows = cut_windows(spans.pointers, self.window_words, self.max_windows)
        rows = self.vocabulary.rows(spans.hash)
        pooled = np.zeros((len(windows.text), self.dimensions), np.float32)
        attention = np.zeros(len(rows), np.float32)

        def work(first: int) -> None:
            chosen = slice(first, first + WINDOWS_PER_TASK)
            _read(rows, windows.first[chosen], windows.last[chosen], self.weights, pooled[chosen], attention)

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, range(0, len(pooled), WINDOWS_PER_TASK)))
        vector, entropy, covered = _gather(pooled, *windows, attention, spans.pointers)
        count = np.bincount(windows.text, minlength=len(texts)).astype(np.int32)
        return Encoded(vector, attention, entropy, count, np.diff(spans.pointers).astype(np.int32) - covered)

    def embed(self, passages: list[str]) -> NDArray[np.float32]:
        """See `Encoder.embed`; reads whole passages up to `max_windows`."""
        words = split_words(normalise(pl.Series(passages, dtype=pl.String)))
        return self.encode(passages, WordSpans(words.start, words.end, words.pointers, words.hash)).vector


@kernel
def _read(
    rows: NDArray[np.int32],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    weights: Weights,
    pooled: NDArray[np.float32],
    attention: NDArray[np.float32],
) -> None:
    """Fill the vector of each window (not of unit length) and the attention of its words (sum 1 per window)."""
    table, scale, salience = weights.table, weights.scale, weights.salience
    width = table.shape[1]
    root = np.float32(np.sqrt(width))
    mean, asked = np.empty((BLOCK, width), np.float32), np.empty((BLOCK, width), np.float32)
    inner, partial = np.empty((BLOCK, len(weights.inner_bias)), np.float32), np.empty(LANES, np.float32)
    for begin in range(0, len(first), BLOCK):
        block = slice(begin, min(begin + BLOCK, len(first)))
        size = block.stop - begin
        for w in range(size):
            words = rows[first[begin + w] : last[begin + w]]
            _pool(words, _softmax(salience[words]), table, scale, mean[w])
        asked[:] = 0
        add_products(mean[:size], weights.query, asked[:size])
        for w in range(size):
            words = rows[first[begin + w] : last[begin + w]]
            share = attention[first[begin + w] : last[begin + w]]
            _attend(words, asked[w], table, scale, salience, root, partial, share)
            share[:] = _softmax(share)
            _pool(words, share, table, scale, mean[w])
        inner[:] = weights.inner_bias
        add_products(mean[:size], weights.inner_weight, inner[:size])
        for w in range(size):
            _gelu(inner[w])
        pooled[block] = weights.outer_bias
        add_products(mean[:size], weights.straight, pooled[block])
        add_products(inner[:size], weights.outer_weight, pooled[block])
        for w in range(begin, block.stop):
            if first[w] == last[w]:
                pooled[w] = 0


@compiled(error_model="numpy")
def _gelu(units: NDArray[np.float32]) -> None:
    """Replace each x by GELU(x), by the hyperbolic tangent as in training: x / (1 + exp(-2 u)).

    The exponential is a short series, squared eight times over: alike on every machine, which that of a library need
    not be, and of a form of which the compiler takes several at a time.
    """
    for k in range(len(units)):
        x = np.float64(units[k])
        z = min(max(-1.5957691216057308 * (x + 0.044715 * x * x * x), -30.0), 30.0) * (1 / 256)
        power = 1 + z * (1 + z * (1 / 2 + z * (1 / 6 + z * (1 / 24 + z * (1 / 120)))))
        for _ in range(8):
            power = power * power
        units[k] = np.float32(x / (1 + power))


@inner
def _softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    share = np.empty(len(scores), np.float32)
    if not len(scores):
        return share
    highest = scores.max()
    total = np.float32(0)
    for k in range(len(scores)):
        share[k] = np.exp(scores[k] - highest)
        total += share[k]
    return share / total


@lean
def _attend(
    words: NDArray[np.int32],
    asked: NDArray[np.float32],
    table: NDArray[np.int8],
    scale: NDArray[np.float32],
    salience: NDArray[np.float32],
    root: np.float32,
    partial: NDArray[np.float32],
    share: NDArray[np.float32],
) -> None:
    """Fill how much each word is attended to, before it is made a share: salience, and the fit to what is asked for."""
    for k in range(len(words)):
        fit = _dot(asked, table[words[k]], partial) * scale[words[k]]
        share[k] = salience[words[k]] + fit / root


@lean
def _pool(
    rows: NDArray[np.int32],
    share: NDArray[np.float32],
    table: NDArray[np.int8],
    scale: NDArray[np.float32],
    mean: NDArray[np.float32],
) -> None:
    """Mean of word vectors; four words at a time, added in their order, so that sums stay in registers."""
    mean[:] = 0
    whole = len(rows) // 4 * 4
    for k in range(0, whole, 4):
        r0, r1, r2, r3 = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        w0, w1 = share[k] * scale[r0], share[k + 1] * scale[r1]
        w2, w3 = share[k + 2] * scale[r2], share[k + 3] * scale[r3]
        for j in range(len(mean)):
            total = mean[j] + w0 * np.float32(table[r0, j])
            total += w1 * np.float32(table[r1, j])
            total += w2 * np.float32(table[r2, j])
            total += w3 * np.float32(table[r3, j])
            mean[j] = total
    for k in range(whole, len(rows)):
        weight = share[k] * scale[rows[k]]
        for j in range(len(mean)):
            mean[j] += weight * np.float32(table[rows[k], j])


@lean
def _dot(asked: NDArray[np.float32], vector: NDArray[np.int8], partial: NDArray[np.float32]) -> np.float32:
    """Scalar product; `partial` is room for `LANES` sums."""
    partial[:] = 0
    whole = len(asked) // (STEPS * LANES) * (STEPS * LANES)
    for first in range(0, whole, STEPS * LANES):
        for lane in range(LANES):
            held = partial[lane]
            for step in range(STEPS):
                at = first + step * LANES + lane
                held += asked[at] * np.float32(vector[at])
            partial[lane] = held
    for first in range(whole, len(asked), LANES):
        for lane in range(LANES):
            partial[lane] += asked[first + lane] * np.float32(vector[first + lane])
    total = np.float32(0)
    for lane in range(LANES):
        total += partial[lane]
    return total


@kernel
def _gather(
    pooled: NDArray[np.float32],
    window_text: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    attention: NDArray[np.float32],
    pointers: NDArray[np.int64],
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int32]]:
    """Vector, entropy and words inside windows per text; attention is scaled to mean 1 over those words."""
    texts = len(pointers) - 1
    vector = np.zeros((texts, pooled.shape[1]), np.float32)
    entropy, covered = np.zeros(texts, np.float32), np.zeros(texts, np.int32)
    for window in range(len(pooled)):
        text, size = window_text[window], last[window] - first[window]
        norm = np.sqrt((pooled[window].astype(np.float64) ** 2).sum())
        if norm > 0:
            vector[text] += pooled[window] * np.float32(size / norm)
        attention[first[window] : last[window]] *= np.float32(size)
        for share in attention[first[window] : last[window]]:
            entropy[text] -= share * np.log(max(share, np.float32(1e-30)))
        covered[text] += size
    for text in range(texts):
        norm = np.sqrt((vector[text].astype(np.float64) ** 2).sum())
        if norm > 0:
            vector[text] *= np.float32(1 / norm)
            entropy[text] = max(np.float32(0), np.float32(np.log(covered[text]) + entropy[text] / covered[text]))
    return vector, entropy, covered
