"""Attention per word out of attention per token, and its entropy."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner, kernel


class Tokens(NamedTuple):
    """The t tokens of v windows, special tokens included.

    Attributes:
        ids: int32[t], vocabulary entries.
        start: int32[t], first code point of each token in its window's text.
        end: int32[t], one past the last.
        content: bool[t], False for the special tokens that frame a window.
        pointers: int64[v + 1], the tokens of window i are `pointers[i]:pointers[i + 1]`.
    """

    ids: NDArray[np.int32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    content: NDArray[np.bool_]
    pointers: NDArray[np.int64]


@kernel
def word_attention(
    token_attention: NDArray[np.float32],
    tokens: Tokens,
    window_text: NDArray[np.int64],
    window_offset: NDArray[np.int64],
    word_start: NDArray[np.int64],
    word_end: NDArray[np.int64],
    word_pointers: NDArray[np.int64],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give each word the mean attention of its tokens, scaled to mean 1 over the covered words of its text.

    A token that reaches over several words (an unknown string) counts for each of them.

    Args:
        token_attention: float32[t], `eq:agg_attn` per token.
        tokens: the tokens of v windows.
        window_text: int64[v], ascending, the text that a window is cut from.
        window_offset: int64[v], code point of that text at which the window begins.
        word_start: int64[w], as in `WordSpans`.
        word_end: int64[w], as in `WordSpans`.
        word_pointers: int64[n + 1], as in `WordSpans`.

    Returns:
        float32[w] attention per word, 0 where no token covers it; float32[n] entropy per text in nats (`eq:entropy`).
    """
    total = np.zeros(len(word_start), np.float64)
    count = np.zeros(len(word_start), np.int64)
    mass = np.zeros(len(word_pointers) - 1, np.float64)
    mass_log = np.zeros(len(word_pointers) - 1, np.float64)
    for window in range(len(window_text)):
        text, offset = window_text[window], window_offset[window]
        low, high = word_pointers[text], word_pointers[text + 1]
        word = low + np.searchsorted(word_end[low:high], offset, side="right")
        for t in range(tokens.pointers[window], tokens.pointers[window + 1]):
            if not tokens.content[t]:
                continue
            value = np.float64(token_attention[t])
            if value > 0:
                mass[text] += value
                mass_log[text] += value * np.log(value)
            while word < high and word_end[word] <= offset + tokens.start[t]:
                word += 1
            covered = word
            while covered < high and word_start[covered] < offset + tokens.end[t]:
                total[covered] += value
                count[covered] += 1
                covered += 1
    return _mean_one(total, count, word_pointers), _entropy(mass, mass_log)


@inner
def _mean_one(total: NDArray[np.float64], count: NDArray[np.int64], pointers: NDArray[np.int64]) -> NDArray[np.float32]:
    attention = np.zeros(len(total), np.float32)
    for text in range(len(pointers) - 1):
        covered, mass = 0, 0.0
        for word in range(pointers[text], pointers[text + 1]):
            if count[word]:
                covered += 1
                mass += total[word] / count[word]
        for word in range(pointers[text], pointers[text + 1]):
            if count[word]:
                attention[word] = total[word] / count[word] * covered / mass if mass > 0 else 1.0
    return attention


@inner
def _entropy(mass: NDArray[np.float64], mass_log: NDArray[np.float64]) -> NDArray[np.float32]:
    entropy = np.zeros(len(mass), np.float32)
    for text in range(len(mass)):
        if mass[text] > 0:
            entropy[text] = max(0.0, np.log(mass[text]) - mass_log[text] / mass[text])
    return entropy
