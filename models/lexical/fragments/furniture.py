"""Furniture of pages: passages that are navigation bars, badges or colophons, which are the content of no page."""

import polars as pl

from models.languages import pattern
from models.lexical.fragments.hosts.virality import SENTENCE_END

SHARE = 1 / 3
"""Words that lead to pages, of all words of a bar, at least: the others name these pages."""
WORDS = 3
"""Different words that lead to pages, at least."""
BARS = 3
"""Marks between items, at least."""
_LEADING = rf"\b(?:{pattern('navigation')})\b"
_WORD = r"[\p{L}\p{M}\p{N}]+"
_BARS = r"[|»›«‹·•]| > "
_RIGHTS = (
    r"(?:©|\(c\) (?:copyright|\d)|copyright (?:©|\(c\)|\d))[^.|»›«‹·•]*(?:\. ?)?"
    r"(?:licen[cs]ed under [^|»›«‹·•]*?\.(?: |$))?(?:all rights reserved\.? ?)?"
)
"""A notice of who holds the rights, which the bar at the foot of a page often has: no sentence of the page."""
_WITHIN = r'(?:[^.|»›«‹·•;"{}=]|\.[^ ])*'
"""What stands up to a full stop, a bar or a sign of source code; a version has points in it."""
_MADE = rf"\b(?:{pattern('colophon')}) (?:{pattern('colophon_by')})\b{_WITHIN}(?:\. ?)?"
_LICENSED = rf"{_WITHIN}\blicen[cs]ed under {_WITHIN}(?:\. ?)?"
OTHERS = 1 / 4
"""Words of a colophon that say neither who holds the rights, by what it was made nor where else to go, at most."""
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
    """Whether passages are navigation bars, badges without a version, or colophons.

    A navigation bar is made of items between bars, many of them words such as "next", and has no sentence. A colophon
    says who holds the rights in a page and by what it was made, and hardly anything else.

    Args:
        written: passages in normalised form, without line ends.
    """
    named = pl.col("written").str.replace_all(_TARGETS, "]").str.replace_all(_RIGHTS, " ")
    leading = named.str.extract_all(_LEADING)
    words = named.str.count_matches(_WORD)
    bar = (
        (leading.list.len() >= SHARE * words)
        & (leading.list.n_unique() >= WORDS)
        & (named.str.count_matches(_BARS) >= BARS)
        & ~named.str.contains(_STATED)
        & ~named.str.contains(_TABLE)
    )
    rows = pl.DataFrame({"written": written}, schema={"written": pl.String})
    badges = pl.col("written").str.contains(_BADGES) & ~pl.col("written").str.contains(_VERSIONS)
    others = pl.col("written")
    for clause in (_MADE, _LICENSED, _RIGHTS, _LEADING):
        others = others.str.replace_all(clause, " | ")
    few = others.str.count_matches(_WORD) <= OTHERS * pl.col("written").str.count_matches(_WORD)
    colophon = few & pl.col("written").str.contains(_RIGHTS) & pl.col("written").str.contains(_MADE)
    return rows.select(bar | badges | colophon).to_series()
