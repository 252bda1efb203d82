"""Explanation of a removed document: scores, how the pair came up, what matches and what differs."""

from typing import Any

import polars as pl

from tasks.explain.archive import Archive
from tasks.explain.differences import Comparison, compare
from tasks.explain.judged import judged
from tasks.explain.terminal import bracketed, paragraph, quote

_COUNTED = {
    "longest_run": "words in the longest run",
    "replaced": "words replaced",
    "typographic": "words in another spelling",
    "changed_facts": "facts changed",
    "other_facts": "facts that make another record",
    "other_words": "words that make another record",
    "volatile": "facts that may differ",
}
_OWN = {
    "own": "its own content found in the survivor",
    "own_words": "words of its own content",
    "lacking": "share of its words the survivor lacks",
    "lacking_text": "share of its words, in running text, the survivor lacks",
    "text_run": "words of running text in a row only the removed one has",
}
"""Measures of the removed side of a pair."""


def removal(archive: Archive, fate: dict[str, Any]) -> list[str]:
    """Lines on a removed document, given its row of `decisions`."""
    one, other = fate["doc_id"], fate["survivor_id"]
    lines = [*_scores(archive, fate), ""]
    texts = archive.originals([one, other])
    found = compare(texts[one], texts[other])
    return [*lines, *_shared(found), "", *_differing(found, f"in {one}", f"in {other}"), ""]


def _scores(archive: Archive, fate: dict[str, Any]) -> list[str]:
    """Scores of the decision, then how the pair came up and what verification measured, as far as it is known."""
    one, other = fate["doc_id"], fate["survivor_id"]
    named = {
        "weighted Jaccard": fate["similarity"],
        "share of it found in the survivor": fate["containment"],
        "cosine": fate["cosine"],
    }
    pair = _pair(archive.table("verified"), one, other, "a_id", "b_id")
    if pair:
        named |= {"content in common": pair.get("share")}
        side = "a" if pair["a_id"] == one else "b"
        named |= {words: pair.get(f"{name}_{side}") for name, words in _OWN.items()}
        named |= {words: pair.get(name) for name, words in _COUNTED.items()}
    told = {name: _number(value) for name, value in named.items() if value is not None and value == value}
    if proposed := _proposal(archive, one, other):
        told["proposed by"] = proposed
    room = 2 + max(map(len, told), default=0)
    lines = [f"  {name:<{room}}{value}" for name, value in told.items()]
    lines += [line for said in judged(archive, pair or {}) for line in paragraph(said, "  ")]
    return ["Scores", *lines] if lines else ["Compared by hash, then character by character after normalisation."]


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def _pair(pairs: pl.LazyFrame, one: Any, other: Any, a: str, b: str) -> dict[str, Any] | None:
    here = ((pl.col(a) == one) & (pl.col(b) == other)) | ((pl.col(a) == other) & (pl.col(b) == one))
    found = pairs.filter(here).collect()
    return found.row(-1, named=True) if found.height else None


def _proposal(archive: Archive, one: str, other: str) -> str | None:
    """Route by which the cascade found the pair; None without workspace, or for pairs of a later round."""
    candidates, numbers = archive.working("candidates"), archive.numbers(one, other)
    if candidates is None or len(numbers) < 2:
        return None
    pair = _pair(candidates, numbers[one], numbers[other], "a", "b")
    if pair is None:
        return None
    names = {"semantic": "semantic block", "lexical": "banded LSH", "both": "semantic block and banded LSH"}
    told = names.get(pair["route"], "containment of sampled shingles")
    near = f", {pair['hamming']} of 64 bits apart" if pair["hamming"] is not None else ""
    return f"{told}{near}, sketches alike in {pair['similarity']:.0%} of their slots"


def _shared(found: Comparison) -> list[str]:
    if not found.shared:
        return ["The texts share no passage word for word."]
    return [f"Longest passage in common ({len(found.shared):,} characters)", *quote(found.shared)]


def _differing(found: Comparison, one: str, other: str) -> list[str]:
    if not found.differences:
        return ["No word differs: only spacing, case or other signs do."]
    more = f", the first {found.shown} of {found.differences:,}" if found.shown < found.differences else ""
    return [
        f"What differs, in [brackets]{more}",
        *paragraph(f"{one}:", "  "),
        *paragraph(bracketed(found.one), "    "),
        *paragraph(f"{other}:", "  "),
        *paragraph(bracketed(found.other), "    "),
    ]
