"""Cuts of viral passages: whole lines and sentences, no stump left behind, one copy kept."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from data_contracts.schemas import SPANS
from models.languages import pattern
from models.lexical.fragments.anchors import hash_passages
from models.lexical.fragments.furniture import is_furniture
from models.lexical.fragments.nesting import within
from models.lexical.fragments.widths import widths
from models.lexical.text import normalise
from models.lexical.text.boundaries.spans import whole_parts, with_gaps
from models.lexical.text.spans import cut
from models.parameters import Fragment
from tasks.parallel.map_parts import Over
from tasks.resolve.fragments.virality import UNITS, Parts, flat

DOCUMENTS = 2048
"""Documents whose code points are held together."""
APART = 0.3
"""Share of the places of a passage that are on lines of its own, from which on it was put into other paragraphs."""
FIELD = re.compile(r"[\w.-]+ *:(?=\s|$)")
"""Beginning of a line that is a field of a record."""
TARGET = re.compile(r"(?:\.\. _[^:]+|\[[^\]]+\]):\s")
"""Beginning of a line of reStructuredText or Markdown that says where a link of the text around it leads."""
ENTRY = re.compile(r"\d+(?:\.\d+)+\.?(?:\s+[^.;:]*)?")
"""Line of a list of contents whose sections are numbered, "12.2.1. Debugging", or the number of one."""
WORK = re.compile(r"[^\W\d_][\w’'-]+,\s+(?:[^\W\d_]\.[\s-]*)+[^()]{0,90}\((?:18|19|20)\d\d\w?\)")
"""Beginning of a work in a list of references: "Fox, J. (2008)"."""
WORK_WORDS = 60
"""Words of a work that is referred to, at most."""
OPTION = r"(?:(?:^|\n)[ \t]*[*`]*--?\w\S*(?:[ ,=]\S+){0,3}|(?:^|\n[ \t]*\n)[ \t]*[*`]*[a-z0-9]+(?:_[a-z0-9]+)+)[*`]*"
"""Line that is nothing but an option, or by itself a name with underscores: "--seed, -s <number>", "roi_center"."""
VALUED = r"(?:^|\n)[\p{L}][\w.-]*:[^\n]*\n[ \t]+$"
"""Field of a record ("License: GPL-2+"), before an indented passage: that is its value."""
DEFINED = rf"(?:[,(]\s*(?:optional|required)[)\]*`_]*|{OPTION})\s*\n\s*$|{VALUED}"
"""Line that names a parameter or an option ("seed : int, optional", "--seed"), before what says the meaning of it."""
UNPARTED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
"""A letter of a script without blanks between words."""
OPENED, CLOSED = r"[(\[{\"'“‘„«*_`]{0,2}", r"[)\]}\"'”’“»*_`]{0,2}"
"""Quotation marks, brackets and emphasis around a word, none as a rule."""
SPOKEN = rf"{OPENED}[\p{{L}}\p{{M}}]+(?:['’-][\p{{L}}\p{{M}}]+)*{CLOSED},? "
"""A word of a sentence before another one."""
SENTENCE = rf"(?:{SPOKEN}){{5}}{OPENED}[\p{{L}}\p{{M}}]|{UNPARTED}{{8}}"
"""Six words in a row of a normalised passage, or as many letters as four words have where no blanks part them."""
IN_LINE = rf"(?:\S+[ \t]+){{4}}\S|{UNPARTED}{{8}}|(?:\S[^\n]*\n\s*){{8}}\S"
"""Five words of a line as it was written, or nine lines: heads of tables, a word or three a line, make no sentence, the
menu of a site does."""
LISTED = r"(?:[^\s,]+, ){3,}"
"""Words in a list, as the names of inherited methods, of which no sentence is made."""
NOTICE = r"https?:|www\.|\]\(|[^ ]@[^ ]+\.|[©|»«›‹]|\(c\)|copyright|licen[cs]"
"""What a passage without a sentence is put on many pages for: a link, a badge, a notice of rights, a bar of links."""
UNENDED = rf"(?:^| )(?:{pattern('unended')})$"
"""End of a normalised passage with which no sentence ends: what its host goes on with stands behind it."""
MEMBER = rf"^(?:[\p{{L}}]+: )?(?:{pattern('pointing')}) (?:{pattern('members')})\b"
"""Beginning of a normalised passage that speaks of what its page describes, "note: this function"."""
NESTED = 4
"""Times as many documents as a passage in which another one stands from which the rest of it belongs to its hosts."""
INDENT = 40
"""Blanks within which a line end is looked for."""
ABOVE = 80
"""Code points above a passage in which the end of the line above is looked for."""
WORD = rf"{UNPARTED}|[\p{{L}}\p{{M}}\p{{N}}]+"
"""A word; in scripts without blanks, a letter."""


def wholes(places: pl.DataFrame, texts: Mapping[int, str], min_chars: int, over: Over = map) -> Parts:
    """Say what of each occurrence may be cut.

    Args:
        places: `fragment`, `doc`, `start`, `end`.
        texts: originals by document.
        min_chars: of which at least this much must be left, in normalised code points, and beside which less of the
            occurrence may stay: half a licence is none.
        over: looks at some documents at a time, here or elsewhere.
    """
    ordered = places.sort("doc", "start")
    look = partial(parts_of, texts, min_chars)
    looked, units = _wholes(ordered, look, over)
    found, more = _with_inserted(ordered.hstack(looked), partial(look, inserted=True), over)
    return Parts(found, _distinct([units, more]))


Look = Callable[[pl.DataFrame], tuple[pl.DataFrame, pl.DataFrame]]


def _with_inserted(found: pl.DataFrame, look: Look, over: Over) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Add what was put into paragraphs: word for word what stands on lines of its own in `APART` of its places."""
    nothing = pl.col("unit").is_null()
    within = found.with_row_index("at").filter(nothing).drop(LOOKED_AT.names())
    if within.is_empty():
        return found, pl.DataFrame(schema=UNITS)
    looked, units = _wholes(within.drop("at"), look, over)
    within = within.hstack(looked).drop_nulls("unit")
    inside, lines = _documents(within, "inside"), _documents(found.filter("apart"), "lines")
    often = inside.join(lines, on="unit").filter(pl.col("lines") >= APART * (pl.col("lines") + pl.col("inside")))
    told = within.join(often, on="unit", how="semi")
    return found.with_columns(found[name].scatter(told["at"], told[name]) for name in LOOKED_AT), units


def _documents(parts: pl.DataFrame, name: str) -> pl.DataFrame:
    """In how many documents each unit stands."""
    return parts.select("unit", "doc").unique().group_by("unit").agg(pl.len().alias(name))


def _wholes(ordered: pl.DataFrame, look: Look, over: Over) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what `wholes` adds, and `apart`, whether the unit stands on lines of its own; and the units."""
    made, units, rows = [pl.DataFrame(schema=LOOKED_AT)], [pl.DataFrame(schema=UNITS)], 0
    for looked, written in over(look, _by_documents(ordered)):
        made.append(looked)
        units.append(written)
        rows += written.height
        if rows > units[0].height:  # most units stand in many documents: never are twice as many held as there are
            units, rows = [_distinct(units)], 0
    return pl.concat(made), _distinct(units)


def _by_documents(ordered: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Rows of some documents at a time."""
    docs = ordered["doc"].to_numpy()
    edges = [*np.searchsorted(docs, np.unique(docs)[::DOCUMENTS]).tolist(), len(docs)]
    return (ordered[a:b] for a, b in pairwise(edges))


def _distinct(units: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(units).unique("unit", keep="first", maintain_order=True)


LOOKED_AT = pl.Schema({"first": pl.Int32, "last": pl.Int32, "unit": pl.UInt64, "apart": pl.Boolean})


def parts_of(
    by_doc: Mapping[int, str], min_chars: int, places: pl.DataFrame, inserted: bool = False
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Say what may be cut of places: columns as `LOOKED_AT`, and the units.

    Args:
        by_doc: originals by document.
        min_chars: see `wholes`.
        places: `doc`, `start`, `end`, by `doc` and `start`.
        inserted: they may have been put into paragraphs.

    Fields of records, entries of a list of contents, works referred to and targets of links are left, and what is
    neither a sentence nor a `NOTICE`: signatures of functions, headings out of a list of contents; what ends amid a
    sentence (`UNENDED`); what speaks of the function of its page (`MEMBER`); and what stands below a line that it
    defines or whose value it is (`DEFINED`).
    """
    docs, row = np.unique(places["doc"].to_numpy(), return_inverse=True)
    texts = [by_doc[doc] for doc in docs.tolist()]
    codes, pointers = flat(texts)
    from_, to = (places[name].cast(pl.Int64).to_numpy() for name in ("start", "end"))
    start, end = whole_parts(codes, pointers, row, from_, to, inserted)
    slices = _slices(texts, row, start, end)
    units = units_of(slices)
    first, last = with_gaps(codes, pointers, row, start, end)
    rest = np.maximum(start - from_, to - end)
    left = (_are_fields, _are_targets, _are_entries, _are_works)
    fields = pl.Series([any(asked(part) for asked in left) for part in slices], dtype=pl.Boolean)
    says = units["written"].str.replace_all(LISTED, ", ").str.contains(SENTENCE)
    says &= pl.Series(slices, dtype=pl.String).str.contains(IN_LINE)
    says |= units["written"].str.contains(NOTICE)
    says &= ~units["written"].str.contains(UNENDED) & ~units["written"].str.contains(MEMBER)
    above = pl.Series([texts[at][max(a - ABOVE, 0) : a] for at, a in zip(row.tolist(), start.tolist(), strict=True)])
    says &= ~above.cast(pl.String).str.contains(DEFINED)
    says |= is_furniture(units["written"])
    long = (widths(units["written"]) >= min_chars) & pl.Series(rest < min_chars) & ~fields & says
    apart = [
        texts[at][max(a - INDENT, 0) : a].rstrip(" \t")[-1:] in ("", "\n")
        and texts[at][b : b + INDENT].lstrip(" \t")[:1] in ("", "\n")
        for at, a, b in zip(row.tolist(), start.tolist(), end.tolist(), strict=True)
    ]
    found = pl.DataFrame({"first": first, "last": last, "unit": units["unit"], "apart": apart})
    return found.select(pl.when(long).then(pl.all())).cast(LOOKED_AT), _distinct([units.filter(long)])


def _are_fields(part: str) -> bool:
    """Whether a passage is fields of a record, as "deprecated:" and what stands below it: they say what it is."""
    lines = [line for line in map(str.strip, part.splitlines()) if line]
    named = [FIELD.match(line) is not None for line in lines]
    return len(lines) > 1 and named[0] and 2 * sum(named) >= len(lines)


def _are_entries(part: str) -> bool:
    """Whether a passage is entries of a list of contents; the number of each may stand on a line of its own."""
    lines = [line for line in map(str.strip, part.splitlines()) if line]
    numbered = sum(ENTRY.fullmatch(line) is not None for line in lines)
    return numbered > 1 and 3 * numbered >= len(lines)


def _are_works(part: str) -> bool:
    """Whether a passage is works that its document refers to."""
    works = len(WORK.findall(part))
    return works > 0 and len(part.split()) <= WORK_WORDS * works


def _are_targets(part: str) -> bool:
    """Whether a passage is nothing but targets, to which the links of its document refer by name."""
    return all(TARGET.match(line) for line in map(str.strip, part.splitlines()) if line)


def _slices(texts: list[str], row: NDArray[np.int64], start: NDArray[Any], end: NDArray[Any]) -> list[str]:
    return [texts[at][a:b] for at, a, b in zip(row.tolist(), start.tolist(), end.tolist(), strict=True)]


def units_of(texts: list[str]) -> pl.DataFrame:
    """Texts in normalised form (`written`) and the numbers of these (`unit`), in their order."""
    codes, _, _, pointers, *_ = normalise(pl.Series(texts, dtype=pl.String))
    whole = codes.astype("<u4", copy=False).tobytes().decode("utf-32-le")
    written = [whole[a:b] for a, b in zip(pointers[:-1].tolist(), pointers[1:].tolist(), strict=True)]
    return pl.DataFrame({"unit": hash_passages(codes, pointers[:-1], pointers[1:]), "written": written}, schema=UNITS)


def place(
    bounds: Fragment,
    rated: pl.DataFrame,
    parts: Parts,
    texts: Mapping[int, str],
    guarded: pl.Series,
    ties: pl.DataFrame,
    standing: Iterable[int] = (),
    over: Over = map,
    altered: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Every occurrence as `fragment_spans` but for the text; cut where its fragment is to go and nothing forbids it.

    Args:
        bounds: what is done at all, and what a document keeps.
        rated: `fragment`, `text`, `action`.
        parts: what `wholes` gives.
        texts: originals by document.
        guarded: documents that are never cut: protected ones, and those that stand for removed ones.
        ties: `fragment`, `doc`, `tie`: how much a fragment has to do with a host.
        standing: fragments of `rated` of which a whole copy stays published elsewhere.
        over: see `wholes`.
        altered: changed copies of passages: `fragment`, `doc`, `start`, `end`, `first`, `last`; they take the place of
            what they overlap, and none of them is the copy that stays.
    """
    going = rated.filter(pl.col("action") == "cut")["fragment"]
    may = pl.col("unit").is_not_null() & pl.col("fragment").is_in(going.implode())
    wanted = parts.places.with_columns(wanted=may & ~pl.col("doc").is_in(guarded.implode())).with_row_index("at")
    cutting = bounds.cuts
    altered, covered = _among(wanted, altered.clear() if altered is not None and not cutting else altered, may)
    chosen = wanted.filter("wanted", ~pl.col("at").is_in(covered["at"].implode())) if cutting else wanted.clear()
    ends = ["doc", "first", "last"]
    stumps = _stumps(bounds, pl.concat([chosen.select(ends), altered.select(ends)]), texts, over)
    chosen, altered, covered = (
        rows.join(stumps, on="doc", how="anti", maintain_order="left") for rows in (chosen, altered, covered)
    )
    if bounds.action == "keep_one":
        kept = set(spared(rated, parts, chosen, ties, bounds.min_chars, standing, covered))
        chosen = chosen.filter(~pl.col("at").is_in(list(kept)))
    spans = wanted.filter(~pl.col("at").is_in(covered["at"].implode())) if covered.height else wanted
    spans = spans.with_columns(cut=pl.col("at").is_in(chosen["at"].implode()))
    taken = {"start": "first", "end": "last"}
    spans = spans.with_columns(pl.when("cut").then(cut).otherwise(whole).alias(whole) for whole, cut in taken.items())
    changed = altered.select("fragment", "doc", start="first", end="last", cut=pl.lit(value=True))
    return pl.concat([spans.select(list(SPANS.columns)), changed.select(list(SPANS.columns))])


def without_surroundings(parts: Parts, rated: pl.DataFrame, min_chars: int) -> Parts:
    """Parts of which nothing is cut or kept as a whole where viral ones stand in them that are far more common.

    Those are held by `NESTED` times as many documents. What a notice has in front of it in some of its hosts, such as
    the last line of a description, is theirs; and a passage that is kept has no say if it is two notices in a row.

    Args:
        parts: as `wholes` gives them.
        rated: `fragment`, `action`.
        min_chars: of a part that is looked for in others, and of what a passage that is kept says beside such parts.
    """
    cut = pl.col("fragment").is_in(rated.filter(pl.col("action") == "cut")["fragment"].implode())
    places = parts.places.drop_nulls("unit")
    going = places.group_by("unit").agg(going=cut.any())
    counted = _documents(places, "documents").join(going, on="unit").join(parts.units, on="unit").sort("unit")
    viral = counted.filter("going")
    inner, outer = within(viral["written"], counted["written"], min_chars)
    common = viral["documents"].gather(inner) >= NESTED * counted["documents"].gather(outer)
    pairs = pl.DataFrame({"part": viral["written"].gather(inner)}).hstack(counted[outer]).filter(common)
    around = pairs.group_by("unit", "written", "going", maintain_order=True).agg("part")
    free = [
        going or len(_rest(written, inside)) < min_chars
        for written, going, inside in around.select("written", "going", "part").iter_rows()
    ]
    stays = pl.col("unit").is_in(around.filter(pl.Series(free, dtype=pl.Boolean))["unit"].implode())
    return parts._replace(places=parts.places.with_columns(pl.when(~stays).then(pl.col(list(LOOKED_AT)))))


def _rest(passage: str, inside: list[str]) -> str:
    """What a passage says beside others that stand in it."""
    for part in sorted(inside, key=len, reverse=True):
        passage = passage.replace(part, "")
    return passage.strip()


def _among(places: pl.DataFrame, altered: pl.DataFrame | None, may: pl.Expr) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Altered copies that overlap no place that may be cut and goes on beyond them, and the places that they overlap.

    Returns:
        Rows of `altered`, and `at`, `doc`, `start` of places.
    """
    if altered is None:
        return places.select("fragment", "doc", "first", "last").clear(), places.select("at", "doc", "start").clear()
    near = places.filter(pl.col("doc").is_in(altered["doc"].unique().implode()))
    both = near.join(altered.select("doc", low="start", high="end"), on="doc")
    both = both.filter(pl.col("start") < pl.col("high"), pl.col("end") > pl.col("low"))
    beyond = both.filter(may, (pl.col("start") < pl.col("low")) | (pl.col("end") > pl.col("high")))
    fitting = altered.join(beyond, left_on=["doc", "start"], right_on=["doc", "low"], how="anti", maintain_order="left")
    covered = both.join(fitting, left_on=["doc", "low"], right_on=["doc", "start"], how="semi")
    return fitting, covered.select("at", "doc", "start").unique("at", maintain_order=True)


def _stumps(bounds: Fragment, chosen: pl.DataFrame, texts: Mapping[int, str], over: Over) -> pl.DataFrame:
    """Documents of which these cuts would leave too little."""
    ordered = chosen.select("doc", "first", "last").sort("doc", "first")
    found: Iterator[pl.DataFrame] = over(partial(_too_little, bounds, texts), _by_documents(ordered))
    return pl.concat([ordered.select("doc").clear(), *found])


def _too_little(bounds: Fragment, texts: Mapping[int, str], ordered: pl.DataFrame) -> pl.DataFrame:
    docs, spans = ordered["doc"].to_numpy(), ordered.select("first", "last").rows()
    begins = np.flatnonzero(np.diff(docs, prepend=-1)).tolist()
    rows: list[tuple[int, int, str]] = []
    for begin, behind in pairwise([*begins, len(docs)]):
        whole = texts[docs[begin]]
        rows.append((docs[begin], len(whole), cut(whole, spans[begin:behind])))
    left = pl.DataFrame(rows, schema={"doc": pl.Int64, "length": pl.Int64, "rest": pl.String}, orient="row")
    held = pl.col("rest").str.len_chars()
    enough = (held >= (1 - bounds.max_cut_share) * pl.col("length")) & (held >= bounds.min_rest_chars)
    return left.filter(~(enough & (pl.col("rest").str.count_matches(WORD) >= bounds.min_rest_words))).select("doc")


def spared(
    rated: pl.DataFrame,
    parts: Parts,
    chosen: pl.DataFrame,
    ties: pl.DataFrame,
    min_chars: int,
    standing: Iterable[int],
    covered: pl.DataFrame,
) -> list[int]:
    """Occurrences (`at` of `chosen`) that must stay so that of all that is cut a whole copy is published.

    What is cut stands in the text of its own fragment and perhaps in longer ones; where one of these has an occurrence
    that stays, or stays in `standing`, there is a copy. The longest are seen to first, since their copies hold others.
    Of occurrences of the same text that stays to which the fragment belongs most. What altered copies cover (`doc`,
    `start` of `covered`) is cut with them.
    """
    placed = parts.places["fragment"].unique()
    cut = pl.concat([rows.select("doc", "start") for rows in (chosen, covered)])
    whole = parts.places.join(cut, on=["doc", "start"], how="anti")["fragment"]
    stays = set(whole.unique().to_list()) | set(standing)
    named = rated.filter(pl.col("fragment").is_in(placed.implode()) | pl.col("fragment").is_in(list(stays)))
    ranked = (
        chosen.join(ties, on=["fragment", "doc"], how="left")
        .sort(pl.col("tie").fill_nan(None).fill_null(-1.0), "doc", "start", descending=[True, False, False])
        .unique("unit", keep="first", maintain_order=True)
        .select("at", "fragment", "unit")
        .join(parts.units, on="unit")
        .sort(pl.col("written").str.len_chars(), "at", descending=[True, False])
    )
    unit, holder = within(ranked["written"], named["text"], min_chars)
    holders: list[list[int]] = [[number] for number in ranked["fragment"].to_list()]
    for one, number in zip(unit.tolist(), named["fragment"].gather(holder).to_list(), strict=True):
        holders[one].append(number)
    kept = []
    for at, number, inside in zip(ranked["at"].to_list(), ranked["fragment"].to_list(), holders, strict=True):
        if stays.isdisjoint(inside):
            stays.add(number)
            kept.append(at)
    return kept
