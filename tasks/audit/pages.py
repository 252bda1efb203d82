"""Page of a case: two texts, with what only one of them says marked, and where else that stands."""

from collections.abc import Collection
from typing import Any, NamedTuple

import polars as pl

from models.lexical.content.coverage import GRAM
from models.lexical.text.spans import cut
from tasks.audit.cases import CUT, REMOVAL, Case
from tasks.audit.passage_search import Found, look_up
from tasks.audit.word_marks import Alone, Marked, mark, whole
from tasks.explain.archive import Archive
from tasks.explain.differences import Piece
from tasks.explain.wording import several, shortened, typed

AROUND = 700
"""Code points shown on either side of a cut."""
LISTED = 12
"""Stretches of a page that are listed with where else they stand, the longest first."""


class Side(NamedTuple):
    """One of the two texts."""

    title: str
    pieces: list[Piece]


class Stretch(NamedTuple):
    """Words that only the first text has, and a sentence on where else they stand."""

    text: str
    words: int
    place: str


class Page(NamedTuple):
    """A case as it is shown.

    Attributes:
        case: what it is about.
        told: sentences on what was done and how alike the texts are.
        one: the removed text, the original around a cut, or the first of two kept.
        other: the survivor as published, the text around the cut as published, or the second.
        stretches: what only `one` says, the longest first.
        more: how many further stretches there are.
    """

    case: Case
    told: list[str]
    one: Side
    other: Side
    stretches: list[Stretch]
    more: int


class _Draft(NamedTuple):
    case: Case
    told: list[str]
    one: Side
    other: Side
    alone: list[Alone]
    more: int


def pages(archive: Archive, cases: list[Case]) -> list[Page]:
    """Put the pages of some cases together; everything published is read once for all of them."""
    drafts = _drafts(archive, cases)
    found = iter(look_up(archive, [one for draft in drafts for one in draft.alone]))
    made = []
    for draft in drafts:
        stretches = [Stretch(one.text, one.words, _place(next(found))) for one in draft.alone]
        made.append(Page(draft.case, draft.told, draft.one, draft.other, stretches, draft.more))
    return made


def _drafts(archive: Archive, cases: list[Case]) -> list[_Draft]:
    ids = {name for case in cases for name in (case.doc_id, case.other_id) if name}
    originals = archive.originals(ids)
    published = archive.published(ids)
    spans = _cuts(archive, ids)
    fates = _rows(archive.table("decisions").filter(pl.col("doc_id").is_in(ids)))
    by_id = {row["doc_id"]: row for row in fates}
    pairs = _pairs(archive, cases)
    hosts = _hosts(archive, cases)
    made = []
    for case in cases:
        if case.kind == CUT:
            made.append(_cut(case, originals[case.doc_id], spans[case.doc_id], hosts[case.key]))
        elif case.kind == REMOVAL:
            texts = originals[case.doc_id], published.get(case.other_id, "")
            made.append(_removal(case, by_id[case.doc_id], by_id[case.other_id], *texts))
        else:
            texts = published[case.doc_id], published[case.other_id]
            made.append(_near(case, pairs[case.doc_id, case.other_id], *texts))
    return made


def _removal(case: Case, fate: dict[str, Any], survivor: dict[str, Any], removed: str, shown: str) -> _Draft:
    one, other = mark(removed, shown)
    cut_away = f", {survivor['chars_cut']:,} characters cut from it" if survivor["chars_cut"] else ""
    told = [
        f"Removed as {typed(case.stratum)}, at stage {fate['stage']}{_likeness(fate)}.",
        f"{_share(one)} of the {several(one.words, 'word')} of the removed text stand nowhere in the survivor as "
        f"published ({several(other.words, 'word')}{cut_away}), {_longest(one)} in a row at most.",
    ]
    return _draft(case, told, ("removed", "published"), one, other)


def _near(case: Case, pair: dict[str, Any], text: str, beside: str) -> _Draft:
    one, other = mark(text, beside)
    told = [
        f"Both are kept: verdict {pair['verdict']}, {typed(pair['type'])}; p {pair['p_dup']:.3f}{_likeness(pair)}.",
        f"{_share(one)} of the first ({several(one.words, 'word')}, {_longest(one)} in a row) and {_share(other)} of "
        f"the second ({several(other.words, 'word')}, {_longest(other)} in a row) stand nowhere in the other.",
    ]
    return _draft(case, told, ("kept", "kept"), one, other)


def _draft(case: Case, told: list[str], fates: tuple[str, str], one: Marked, other: Marked) -> _Draft:
    sides = Side(f"{fates[0]}: {case.doc_id}", one.pieces), Side(f"{fates[1]}: {case.other_id}", other.pieces)
    return _Draft(case, told, *sides, *_listed(one))


def _cut(case: Case, original: str, spans: list[tuple[int, int]], hosts: tuple[int, list[str]]) -> _Draft:
    number, names = hosts
    passage = original[case.start : case.end]
    before, after = max(0, case.start - AROUND), min(len(original), case.end + AROUND)
    around = [
        Piece(original[before : case.start], marked=False),
        Piece(passage, marked=True),
        Piece(original[case.end : after], marked=False),
    ]
    inside = [(max(start, before) - before, min(end, after) - before) for start, end in spans]
    shown = cut(original[before:after], [span for span in inside if span[0] < span[1]])
    told = [
        f"Characters {case.start:,} to {case.end:,} of {len(original):,} were cut; "
        f"{several(sum(end - start for start, end in spans), 'character')} of this document in all.",
        f"Found in {several(number, 'document')}, for example {', '.join(names)}.",
    ]
    sides = Side(f"original: {case.doc_id}", around), Side("as published", [Piece(shown, marked=False)])
    return _Draft(case, told, *sides, [whole(passage)], 0)


def _listed(marked: Marked) -> tuple[list[Alone], int]:
    """The longest stretches that only one text has, and how many more there are."""
    ordered = sorted((one for one in marked.alone if one.words >= GRAM), key=lambda one: -one.words)
    return ordered[:LISTED], len(marked.alone) - len(ordered[:LISTED])


def _place(found: Found) -> str:
    if found.share is None:
        return "too short to be looked for"
    if found.doc_id is None:
        return "nowhere in what is published"
    if found.share == 1:
        return f"all of it stands in {several(found.documents, 'published document')}, for example {found.doc_id}"
    return f"no published document has all of it; {found.share:.0%} stands in {found.doc_id}"


def _share(marked: Marked) -> str:
    return f"{marked.share:.1%}"


def _longest(marked: Marked) -> int:
    return max((one.words for one in marked.alone), default=0)


def _likeness(row: dict[str, Any]) -> str:
    named = {
        "weighted Jaccard": row.get("similarity", row.get("weighted_jaccard")),
        "contained": row.get("containment"),
        "cosine": row.get("cosine"),
    }
    told = [f"{name} {value:.2f}" for name, value in named.items() if value is not None and value == value]
    return f" ({', '.join(told)})" if told else ""


def _cuts(archive: Archive, ids: Collection[str]) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    rows = archive.table("fragment_spans").filter(pl.col("cut"), pl.col("doc_id").is_in(ids)).sort("doc_id", "start")
    for name, start, end in rows.select("doc_id", "start", "end").collect().iter_rows():
        found.setdefault(name, []).append((start, end))
    return found


def _hosts(archive: Archive, cases: list[Case]) -> dict[tuple[str, str, str, int, int], tuple[int, list[str]]]:
    """Of each cut, how many documents were found with the passage, and the names of some."""
    spans = archive.table("fragment_spans").select("fragment", "doc_id", "start", "end").collect()
    known = archive.table("fragments").select("fragment", "hosts").collect()
    wanted = pl.DataFrame(
        [(case.doc_id, case.start, case.end) for case in cases if case.kind == CUT],
        schema={"doc_id": pl.String, "start": spans.schema["start"], "end": spans.schema["end"]},
        orient="row",
    )
    here = wanted.join(spans, on=["doc_id", "start", "end"]).join(known, on="fragment")
    named = spans.filter(pl.col("fragment").is_in(here["fragment"].implode())).sort("doc_id")
    names = dict(named.group_by("fragment").agg(pl.col("doc_id").unique(maintain_order=True).head(4)).iter_rows())
    return {
        (CUT, row["doc_id"], "", row["start"], row["end"]): (
            row["hosts"],
            [shortened(name, 80) for name in names[row["fragment"]]],
        )
        for row in here.iter_rows(named=True)
    }


def _pairs(archive: Archive, cases: list[Case]) -> dict[tuple[str, str], dict[str, Any]]:
    wanted = {(case.doc_id, case.other_id) for case in cases if case.kind not in (CUT, REMOVAL)}
    if not wanted:
        return {}
    ones, others = zip(*wanted, strict=True)
    found = archive.table("verified").filter(pl.col("a_id").is_in(ones), pl.col("b_id").is_in(others))
    columns = ("a_id", "b_id", "verdict", "type", "p_dup", "weighted_jaccard", "cosine")
    return {(row["a_id"], row["b_id"]): row for row in _rows(found.select(columns))}


def _rows(found: pl.LazyFrame) -> list[dict[str, Any]]:
    return found.collect().to_dicts()
