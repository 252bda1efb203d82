"""Encoder protocol: one vector per text, attention per word, entropy, from a few windows of each text."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.kernels.jit import kernel
from models.lexical.text import Normalised, Words, original_spans


class WordSpans(NamedTuple):
    """Where the words of a batch of n texts stand, w words in all.

    Attributes:
        start: int64[w], first code point of each word in its own original text.
        end: int64[w], one past its last code point.
        pointers: int64[n + 1], the words of text i are `pointers[i]:pointers[i + 1]`.
        hash: uint64[w], `Words.hash`.
    """

    start: NDArray[np.int64]
    end: NDArray[np.int64]
    pointers: NDArray[np.int64]
    hash: NDArray[np.uint64]


def word_spans(normalised: Normalised, words: Words) -> WordSpans:
    """Return where the words of n normalised texts stand in their originals."""
    return WordSpans(*original_spans(normalised, words.start, words.end), words.pointers, words.hash)


class Encoded(NamedTuple):
    """What an encoder says of n texts with w words in all.

    Attributes:
        vector: float32[n, d], unit length (zero for a text without a single token), `eq:embedding`.
        attention: float32[w], `eq:agg_attn` per word: mean 1 over the covered words of a text, 0 for a word that no
            token covers.
        entropy: float32[n], `eq:entropy` in nats over the covered tokens.
        windows: int32[n], windows that were read.
        skipped_words: int32[n], words that lie outside all windows or behind a window's token limit.
    """

    vector: NDArray[np.float32]
    attention: NDArray[np.float32]
    entropy: NDArray[np.float32]
    windows: NDArray[np.int32]
    skipped_words: NDArray[np.int32]


class Encoder(Protocol):
    """Turns texts into unit vectors; exchangeable by name.

    Attributes:
        name: which encoder this is.
        dimensions: d, length of a vector.
        fingerprint: changes whenever the same text may get another answer: weights, windows or precision.
    """

    name: str
    dimensions: int
    fingerprint: str

    def encode(self, texts: Sequence[str] | pl.Series, spans: WordSpans) -> Encoded:
        """Encode whole texts through windows.

        The answer for a text depends on that text alone, not on the others in the call or on the number of threads.

        Args:
            texts: n originals, of which not every encoder makes strings.
            spans: their words.
        """
        ...

    def embed(self, passages: list[str]) -> NDArray[np.float32]:
        """Encode short passages, each read from its beginning up to the token limit.

        Returns:
            float32[n, d], unit length.
        """
        ...


class Windows(NamedTuple):
    """The v windows that are read of a batch of texts, in the order of the texts.

    Attributes:
        text: int64[v], which text.
        first: int64[v], first word, counted over the whole batch; equal to `last` where the text has no words.
        last: int64[v], one past the last word.
    """

    text: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]


@kernel
def cut_windows(pointers: NDArray[np.int64], words: int, most: int) -> Windows:
    """Cut each text into at most `most` windows of at most `words` words.

    A text that fits is cut into as few windows as possible, of equal size to one word; of a longer one, full windows
    are read at even distances, the first at its beginning and the last at its end. A text without words has one
    empty window.
    """
    texts = len(pointers) - 1
    text = np.empty(texts * most, np.int64)
    first = np.empty(texts * most, np.int64)
    last = np.empty(texts * most, np.int64)
    total = 0
    for i in range(texts):
        begin, size = pointers[i], pointers[i + 1] - pointers[i]
        count = max(1, min(most, -(-size // words)))
        for k in range(count):
            if size <= count * words:
                low, high = size * k // count, size * (k + 1) // count
            else:
                low = (size - words) * k // max(1, count - 1)
                high = low + words
            text[total], first[total], last[total] = i, begin + low, begin + high
            total += 1
    return Windows(text[:total].copy(), first[:total].copy(), last[:total].copy())
