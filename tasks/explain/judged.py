"""Explanation of what the judge or a person said of a pair, for a terminal."""

from typing import Any

import polars as pl

from models.decision.llm_judge.injection_filter import suspicion
from tasks.explain.archive import Archive
from tasks.review import store as reviews
from tasks.runtime.visible import visible


def judged(archive: Archive, pair: dict[str, Any]) -> list[str]:
    """Lines on a row of `verified`: who judged it, how, and what came of both opinions; none where nobody did."""
    source = pair.get("judge_source")
    if source == "review":
        return [f"Reviewed: {pair['judge_label']}{_by(archive, pair)}"]
    if source == "model":
        automatic = f"p_dup {pair['p_dup']:.3f} ± {pair['sigma']:.3f}"
        said = f"{pair['judge_label']}, p {pair['judge_p']:.3f}, confidence {pair['judge_confidence']:.3f}"
        by = f"{pair['judge_model']}, prompt {pair['judge_prompt']}"
        return [
            f"Automation was not sure: {automatic}",
            f"Judge: {said} ({by})",
            f"Both together: {pair['p_final']:.3f}",
        ]
    if source == "suspicious":
        return [f"No judge was asked: {_swaying(archive, pair)}. Automation stands until a person reviews the pair"]
    return []


def _swaying(archive: Archive, pair: dict[str, Any]) -> str:
    """Documents that speak to a judge, and how."""
    texts = archive.originals({pair["a_id"], pair["b_id"]})
    found = {name: suspicion(text) for name, text in sorted(texts.items())}
    told = " and ".join(f"{visible(name)} ({kind})" for name, kind in found.items() if kind)
    return f"{told or 'a document'} could sway it"


def _by(archive: Archive, pair: dict[str, Any]) -> str:
    """Reviewer, time and note, as far as the table of reviews still has them."""
    told = reviews.load(archive.path.parents[1] / reviews.FILE)
    hashes = sorted(archive.text_hashes(pl.Series([pair["a_id"], pair["b_id"]]))["text_hash"])
    found = told.filter(pl.concat_list(reviews.PAIR) == pl.lit(hashes, pl.List(pl.String)))
    if found.is_empty():
        return ""
    row = found.row(0, named=True)
    return f" by {row['reviewer']}, {row['time']}{': ' + row['note'] if row['note'] else ''}"
