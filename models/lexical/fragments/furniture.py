"""Furniture of pages: passages that are navigation bars or badges, which are the content of no page."""

import polars as pl

from models.languages import pattern
from models.lexical.fragments.virality import SENTENCE_END

SHARE = 1 / 3
"""Words that lead to pages, of all words of a bar, at least: the others name these pages."""
WORDS = 3
"""Different words that lead to pages, at least."""
BARS = 3
"""Marks between items, at least."""
_LEADING = rf"\b(?:{pattern('navigation')})\b"
_BARS = r"[|»›«‹·•]| > "
_RIGHTS = (
    r"(?:©|\(c\)|copyright (?:©|\(c\)|\d))[^.|»›«‹·•]*(?:\. ?)?"
    r"(?:licen[cs]ed under [^|»›«‹·•]*?\.(?: |$))?(?:all rights reserved\.? ?)?"
)
"""A notice of who holds the rights, which the bar at the foot of a page often has: no sentence of the page."""
_STATED = rf"{SENTENCE_END}| [—–] "
"""A sentence, or a title with its dash."""
_TARGETS = r"\]\([^)]*\)"
_TABLE = r"^\||\|[ :]*-{2}|\| *\|"
"""A table, in which bars part cells: it begins with one, has a rule below its head, or an empty cell."""
_BADGES = r"^(?:\[!\[[^\]]*\]\([^)]*(?:badge|shields\.io)[^)]*\)\]\([^)]*\) ?)+$"
"""Nothing but linked images of a service of badges."""
_VERSIONS = r"!\[[^\]]*\d|\d\.\d"
"""A number on a badge, or a version in its address, which is a fact about the document."""


def is_furniture(written: pl.Series) -> pl.Series:
    """Whether passages are navigation bars, or badges without a version.

    A navigation bar is made of items between bars, many of them words such as "next", and has no sentence.

    Args:
        written: passages in normalised form, without line ends.
    """
    named = pl.col("written").str.replace_all(_TARGETS, "]").str.replace_all(_RIGHTS, " ")
    leading = named.str.extract_all(_LEADING)
    words = named.str.count_matches(r"[\p{L}\p{M}\p{N}]+")
    bar = (
        (leading.list.len() >= SHARE * words)
        & (leading.list.n_unique() >= WORDS)
        & (named.str.count_matches(_BARS) >= BARS)
        & ~named.str.contains(_STATED)
        & ~named.str.contains(_TABLE)
    )
    rows = pl.DataFrame({"written": written}, schema={"written": pl.String})
    badges = pl.col("written").str.contains(_BADGES) & ~pl.col("written").str.contains(_VERSIONS)
    return rows.select(bar | badges).to_series()
