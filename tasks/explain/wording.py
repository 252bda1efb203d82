"""Words for redundancy types and verdicts, and quotation of texts of documents."""

import re
from typing import Any

from models.decision.types import REMOVES

TYPES = {
    "exact": "exact copy",
    "A": "same content in another template",
    "B": "lightly edited copy",
    "C": "short text with changed characters",
    "D": "contained in another document",
    "E": "viral passages cut",
    "F": "look-alike with other facts",
    "P": "the same in other words",
    "variant": "close in meaning, not in wording",
    "none": "different text",
}
"""What each type means, `E` being the only one whose documents stay."""


def typed(kind: str | None) -> str:
    """Name of a type as it is read aloud: "type B, copy with small edits"."""
    if kind is None:
        return "no type"
    return TYPES[kind] if len(kind) > 1 else f"type {kind}, {TYPES.get(kind, 'unknown')}"


def several(number: int, noun: str) -> str:
    """Number with its noun: "1 passage", "1,200 passages"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def shortened(text: str, length: int, *, keep: str = "head") -> str:
    """White space run together, and no more than about `length` code points.

    Args:
        text: any text.
        length: code points to keep, the mark of omission aside.
        keep: which end is kept: `head`, `tail` or `both`.
    """
    flat = re.sub(r"\s+", " ", text)
    if len(flat) <= length + 2:
        return flat
    if keep == "both":
        head = length * 2 // 3
        return f"{_cut_back(flat[:head])} … {_cut_front(flat[head - length :])}"
    return f"… {_cut_front(flat[-length:])}" if keep == "tail" else f"{_cut_back(flat[:length])} …"


def _cut_back(text: str) -> str:
    """Without the last, broken word, unless the text has no other."""
    whole = text.rpartition(" ")[0].rstrip()
    return whole if len(whole) >= len(text) // 2 else text


def _cut_front(text: str) -> str:
    whole = text.partition(" ")[2].lstrip()
    return whole if len(whole) >= len(text) // 2 else text


def why_apart(pair: dict[str, Any]) -> str:
    """Why a verified pair was kept apart, in a clause.

    Args:
        pair: row of `verified`.
    """
    facts = pair.get("changed_facts") or 0
    if pair.get("judge_source") == "review":
        return f"a person who compared them calls the pair {pair['judge_label']}"
    if pair["verdict"] == "variant":
        return f"close in meaning, not in wording{_facts(facts)}; semantic variants are listed, not removed"
    if pair["type"] == "D":
        return "contained by its wording, but not confirmed by meaning"
    if pair["verdict"] in REMOVES and pair.get("says_more"):
        return "one only lacks words of the other, and has look-alikes or stands in several that stay"
    if pair["verdict"] in REMOVES and pair.get("slot"):
        return (
            "one may go for the other, and did not: they differ in one place, and where others that were compared with "
            "them do, too, each is a record of one form; else it is protected, or others stand for both"
        )
    if pair["verdict"] in REMOVES and (pair.get("replaced_words") or pair.get("typographic") == 1):
        return "a word of one may be a slip of the other's, and did not count as one: it is one of several look-alikes"
    if pair["verdict"] in REMOVES:
        return "one may go for the other, and did not: it is protected, or others stand for both"
    if pair["type"] == "F" or facts:
        return f"another record{_facts(facts)} in otherwise shared text"
    return "what they share is too little beside what differs"


def _facts(number: int) -> str:
    return f": {several(number, 'changed fact')}" if number else ""
