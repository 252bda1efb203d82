"""Words of a text of which something is told, as the original has them."""

import polars as pl

from models.lexical.text import normalise, original_spans, split_words


def told(tell, text: str) -> str:
    """The words that `tell(normalised, words)` marks."""
    normalised = normalise(pl.Series([text]))
    words = split_words(normalised)
    start, end = original_spans(normalised, words.start, words.end)
    return " ".join(text[a:b] for a, b, found in zip(start, end, tell(normalised, words), strict=True) if found)
