"""Comparison of two texts, as if they were a corpus of their own."""

from typing import Any, NamedTuple

import polars as pl

from semhash_llm.runs import Settings, deduplicate, listed
from tasks.explain.differences import compare as differing
from tasks.runtime.errors import InputError

NAMES = ("a", "b")


class Comparison(NamedTuple):
    """What became of a pair.

    Attributes:
        verdict: "distinct", or which of them may go: "a goes" or "b goes".
        type: of redundancy, None where both stay.
        reason: in words.
        evidence: measures of the pair; empty where it was not compared, as exact copies and unlike texts.
        differences: how many stretches differ.
        shared: the longest stretch that both have.
    """

    verdict: str
    type: str | None
    reason: str
    evidence: dict[str, Any]
    differences: int
    shared: str


def compare(a: str, b: str, *, preset: str = "balanced", settings: Settings = ()) -> Comparison:
    """Compare two texts: verdict, evidence, and where they differ.

    Weights of words come from these two texts only, so a pair on the border may be decided otherwise in a corpus.

    Raises:
        InputError: one of them is no text, or an argument cannot be used.
    """
    for name, text in zip(NAMES, (a, b), strict=True):
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"{name} is no text but {text!r:.40}")
    rows = [{"doc_id": name, "text": text} for name, text in zip(NAMES, (a, b), strict=True)]
    alone = ["gate.canaries=false", "prescreen.min_shared=0"]
    result = deduplicate(rows, id="doc_id", preset=preset, settings=[*alone, *listed(settings)])
    fates = result.decisions
    gone = fates.filter(action="remove")
    pairs = pl.read_parquet(sorted((result.snapshot / "verified").glob("*.parquet")))
    found = differing(a, b)
    return Comparison(
        f"{gone['doc_id'][0]} goes" if gone.height else "distinct",
        gone["type"][0] if gone.height else None,
        gone["reason"][0] if gone.height else fates["reason"][0],
        pairs.drop("a_id", "b_id").row(0, named=True) if pairs.height else {},
        found.differences,
        found.shared,
    )
