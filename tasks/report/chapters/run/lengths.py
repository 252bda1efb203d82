"""Lengths chapter: documents by length and the amount of text, before and after."""

import math
from typing import NamedTuple

import polars as pl
from markupsafe import Markup

from tasks.explain.archive import Archive
from tasks.report.charts import histogram_svg
from tasks.report.html import bar, count, percent, section, table, tag
from tasks.report.material import Material

BINS = 15
"""Doublings of length; the last bin holds what is longer."""
LOOKED_AT = 2000
"""Documents of which words are counted."""
PARTS = 40
TOKENS = 4 / 3
"""Of a word."""


class _Amount(NamedTuple):
    documents: int
    characters: int
    median: float


def lengths(material: Material) -> Markup:
    """Histograms of length, and documents, characters and words of the input and of what is published."""
    decisions = material.archive.table("decisions").filter(pl.col("action") != "delete")
    before = decisions.select(chars="n_chars").collect()["chars"]
    kept = decisions.filter(pl.col("action") != "remove")
    after = kept.select(chars=pl.col("n_chars") - pl.col("chars_cut")).collect()["chars"]
    word = _characters_per_word(material.archive)
    amounts = [_amount(before), _amount(after)]
    rows: list[list[str | Markup]] = [
        _row("documents", amounts[0].documents, amounts[1].documents),
        _row("characters", amounts[0].characters, amounts[1].characters),
        _row("words, about", *(_about(one.characters / word) for one in amounts)),
        _row("tokens, about", *(_about(TOKENS * one.characters / word) for one in amounts)),
    ]
    middle: list[str | Markup] = ["characters of the middle document", *(count(one.median) for one in amounts), ""]
    charts = (_figure("Documents by characters, input", before), _figure("Documents by characters, published", after))
    return section(
        "Lengths",
        table(["", "input", "published", "left"], [*rows, middle], numbers=(1, 2)),
        tag("div", *charts, class_="charts"),
        note=f"Words are what white space parts, counted in {count(LOOKED_AT)} documents at most "
        f"({word:.1f} characters each), and tokens a third more, as most tokenizers for English have it.",
    )


def _amount(chars: pl.Series) -> _Amount:
    return _Amount(len(chars), int(chars.cast(pl.Int64).sum()), float(chars.median() or 0))  # type: ignore[arg-type]


def _about(value: float) -> float:
    """Three digits of a number."""
    return round(value, 2 - math.floor(math.log10(value))) if value >= 1 else value


def _row(name: str, before: float, after: float) -> list[str | Markup]:
    return [name, count(before), count(after), bar(after / before) if before else percent(None)]


def _figure(title: str, chars: pl.Series) -> Markup:
    powers = chars.clip(1).cast(pl.Float64).log(2).floor().cast(pl.Int32).clip(4, 4 + BINS - 1) - 4
    counted = dict(powers.value_counts().iter_rows())
    labels = [_length(2 ** (number + 5)) if not (number - 1) % 4 else "" for number in range(BINS)]
    drawn = Markup(histogram_svg(title, [counted.get(number, 0) for number in range(BINS)], labels))
    return tag("figure", tag("figcaption", title), drawn)


def _length(chars: int) -> str:
    return f"to {chars // 1024} k" if chars >= 1024 else f"to {chars}"


def _characters_per_word(archive: Archive) -> float:
    """Mean over documents from all over the corpus."""
    parts = sorted((archive.path / "index" / "documents").glob("*.parquet"))
    chosen = parts[:: max(1, len(parts) // PARTS)]
    heads = [pl.scan_parquet(part).select("text").head(LOOKED_AT // len(chosen)) for part in chosen]
    texts = pl.concat(heads).collect()["text"]
    words = int(texts.str.count_matches(r"\S+").sum())
    return int(texts.str.len_chars().sum()) / max(words, 1) or 1.0
