"""Worst-removals chapter: those whose survivor, as published, holds least of what they said."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from markupsafe import Markup

from models.decision.types import REMOVES
from models.lexical.content.coverage import free_words, held_beside, runs_of
from models.lexical.content.prose import running_text
from models.lexical.sketch.shingles import hash_word_grams
from models.lexical.text import normalise, split_words
from tasks.explain.archive import Archive
from tasks.explain.wording import several
from tasks.report.chapters.content.pairs import kind_badge, pair_card, scores
from tasks.report.html import join, percent, tag

SHOWN = 3
LOOKED_AT = 60
"""Removals of each kind of suspicion that are compared with what was published."""
PAIRS = 64
"""Pairs of texts that are compared at a time."""
LEAST_WORDS = 15
"""Words in a row that a removal must lose to be shown as a bad one."""
EVERY = pl.lit(value=True)
PERTURBED = "C"
"""Type whose words differ on purpose: letters tell its copies, not runs of words."""


class Loss(NamedTuple):
    """Loss of a removal: what the document says that its survivor as published does not.

    Attributes:
        fate: row of `decisions`.
        run: the most words of running text in a row.
        share: of all its words.
        texts: the original one of the document, and that of its survivor as published.
    """

    fate: dict[str, Any]
    run: int
    share: float
    texts: tuple[str, str]


def worst(archive: Archive) -> Markup | None:
    """Cards of the removals that lose most; None where nothing was removed."""
    rows = suspects(archive)
    if rows.is_empty():
        return None
    found = losses(archive, rows)
    bad = [loss for loss in found if loss.run >= LEAST_WORDS][:SHOWN]
    title = tag("h3", "The worst that were found")
    if not bad:
        none = (
            f"None of the {several(len(found), 'removal')} looked at says {LEAST_WORDS} words of running text in a row "
        )
        return join([title, tag("p", f"{none}that its survivor, as published, does not.")])
    told = tag("p", f"Of {several(len(found), 'suspicious removal')}, these lose most.")
    return join([title, told, *map(_card, bad)])


def losses(archive: Archive, fates: pl.DataFrame) -> list[Loss]:
    """Compare removed documents with their survivors as published, the worst first."""
    originals = archive.originals(fates["doc_id"].to_list())
    published = archive.published(fates["survivor_id"].to_list())
    found = []
    for few in fates.iter_slices(PAIRS):
        rows = few.to_dicts()
        texts = [originals[row["doc_id"]] for row in rows] + [published.get(row["survivor_id"], "") for row in rows]
        normalised = normalise(pl.Series(texts, dtype=pl.String))
        words = split_words(normalised)
        beside = np.concatenate([np.arange(len(rows)) + len(rows), np.full(len(rows), -1)])
        held = held_beside(hash_word_grams(words), words.pointers, beside)
        free = free_words(held, words.pointers)
        owner, first, behind = runs_of(free & running_text(normalised, words), words.pointers, 1)
        for row, fate in enumerate(rows):
            longest = int((behind - first)[owner == row].max(initial=0))
            lacking = free[words.pointers[row] : words.pointers[row + 1]]
            share = float(lacking.mean()) if len(lacking) else 0.0
            found.append(Loss(fate, longest, share, (texts[row], texts[row + len(rows)])))
    return sorted(found, key=lambda loss: (-loss.run, -loss.share, loss.fate["doc_id"]))


@lru_cache(maxsize=1)
def suspects(archive: Archive) -> pl.DataFrame:
    """Removals that may be bad: the pair had least in common, or much was cut from the survivor.

    Two chapters of a report ask for them.
    """
    of_others = (pl.col("action") == "remove") & (pl.col("type") != PERTURBED)
    likeness = pl.coalesce("containment", "similarity", pl.lit(1.0))
    asked = archive.table("decisions").filter(of_others).select("doc_id", "survivor_id", likeness=likeness)
    removed = asked.sort("doc_id").collect().with_row_index("row")
    cut = _beside(archive, "decisions", [{"survivor_id": "doc_id", "cut": "chars_cut"}], removed)
    removed = removed.join(cut, on="row")
    if "text_run_a" in archive.table("verified").collect_schema():
        sides = [
            {"doc_id": f"{one}_id", "survivor_id": f"{other}_id", "lacks": f"lacking_{one}", "run": f"text_run_{one}"}
            for one, other in (("a", "b"), ("b", "a"))
        ]
        # Of all pairs a twentieth proposes a removal: to join the others takes most of the time.
        proposing = pl.col("verdict").is_in(REMOVES)
        told = _beside(archive, "verified", sides, removed, proposing)
        removed = removed.join(told.group_by("row").max(), on="row", how="left")
    orders = [pl.col("cut"), *(pl.col(name) for name in ("lacks", "run") if name in removed.columns)]
    orders.append(-pl.col("likeness"))
    chosen = [
        removed.sort([order, "doc_id"], descending=[True, False], nulls_last=True).select("doc_id").head(LOOKED_AT)
        for order in orders
    ]
    ids = pl.concat(chosen).unique().lazy()
    return archive.by_part("decisions", lambda part: part.join(ids, on="doc_id", how="semi")).sort("doc_id")


def _beside(
    archive: Archive, table: str, sides: list[dict[str, str]], removed: pl.DataFrame, these: pl.Expr = EVERY
) -> pl.DataFrame:
    """Join of removals with some columns of rows of a table, on those that removals have as well: `row` and the others.

    What several sides ask for is read once. Ids stay behind: the page that each was read from would be kept with it.
    """

    def joined(rows: pl.LazyFrame, columns: dict[str, str]) -> pl.LazyFrame:
        on = [name for name in columns if name in removed.columns]
        named = rows.select(pl.col(column).alias(name) for name, column in columns.items())
        return named.join(removed.lazy().select("row", *on), on=on).drop(on)

    def asked(part: pl.LazyFrame) -> pl.LazyFrame:
        read = part.filter(these).select(sorted({name for columns in sides for name in columns.values()})).cache()
        return pl.concat([joined(read, columns) for columns in sides])

    return archive.by_part(table, asked)


def _card(loss: Loss) -> Markup:
    told = f"{percent(loss.share)} of its words, {loss.run} in a row, stand nowhere in the survivor as published"
    head = join([kind_badge(loss.fate["type"]), f"at {loss.fate['stage']}", scores(loss.fate), tag("b", told)])
    one, other = loss.texts
    return pair_card(head, (f"removed: {loss.fate['doc_id']}", one), (f"published: {loss.fate['survivor_id']}", other))
