"""Cards of pairs as plain values: texts with what differs marked, scores, and grounds."""

import math
from typing import Any

import polars as pl

from models.decision.types import REMOVES
from tasks.explain.archive import Archive
from tasks.explain.differences import Piece, compare
from tasks.explain.wording import why_apart
from tasks.report.chapters.pairs import LONGEST
from tasks.report.explorer.grounds import COLUMNS, grounds

FEW = 3
"""Differences shown of a pair."""
SIDE = 700
"""Bytes shown of a text, in UTF-8: what the page may grow by does not depend on the script."""
_READ = (
    "a_id", "b_id", "weighted_jaccard", "containment_a", "containment_b", "cosine", "type", "verdict", "changed_facts",
    "judge_source", "judge_label", *COLUMNS,
)  # fmt: skip
"""Columns of `verified`, those that there are: one may be younger than the snapshot."""


def cards(archive: Archive, pairs: pl.DataFrame, few: int = FEW, side: int = SIDE) -> list[dict[str, Any]]:
    """Cards of pairs, in their order.

    Args:
        archive: the snapshot.
        pairs: `doc_id`, the document that went or the first of two that were kept, `other_id`, and maybe `picked`.
        few: differences shown of a pair.
        side: bytes shown of a text.
    """
    ids = pl.concat([pairs["doc_id"], pairs["other_id"]]).unique()
    listed = archive.table("decisions").filter(pl.col("doc_id").is_in(ids.implode())).collect()
    fates = {row["doc_id"]: row for row in listed.iter_rows(named=True)}
    compared = _compared(archive, pairs)
    texts = archive.originals(ids.to_list())
    parameters = archive.parameters
    made = []
    for row in pairs.iter_rows(named=True):
        one, other = row["doc_id"], row["other_id"]
        fate = fates.get(one, {})
        gone = fate.get("action") == "remove" and fate.get("survivor_id") == other
        pair, here = compared.get((one, other), ({}, "a"))
        made.append(
            {
                "ids": [one, other],
                "sources": [(fates.get(name) or {}).get("source") or "" for name in (one, other)],
                "chars": [(fates.get(name) or {}).get("n_chars") for name in (one, other)],
                "outcome": _outcome(gone, pair),
                "type": fate["type"] if gone else pair.get("type"),
                "stage": fate["stage"] if gone else "verify",
                "similarity": _digits(fate.get("similarity") if gone else pair.get("weighted_jaccard")),
                "containment": _digits(fate.get("containment") if gone else pair.get(f"containment_{here}")),
                "cosine": _digits(fate.get("cosine") if gone else pair.get("cosine")),
                "reason": fate.get("reason", "") if gone else _why_both(pair),
                "picked": row.get("picked", []),
                "grounds": [
                    [one.name, _digits(one.value), _digits(one.bar), one.most, _digits(one.margin)]
                    for one in grounds(pair, here, parameters)
                ],
                **_differences(texts.get(one), texts.get(other), few, side),
            }
        )
    return made


def _outcome(gone: bool, pair: dict[str, Any]) -> str:
    return "removed" if gone else "may go" if pair.get("verdict") in REMOVES else "kept apart"


def _why_both(pair: dict[str, Any]) -> str:
    """Why neither document of a pair went for the other."""
    if pair.get("verdict") in REMOVES:
        return "One may go for the other, and did not: it went for a third document, or others stand for both."
    return f"Kept: {why_apart(pair)}." if pair else ""


def _compared(archive: Archive, pairs: pl.DataFrame) -> dict[tuple[str, str], tuple[dict[str, Any], str]]:
    """Rows of `verified` by pair, and which side of the row is the first document of the pair."""
    there = pairs.select(a_id="doc_id", b_id="other_id", side=pl.lit("a"))
    back = pairs.select(a_id="other_id", b_id="doc_id", side=pl.lit("b"))
    wanted = pl.concat([there, back]).lazy()
    verified = archive.table("verified")
    names = [name for name in _READ if name in verified.collect_schema()]
    rows = verified.select(names).join(wanted, on=["a_id", "b_id"], how="inner").collect(engine="streaming")
    found = {}
    for row in rows.iter_rows(named=True):
        ids = row["a_id"], row["b_id"]
        found[ids if row["side"] == "a" else ids[::-1]] = row, row["side"]
    return found


def _differences(one: str | None, other: str | None, few: int, side: int) -> dict[str, Any]:
    if one is None or other is None:
        return {"texts": None, "differences": 0, "shown": 0}
    found = compare(one[:LONGEST], other[:LONGEST], few)
    texts = [_shortened(found.one, side), _shortened(found.other, side)]
    return {"texts": texts, "differences": found.differences, "shown": found.shown}


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
