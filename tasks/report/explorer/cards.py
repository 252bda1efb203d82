"""Cards of pairs as plain values: texts with what differs marked, scores, and grounds."""

import math
from typing import Any, NamedTuple

import polars as pl

from models.decision.types import REMOVES
from models.parameters import Parameters
from tasks.explain.archive import Archive
from tasks.explain.differences import Piece, compare
from tasks.explain.wording import why_apart
from tasks.report.explorer.grounds import COLUMNS, grounds

_READ = (
    "a_id", "b_id", "weighted_jaccard", "containment_a", "containment_b", "cosine", "type", "verdict", "changed_facts",
    "says_more", "slot", "replaced_words", "typographic", "judge_source", "judge_label", *COLUMNS,
)  # fmt: skip
"""Columns of `verified`, those that there are: one may be younger than the snapshot."""


class Room(NamedTuple):
    """Room that there is for a pair.

    Attributes:
        few: differences shown.
        side: bytes shown of a text, in UTF-8, so that what a page may grow by does not depend on the script.
        compared: code points of a text that are compared.
    """

    few: int
    side: int
    compared: int


class _Pair(NamedTuple):
    """What is known of a pair: both fates, the row of `verified`, and which side of that the first document is."""

    ids: tuple[str, str]
    fates: tuple[dict[str, Any], dict[str, Any]]
    verified: dict[str, Any]
    side: str

    @property
    def gone(self) -> bool:
        """Did the first document go in favour of the second?"""
        return bool(self.fates[0].get("action") == "remove" and self.fates[0].get("survivor_id") == self.ids[1])


def cards(archive: Archive, pairs: pl.DataFrame, room: Room) -> list[dict[str, Any]]:
    """Cards of pairs, in their order.

    Args:
        archive: the snapshot.
        pairs: `doc_id`, the document that went or the first of two that were kept, `other_id`, and maybe `picked`.
        room: that there is for each.
    """
    ids = pl.concat([pairs["doc_id"], pairs["other_id"]]).unique()
    listed = archive.table("decisions").filter(pl.col("doc_id").is_in(ids.implode())).collect()
    fates = {row["doc_id"]: row for row in listed.iter_rows(named=True)}
    verified, texts, parameters = _verified(archive, pairs), archive.originals(ids.to_list()), archive.parameters
    made = []
    for one, other, *picked in pairs.iter_rows():
        pair = _Pair((one, other), (fates.get(one, {}), fates.get(other, {})), *verified.get((one, other), ({}, "a")))
        told = {"picked": picked[0] if picked else [], "grounds": _grounds(pair, parameters)}
        made.append(_known(pair) | told | _differences(texts.get(one), texts.get(other), room))
    return made


def _known(pair: _Pair) -> dict[str, Any]:
    fate, verified = pair.fates[0], pair.verified
    card = {
        "ids": pair.ids,
        "sources": [one.get("source") or "" for one in pair.fates],
        "chars": [one.get("n_chars") for one in pair.fates],
    }
    if pair.gone:
        scores = {name: _digits(fate[name]) for name in ("similarity", "containment", "cosine")}
        return card | scores | {"outcome": "removed"} | {name: fate[name] for name in ("type", "stage", "reason")}
    return card | {
        "outcome": "may go" if verified.get("verdict") in REMOVES else "kept apart",
        "type": verified.get("type"),
        "stage": "verify",
        "similarity": _digits(verified.get("weighted_jaccard")),
        "containment": _digits(verified.get(f"containment_{pair.side}")),
        "cosine": _digits(verified.get("cosine")),
        "reason": _why_both(pair),
    }


def _why_both(pair: _Pair) -> str:
    """Why neither document of a pair went for the other."""
    if pair.verified.get("verdict") in REMOVES and any(fate.get("action") == "remove" for fate in pair.fates):
        return "One may go for the other, and did not: it went for a third document."
    return f"Kept: {why_apart(pair.verified)}." if pair.verified else ""


def _grounds(pair: _Pair, parameters: Parameters) -> list[list[Any]]:
    found = grounds(pair.verified, pair.side, parameters)
    return [[one.name, _digits(one.value), _digits(one.bar), one.most, _digits(one.margin)] for one in found]


def _verified(archive: Archive, pairs: pl.DataFrame) -> dict[tuple[str, str], tuple[dict[str, Any], str]]:
    """Rows of `verified` by pair, and which side of the row is the first document of the pair."""
    there = pairs.select(a_id="doc_id", b_id="other_id", side=pl.lit("a"))
    back = pairs.select(a_id="other_id", b_id="doc_id", side=pl.lit("b"))
    wanted = pl.concat([there, back]).lazy()
    ends = wanted.select("a_id", "b_id").collect().to_dict()
    known = archive.table("verified").collect_schema()
    names = [name for name in _READ if name in known]
    both = [pl.col(name).is_in(named.implode()) for name, named in ends.items()]  # read first, of all rows; of few more
    rows = archive.by_part("verified", lambda part: part.filter(*both).select(names).join(wanted, on=["a_id", "b_id"]))
    found = {}
    for row in rows.iter_rows(named=True):
        ids = row["a_id"], row["b_id"]
        found[ids if row["side"] == "a" else ids[::-1]] = row, row["side"]
    return found


def _differences(one: str | None, other: str | None, room: Room) -> dict[str, Any]:
    if one is None or other is None:
        return {"texts": None, "differences": 0, "shown": 0, "within": None}
    found = compare(one[: room.compared], other[: room.compared], room.few)
    return {
        "texts": [_shortened(pieces, room.side) for pieces in (found.one, found.other)],
        "differences": found.differences,
        "shown": found.shown,
        "within": room.compared if max(len(one), len(other)) > room.compared else None,
    }


def _shortened(pieces: list[Piece], room: int) -> list[list[Any]]:
    """Pieces as text and mark, of so many bytes together at most."""
    kept: list[list[Any]] = []
    for piece in pieces:
        held = piece.text.encode()
        text = piece.text if len(held) <= room else f"{held[:room].decode(errors='ignore')} …"
        kept.append([text, int(piece.marked)])
        room -= len(held)
        if room <= 0:
            break
    return kept


def _digits(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else round(value, 3)
