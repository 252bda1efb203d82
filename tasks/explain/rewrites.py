"""Rewrites of a kept document: who says the same in other words, and how sure that is."""

from typing import Any

import polars as pl

from models.bundle import load
from models.decision.meaning.matched_sentences import side_by_side
from models.semantic.encoder.student import Student
from tasks.explain.archive import Archive
from tasks.explain.terminal import paragraph
from tasks.explain.wording import several, shortened
from tasks.snapshots.earlier_rewrites import with_distance_ratio

SHOWN = 5
"""Rewrites listed of one document."""
SENTENCES, CHARACTERS, WORDS = 6, 300, 12
"""Sentences shown of a pair, code points of each, and words that one side alone has."""


def listed(archive: Archive) -> pl.LazyFrame:
    """The published rewrites; none in snapshots that were made before they were looked for."""
    if (archive.path / "rewrites").is_dir():
        return with_distance_ratio(archive.table("rewrites"))
    scores = dict.fromkeys(("p_same", "cosine", "distance_ratio", "cover"), pl.Float32)
    return pl.LazyFrame(schema={"a_id": pl.String, "b_id": pl.String, **scores})


def about(row: dict[str, Any]) -> str:
    """Scores of a rewrite in words."""
    ratio = row["distance_ratio"]
    apart = "" if ratio is None else f", at {ratio:.2f} of the distance of what is around"
    near = f"cosine {row['cosine']:.2f}{apart}"
    return f"p {row['p_same']:.2f}, {near}, {row['cover']:.0%} of its words met by the other's"


def rewrites(archive: Archive, fate: dict[str, Any]) -> list[str]:
    """Lines on the texts that say the same in other words; nothing where there are none."""
    name = fate["doc_id"]
    found = listed(archive).filter((pl.col("a_id") == name) | (pl.col("b_id") == name)).collect()
    if found.is_empty():
        return []
    partner = pl.when(pl.col("a_id") == name).then("b_id").otherwise("a_id")
    rows = found.with_columns(partner=partner).sort("distance_ratio", "partner", nulls_last=True)
    texts = archive.originals([name, *rows["partner"].head(SHOWN)])
    lines = [f"Perhaps said in other words by {several(rows.height, 'document')}"]
    for row in rows.head(SHOWN).iter_rows(named=True):
        lines.append(f"  {row['partner']}: {about(row)}")
        if name in texts and row["partner"] in texts:
            lines += _beside(texts[name], texts[row["partner"]])
    return [*lines, ""]


def _beside(here: str, there: str) -> list[str]:
    """Sentences of two texts under each other, and what each says that the other does not."""
    found = side_by_side(here, there, Student(load("default").student))
    lines = []
    for pair in found.sentences[:SENTENCES]:
        for label, sentence in (("here   ", pair.one), ("there  ", pair.other)):
            lines += paragraph(shortened(sentence, CHARACTERS) if sentence else "nothing like it", "    ", label)
    if len(found.sentences) > SENTENCES:
        lines.append(f"    … {several(len(found.sentences) - SENTENCES, 'more sentence')}")
    for side, words in (("here", found.only_one), ("there", found.only_other)):
        if words:
            lines += paragraph(f"only {side}: {', '.join(words[:WORDS])}{' …' if len(words) > WORDS else ''}", "    ")
    return lines
