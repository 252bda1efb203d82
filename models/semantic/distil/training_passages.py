"""Passages to learn from: sentences, and windows of many lengths, drawn from documents."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.kernels.jit import kernel
from models.lexical.text import normalise, original_spans, split_words
from models.lexical.text.words import SENTENCE

SENTENCES, WINDOWS = 0.6, 0.3
"""Shares of passages that are a sentence, and that are a short window; the rest are long windows."""

SHORTEST, LONGEST_SENTENCE, LONGEST = 4, 40, 96
"""Words."""


def draw(texts: pl.Series, wanted: NDArray[np.float64], seed: int) -> pl.DataFrame:
    """Draw passages from documents.

    Args:
        texts: n documents.
        wanted: float64[n], passages expected of each.
        seed: of all choices.

    Returns:
        `row` (which document), `text` (the passage as it stands in the original); documents without four words in a
        row give none.
    """
    normalised = normalise(texts)
    words = split_words(normalised)
    random = np.random.default_rng(seed)
    size = np.diff(words.pointers)
    count = np.where(size >= SHORTEST, random.poisson(wanted), 0)
    document = np.repeat(np.arange(len(texts)), count)
    at = words.pointers[document] + (random.random(len(document)) * size[document]).astype(np.int64)
    form, share = random.random((2, len(document)))
    first, last = _place(words.flags, words.pointers, document, at, form, share)
    start, end = original_spans(normalised, words.start, words.end)
    row = pl.Series("row", document)
    drawn = pl.DataFrame({"row": row, "start": start[first], "length": end[last - 1] - start[first], "seen": at})
    return drawn.with_columns(text=texts[row]).select(
        "row", text=pl.col("text").str.slice(pl.col("start"), pl.col("length"))
    )


@kernel
def _place(
    flags: NDArray[np.uint8],
    pointers: NDArray[np.int64],
    document: NDArray[np.int64],
    at: NDArray[np.int64],
    form: NDArray[np.float64],
    share: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Word spans: the sentence around `at`, or a window from it on."""
    first, last = at.copy(), at.copy()
    for k in range(len(at)):
        begin, stop = pointers[document[k]], pointers[document[k] + 1]
        if form[k] < SENTENCES:
            while first[k] > begin and at[k] - first[k] < LONGEST_SENTENCE // 2 and not flags[first[k]] & SENTENCE:
                first[k] -= 1
            last[k] = first[k] + 1
            while last[k] < stop and last[k] - first[k] < LONGEST_SENTENCE:
                if flags[last[k]] & SENTENCE and last[k] - first[k] >= SHORTEST:
                    break
                last[k] += 1
        else:
            most = LONGEST_SENTENCE if form[k] < SENTENCES + WINDOWS else LONGEST
            least = SHORTEST if form[k] < SENTENCES + WINDOWS else LONGEST_SENTENCE
            last[k] = min(stop, first[k] + least + int(share[k] * (most - least + 1)))
        if last[k] - first[k] < SHORTEST:
            first[k] = max(begin, last[k] - SHORTEST)
    return first, last
