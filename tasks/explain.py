"""What happened to one document, for a terminal."""

import textwrap
from pathlib import Path
from typing import Any

import polars as pl

from models.decision.verdict import REMOVES
from tasks.archive import Archive
from tasks.differences import Comparison, Piece, compare
from tasks.wording import shortened, typed, visible, why_apart

LISTED = 20
"""Removed documents listed of those that a kept one stands for."""
NEAREST = 5
"""Pairs listed that were kept apart."""
QUOTED = 400
"""Code points quoted of a passage."""
WIDTH = 100
_COUNTED = {
    "longest_run": "words in the longest run",
    "replaced": "words replaced",
    "typographic": "words in another spelling",
    "changed_facts": "facts changed",
}


def explain(out: Path, doc_id: str) -> str:
    """Say what a run did to a document and on what grounds.

    Args:
        out: folder of the snapshots.
        doc_id: id of a document of the published snapshot.

    Raises:
        InputError: nothing is published, or no document has this id.
    """
    archive = Archive.current(out)
    fate = archive.decision(doc_id)
    lines = [_title(fate), "", _outcome(fate), *_paragraph(fate["reason"]), ""]
    if fate["action"] == "remove":
        lines += _removal(archive, fate)
    else:
        lines += [*_passages(archive, fate), *_stands_for(archive, fate), *_kept_apart(archive, fate)]
    lines += _taken(archive, doc_id)
    made = archive.manifest
    lines += [f"Snapshot {made['snapshot']} of {made['created']}; all of it: {archive.path / 'report.html'}"]
    return visible("\n".join(lines))


def _taken(archive: Archive, doc_id: str) -> list[str]:
    """Further input rows that came with the same id."""
    rows = archive.table("rejects").filter(pl.col("reason") == f"duplicate id '{doc_id}'").collect()
    return [
        f"Row {row} of {file} came with the same id and was rejected." for file, row, *_ in rows.head(3).iter_rows()
    ]


def _title(fate: dict[str, Any]) -> str:
    known = [f"{fate['n_chars']:,} characters"]
    known += [f"source {fate['source']}"] if fate["source"] else []
    known += ["protected"] if fate.get("protected") else []
    return f"{fate['doc_id']} ({', '.join(known)})"


def _outcome(fate: dict[str, Any]) -> str:
    if fate["action"] == "remove":
        kind, stage = typed(fate["type"]), fate["stage"]
        return f"REMOVED in favour of {fate['survivor_id']}: {kind}, at stage {stage}"
    if fate["action"] == "edit":
        return f"KEPT, SHORTENED by {fate['chars_cut']:,} of {fate['n_chars']:,} characters: {typed('E')}"
    return "KEPT as it is"


def _removal(archive: Archive, fate: dict[str, Any]) -> list[str]:
    one, other = fate["doc_id"], fate["survivor_id"]
    lines = [*_scores(archive, fate), ""]
    texts = archive.originals([one, other])
    missing = [name for name in (one, other) if name not in texts]
    if missing:
        gone = f"The passages cannot be shown: the workspace is gone ({archive.manifest['workspace']})."
        return [*lines, *_paragraph(gone), ""]
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
    lines = [f"  {name:<36}{value:.3f}" for name, value in named.items() if value is not None and value == value]
    lines += [f"  {words:<36}{pair[name]:,}" for name, words in _COUNTED.items() if pair and pair.get(name) is not None]
    proposed = _proposal(archive, one, other)
    lines += [f"  {'proposed by':<36}{proposed}"] if proposed else []
    return ["Scores", *lines] if lines else ["Compared by hash, then character by character after normalisation."]


def _pair(pairs: pl.LazyFrame, one: Any, other: Any, a: str, b: str) -> dict[str, Any] | None:
    here = ((pl.col(a) == one) & (pl.col(b) == other)) | ((pl.col(a) == other) & (pl.col(b) == one))
    found = pairs.filter(here).collect()
    return found.row(0, named=True) if found.height else None


def _proposal(archive: Archive, one: str, other: str) -> str | None:
    """Route by which the cascade found the pair; None without workspace, or for pairs of a later round."""
    candidates, numbers = archive.working("candidates"), _numbers(archive, one, other)
    if candidates is None or len(numbers) < 2:
        return None
    pair = _pair(candidates, numbers[one], numbers[other], "a", "b")
    if pair is None:
        return None
    names = {"semantic": "semantic block", "lexical": "banded LSH", "both": "semantic block and banded LSH"}
    told = names.get(pair["route"], "containment of sampled shingles")
    near = f", {pair['hamming']} of 64 bits apart" if pair["hamming"] is not None else ""
    return f"{told}{near}, sketches alike in {pair['similarity']:.0%} of their slots"


def _numbers(archive: Archive, *names: str) -> dict[str, int]:
    """Working numbers of documents; empty when the workspace is gone."""
    documents = archive.working("documents")
    if documents is None:
        return {}
    return dict(documents.filter(pl.col("doc_id").is_in(names)).select("doc_id", "doc").collect().iter_rows())


def _shared(found: Comparison) -> list[str]:
    if not found.shared:
        return ["The texts share no passage word for word."]
    return [f"Longest passage in common ({len(found.shared):,} characters)", *_quote(found.shared)]


def _differing(found: Comparison, one: str, other: str) -> list[str]:
    if not found.differences:
        return ["No word differs: only spacing, case or other signs do."]
    more = f", the first {found.shown} of {found.differences:,}" if found.shown < found.differences else ""
    return [
        f"What differs, in [brackets]{more}",
        *_paragraph(f"{one}:", "  "),
        *_paragraph(_bracketed(found.one), "    "),
        *_paragraph(f"{other}:", "  "),
        *_paragraph(_bracketed(found.other), "    "),
    ]


def _bracketed(pieces: list[Piece]) -> str:
    return "".join(f"[{piece.text.strip()}]" if piece.marked else piece.text for piece in pieces)


def _passages(archive: Archive, fate: dict[str, Any]) -> list[str]:
    """Repeated passages in the document: those that were cut, then those that were left."""
    here = archive.table("fragment_spans").filter(pl.col("doc_id") == fate["doc_id"]).sort("start")
    known = archive.table("fragments").select("fragment", "hosts", "relevance", "action")
    rows = list(here.join(known, on="fragment", how="left", maintain_order="left").collect().iter_rows(named=True))
    lines: list[str] = []
    for title, chosen in (
        ("Passages cut", [row for row in rows if row["cut"]]),
        ("Repeated passages left in place", [row for row in rows if not row["cut"]]),
    ):
        if chosen:
            lines.append(f"{title} (positions in code points of the original)")
        for row in chosen:
            lines.append(f"  {row['start']:,} to {row['end']:,}: fragment {row['fragment']}, {_about(row)}")
            lines += _quote(row["text"], "    ")
        lines += [""] if chosen else []
    return lines


def _about(row: dict[str, Any]) -> str:
    relevance = row["relevance"]
    related = "" if relevance is None or relevance != relevance else f", relevance to its hosts {relevance:.2f}"
    spared = "" if row["cut"] or row["action"] == "keep" else "; the document is protected or too little would be left"
    return f"found in {row['hosts']} documents{related}{spared}"


def _stands_for(archive: Archive, fate: dict[str, Any]) -> list[str]:
    removed = archive.table("decisions").filter(pl.col("survivor_id") == fate["doc_id"])
    rows = removed.sort("type", "doc_id").collect()
    if rows.is_empty():
        return ["It stands for no other document.", ""]
    lines = [f"Stands for {rows.height:,} removed document{'s' if rows.height > 1 else ''}"]
    for row in rows.head(LISTED).iter_rows(named=True):
        likeness = "" if row["similarity"] is None else f", weighted Jaccard {row['similarity']:.2f}"
        lines.append(f"  {row['doc_id']}: {typed(row['type'])}{likeness}")
    more = rows.height - LISTED
    return [*lines, *([f"  and {more:,} more"] if more > 0 else []), ""]


def _kept_apart(archive: Archive, fate: dict[str, Any]) -> list[str]:
    """Nearest pairs with documents that are kept as well, and why."""
    name = fate["doc_id"]
    mine = archive.table("verified").filter((pl.col("a_id") == name) | (pl.col("b_id") == name))
    partner = pl.when(pl.col("a_id") == name).then("b_id").otherwise("a_id")
    kept = archive.table("decisions").select(partner="doc_id", kept=pl.col("action") != "remove")
    apart = (
        mine.with_columns(partner=partner)
        .join(kept, on="partner", how="left")
        .filter(pl.col("kept") | ~pl.col("verdict").is_in(REMOVES))
        .sort(["weighted_jaccard", "cosine", "partner"], descending=[True, True, False])
        .collect()
    )
    if apart.is_empty():
        return [_alone(archive, name), ""]
    shown = apart.head(NEAREST)
    texts = archive.originals([name, *shown["partner"]])
    more = f", the nearest {NEAREST} of {apart.height:,}" if apart.height > NEAREST else ""
    lines = [f"Compared on the text and kept apart{more}"]
    for row in shown.iter_rows(named=True):
        gone = "" if row["kept"] else " (removed in favour of another)"
        lines.append(
            f"  {row['partner']}{gone}: weighted Jaccard {row['weighted_jaccard']:.2f}, cosine {row['cosine']:.2f}"
        )
        lines += _paragraph(f"{why_apart(row)}.", "    ")
        if name in texts and row["partner"] in texts:
            found = compare(texts[name], texts[row["partner"]], few=3)
            lines += _paragraph(f"here   {shortened(_bracketed(found.one), QUOTED)}", "    ")
            lines += _paragraph(f"there  {shortened(_bracketed(found.other), QUOTED)}", "    ")
    return [*lines, ""]


def _alone(archive: Archive, name: str) -> str:
    screened, number = archive.working("prescreen"), _numbers(archive, name).get(name)
    if screened is not None and number is not None:
        found = screened.filter((pl.col("doc") == number) & ~pl.col("in_play")).collect()
        if found.height:
            return "The pre-screen set it aside: it shares (almost) no wording with any other document."
    return "No other document came near enough to be compared with it and kept apart."


def _quote(text: str, indent: str = "  ") -> list[str]:
    return _paragraph(f"“{shortened(text.strip(), QUOTED, keep='both')}”", indent)


def _paragraph(text: str, indent: str = "") -> list[str]:
    flat = " ".join(text.split())
    return textwrap.wrap(flat, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
