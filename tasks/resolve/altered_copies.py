"""Further copies of viral passages: altered ones, and those within longer passages of which nothing is cut.

A copy that was changed stands in no passage that is searched for. It is cut only if the passage says all that it says
(`models.lexical.fragments.altered`): what is published of that holds for both. So does a copy that is the same, but
stands in some documents beside a line that they share: what is searched for there is both together.
"""

from collections.abc import Mapping
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.evidence.facts.exchanges.content_words import SHORTEST
from models.decision.evidence.facts.lexicon import (
    BOUND,
    BOUNDING,
    FUNCTION,
    FUNCTION_HERE,
    NEGATION,
    QUALIFIER,
    classes_of,
    lexicon,
)
from models.decision.evidence.facts.signs import signs
from models.kernels.hash_set import hash_set
from models.languages import listed
from models.lexical.fragments.altered import Copies, Kinds, Passages, altered_copies
from models.lexical.text import (
    CAPITAL,
    HAS_DIGIT,
    MIXED,
    SENTENCE,
    Normalised,
    Words,
    normalise,
    original_spans,
    split_words,
)
from models.lexical.text.unicode_table import CASELESS
from tasks.parallel.map_parts import Arrays, map_chunks
from tasks.resolve.fragments.cuts import APART, LOOKED_AT, parts_of
from tasks.resolve.fragments.virality import Parts
from tasks.resolve.fragments.windows import Reads
from tasks.storage.stage import Stage

ALTERED = pl.Schema({"fragment": pl.Int64, "doc": pl.Int64, "start": pl.Int32, "end": pl.Int32} | dict(LOOKED_AT))
"""A copy: the passage, where it stands, and what of it may be cut, as `Parts.places` says it."""
KNOWN = ("doc", "start", "end")
"""Where a passage stands of which something may be cut: exact copies there are no further ones."""
TURNING, NAMING = NEGATION | QUALIFIER | BOUND | BOUNDING, CAPITAL | HAS_DIGIT | MIXED
"""Words that a copy may not lack: without one kind another thing is said, the other may name something."""


def find_altered(
    stage: Stage, reads: Reads, rated: pl.DataFrame, parts: Parts, texts: Mapping[int, str], guarded: pl.Series
) -> pl.DataFrame:
    """Find further copies of the passages that are cut.

    Args:
        stage: the table of fragments; the `fragment` section of its run counts.
        reads: the documents that are searched.
        rated: `fragment`, `action`.
        parts: where passages stand, and what would be cut there.
        texts: originals of the documents in `parts`.
        guarded: documents that are not cut.

    Returns:
        Rows as `ALTERED` that overlap no other one, and no passage that is kept and holds the whole copy, by document.
    """
    units = _units(parts, rated)
    if units.is_empty():
        return pl.DataFrame(schema=ALTERED)
    written = [texts[doc][first:last] for doc, first, last in units.select("doc", "first", "last").iter_rows()]
    normalised = normalise(pl.Series(written, dtype=pl.String))
    words = split_words(normalised)
    turning = (classes_of(words) & TURNING != 0) | (words.flags & NAMING != 0)
    arrays = Passages.of(words, turning)._asdict()
    arrays |= {"fragment": units["fragment"].to_numpy(), "inserted": units["inserted"].to_numpy()}
    arrays["sign"] = signs(normalised, words)
    arrays["longer"] = parts.places.filter(pl.col("unit").is_null())["doc"].unique().sort().to_numpy()
    known = parts.places.drop_nulls("unit").sort("doc")
    arrays |= {f"known_{name}": known[name].to_numpy() for name in KNOWN}
    look = partial(_of_part, reads, stage.run.parameters.fragment.min_chars)
    found = pl.concat([pl.DataFrame(schema=ALTERED), *map_chunks(stage, look, range(len(reads)), arrays)])
    found = found.filter(~pl.col("doc").is_in(guarded.implode())).sort("doc", "start")
    return found.join(_held_by_kept(found, parts, rated), on=["doc", "start"], how="anti", maintain_order="left")


def _units(parts: Parts, rated: pl.DataFrame) -> pl.DataFrame:
    """Each text that is cut once: `fragment`, a place of it, and whether it may be taken out of paragraphs."""
    going = rated.filter(pl.col("action") == "cut")["fragment"]
    cut = parts.places.drop_nulls("unit").filter(pl.col("fragment").is_in(going.implode()))
    inserted = cut.group_by("unit").agg(inserted=pl.col("apart").mean().is_between(APART, 1, closed="left"))
    first = cut.sort("doc", "start").unique("unit", keep="first", maintain_order=True)
    return first.join(inserted, on="unit", maintain_order="left")


def _held_by_kept(found: pl.DataFrame, parts: Parts, rated: pl.DataFrame) -> pl.DataFrame:
    """Copies that stand within a passage that was judged and is kept."""
    kept = rated.filter(pl.col("action") == "keep")["fragment"]
    near = pl.col("doc").is_in(found["doc"].unique().implode()) & pl.col("unit").is_not_null()
    judged = parts.places.filter(near, pl.col("fragment").is_in(kept.implode()))
    both = found.join(judged.select("doc", low="start", high="end"), on="doc")
    return both.filter(pl.col("low") <= pl.col("start"), pl.col("high") >= pl.col("end"))


@lru_cache(maxsize=1)
def _light() -> NDArray[np.uint64]:
    """Words that say nothing by themselves: function words that are nothing else."""
    words = split_words(normalise(pl.Series(sorted(set(listed("function_words"))))))
    single = words.pointers[:-1][np.diff(words.pointers) == 1]
    known: NDArray[np.uint64] = hash_set(
        words.hash[single][classes_of(words)[single] & ~np.uint32(FUNCTION | FUNCTION_HERE) == 0]
    )
    return known


def _plain(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Words of some letters of a script with capitals that begin with none, nor a sentence: no names, no numbers."""
    found: NDArray[np.bool_] = words.end - words.start >= SHORTEST
    found &= (words.flags & (NAMING | SENTENCE) == 0) & (normalised.codes[words.start] < CASELESS)
    return found


def _of_part(reads: Reads, min_chars: int, arrays: Arrays, number: int) -> pl.DataFrame:
    documents = reads[number]()
    normalised = normalise(documents["text"])
    words = split_words(normalised)
    kinds = Kinds(_light(), lexicon().keys, _plain(normalised, words))
    found = altered_copies(words, kinds, Passages(*(arrays[name] for name in Passages._fields)))
    longer = np.isin(documents["doc"].to_numpy(), arrays["longer"])
    chosen = np.array(_apart(found, words.pointers, longer), np.int64)
    if not len(chosen):
        return pl.DataFrame(schema=ALTERED)
    row = np.searchsorted(words.pointers, found.first[chosen], side="right") - 1
    spans = original_spans(normalised, words.start[found.first[chosen]], words.end[found.behind[chosen] - 1])
    docs, texts = documents["doc"].to_list(), documents["text"].to_list()
    ends = [
        _widened(texts[at], *span) for at, *span in zip(row.tolist(), *(end.tolist() for end in spans), strict=True)
    ]
    start, end = zip(*ends, strict=True)
    places = pl.DataFrame(
        {
            "fragment": arrays["fragment"][found.passage[chosen]],
            "doc": documents["doc"].gather(row),
            "start": pl.Series(start, dtype=pl.Int32),
            "end": pl.Series(end, dtype=pl.Int32),
            "exact": found.changes[chosen] == 0,
            "passage": found.passage[chosen],
            "inserted": arrays["inserted"][found.passage[chosen]],
        }
    ).sort("doc", "start")
    by_doc = dict(zip(docs, texts, strict=True))
    places = _with_same_signs(_further(places, arrays), by_doc, arrays)
    if places.is_empty():
        return pl.DataFrame(schema=ALTERED)
    looked = [
        some.drop("inserted", "exact", "passage").hstack(parts_of(by_doc, min_chars, some, inserted)[0])
        for (inserted,), some in places.group_by("inserted", maintain_order=True)
    ]
    return pl.concat(looked).drop_nulls("unit").select(pl.col(name).cast(kind) for name, kind in ALTERED.items())


def _with_same_signs(places: pl.DataFrame, texts: Mapping[int, str], arrays: Arrays) -> pl.DataFrame:
    """Places but for exact copies whose words stand beside other signs: "$5" is not "€5"."""
    exact = places.filter("exact")
    written = [texts[doc][start:end] for doc, start, end in exact.select("doc", "start", "end").iter_rows()]
    normalised = normalise(pl.Series(written, dtype=pl.String))
    words = split_words(normalised)
    found, bounds = signs(normalised, words), arrays["pointers"]
    other = [
        not np.array_equal(found[low:high], arrays["sign"][bounds[passage] : bounds[passage + 1]])
        for passage, (low, high) in zip(exact["passage"].to_list(), pairwise(words.pointers.tolist()), strict=True)
    ]
    return places.join(
        exact.filter(pl.Series(other, dtype=pl.Boolean)), on=["doc", "start"], how="anti", maintain_order="left"
    )


def _further(places: pl.DataFrame, arrays: Arrays) -> pl.DataFrame:
    """Places, by `doc`, but for exact copies where a passage is known of which something may be cut."""
    docs = places["doc"].to_numpy()
    here = slice(*np.searchsorted(arrays["known_doc"], [docs[0], docs[-1] + 1]).tolist())
    known = pl.DataFrame({name: np.asarray(arrays[f"known_{name}"][here]) for name in KNOWN})
    both = places.filter("exact").join(known.select("doc", low="start", high="end"), on="doc")
    taken = both.filter(pl.col("low") < pl.col("end"), pl.col("high") > pl.col("start"))
    return places.join(taken, on=["doc", "start"], how="anti", maintain_order="left")


def _apart(found: Copies, pointers: NDArray[np.int64], longer: NDArray[np.bool_]) -> list[int]:
    """Copies that overlap no other copy: of those that do, that with most words that are left unchanged.

    Exact ones are told only of the documents (bool[n]) in which a passage stands of which nothing is cut.
    """
    chosen: list[int] = []
    rows = np.searchsorted(pointers, found.first, side="right")
    edges = [*np.flatnonzero(np.diff(rows, prepend=-1)).tolist(), len(rows)]
    same = found.behind - found.first - found.changes
    told = (found.changes > 0) | longer[rows - 1]
    for begin, stop in pairwise(edges):
        if not told[begin:stop].any():
            continue
        taken: list[tuple[int, int]] = []
        for at in sorted(range(begin, stop), key=lambda at: (-same[at], found.changes[at], found.passage[at])):
            first, behind = int(found.first[at]), int(found.behind[at])
            if all(behind <= low or first >= high for low, high in taken):
                taken.append((first, behind))
                if told[at]:
                    chosen.append(at)
    return sorted(chosen)


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """A span with the marks around it: all up to the ends of the line, else those next to it."""
    low, high = start, end
    while low and text[low - 1] != "\n" and not text[low - 1].isalnum():
        low -= 1
    while high < len(text) and text[high] != "\n" and not text[high].isalnum():
        high += 1
    if low and text[low - 1] != "\n":
        low = start - len(text[low:start].split()[-1]) if low < start and not text[start - 1].isspace() else start
    if high < len(text) and text[high] != "\n":
        high = end + len(text[end:high].split()[0]) if high > end and not text[end].isspace() else end
    return low, high
