"""Metrics of the paper on labelled documents, and beside them the harm that they leave out.

Labels come in the benchmark's format. `truth`: doc_id, type (A–F or background), group_id, role. `fragments`:
fragment_id, doc_id, start, end: one row per occurrence, half-open, in code points of the original text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import polars as pl

from models.decision.types import DUPLICATES

WEIGHTS: Mapping[str, float] = MappingProxyType({"A": 0.25, "B": 0.15, "C": 0.20, "D": 0.20, "E": 0.20})
"""w_t of `eq:final_score`."""

MIN_PRESERVATION = 0.90
"""Share of type F below which `eq:circuit_breaker` sets the final score to 0."""

REMOVED_SHARE = 0.80
"""Share of an occurrence's code points from which it counts as removed."""


@dataclass(frozen=True)
class Harm:
    """What a run did that it should not have done.

    Attributes:
        background_removed: documents of type background removed.
        background_removed_share: the same over all documents of type background; None without any.
        lookalikes_removed: documents of type F removed.
        hosts_removed: documents of type E removed; only their fragments should have gone.
        groups_lost: groups of types A to D of which no document was kept.
        wrong_survivors: removed documents of types A to D whose survivor is missing or not of their group.
        other_chars_cut: code points cut from kept documents outside every labelled fragment.
        other_chars_cut_share: the same over all code points of the kept documents; None when none is kept.
    """

    background_removed: int
    background_removed_share: float | None
    lookalikes_removed: int
    hosts_removed: int
    groups_lost: int
    wrong_survivors: int
    other_chars_cut: int
    other_chars_cut_share: float | None


@dataclass(frozen=True)
class Evaluation:
    """Scores of a run; a share over nothing is None.

    Attributes:
        scores: S_A … S_E in [0, 1], by type.
        preservation: share of type F kept.
        final: 0 to 100.
        harm: what the scores leave out.
    """

    scores: dict[str, float | None]
    preservation: float | None
    final: float | None
    harm: Harm


def evaluate(truth: pl.DataFrame, fragments: pl.DataFrame, decisions: pl.DataFrame, spans: pl.DataFrame) -> Evaluation:
    """Score a run against labels.

    Args:
        truth: doc_id, type, group_id, role; one row per labelled document.
        fragments: fragment_id, doc_id, start, end.
        decisions: doc_id, action (keep, remove, edit), survivor_id, n_chars; documents without a label are left out.
        spans: doc_id, start, end, cut.

    Raises:
        ValueError: a labelled document has no decision, or a document is labelled or decided twice.
    """
    fates = fates_of(truth, decisions)
    scores = {kind: deletion_recall(fates, kind) for kind in "ABC"}
    scores["D"] = containment_accuracy(fates)
    scores["E"] = fragment_rate(fragments, fates, spans)
    preservation = preservation_rate(fates)
    return Evaluation(scores, preservation, final_score(scores, preservation), harm(fates, fragments, spans))


def fates_of(truth: pl.DataFrame, decisions: pl.DataFrame) -> pl.DataFrame:
    """Return the labelled documents with `kept` (bool), `survivor_id` and `n_chars`.

    Raises:
        ValueError: a labelled document has no decision, or a document is labelled or decided twice.
    """
    for name, frame in (("truth", truth), ("decisions", decisions)):
        if frame["doc_id"].is_duplicated().any():
            raise ValueError(f"{name}: documents listed twice")
    decided = decisions.select("doc_id", "survivor_id", "n_chars", kept=pl.col("action") != "remove")
    fates = truth.select("doc_id", "type", "group_id", "role").join(decided, on="doc_id", how="left")
    undecided = fates.filter(pl.col("kept").is_null())["doc_id"]
    if len(undecided):
        raise ValueError(f"{len(undecided)} labelled documents without a decision, among them {undecided[0]}")
    return fates


def deletion_recall(fates: pl.DataFrame, kind: str) -> float | None:
    """Return S_t of `eq:deletion_recall` for type A, B or C."""
    return _earned_share(deletions(fates, kind))


def containment_accuracy(fates: pl.DataFrame) -> float | None:
    """Return S_D of `eq:containment_acc`."""
    return _earned_share(containments(fates))


def fragment_rate(fragments: pl.DataFrame, fates: pl.DataFrame, spans: pl.DataFrame) -> float | None:
    """Return S_E of `eq:fragment_rate`."""
    return _earned_share(cuttings(fragments, fates, spans))


def preservation_rate(fates: pl.DataFrame) -> float | None:
    """Return the share of documents of type F that are kept, the left side of `eq:circuit_breaker`."""
    return _earned_share(preservations(fates))


def deletions(fates: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Return unit (group of type A, B or C), earned (Del_correct) and possible (|g| - 1) of `eq:deletion_recall`.

    Del_correct(g) is the number of removed documents of the group while it keeps at least one (so at most |g| - 1),
    and 0 for a group that lost all of them.
    """
    groups = fates.filter(pl.col("type") == kind).group_by(unit="group_id").agg(pl.len(), pl.col("kept").sum())
    removed = pl.when(pl.col("kept") > 0).then(pl.col("len") - pl.col("kept")).otherwise(0)
    return groups.select("unit", earned=removed, possible=pl.col("len") - 1)


def containments(fates: pl.DataFrame) -> pl.DataFrame:
    """Return unit (group of type D), earned and possible of `eq:containment_acc`.

    Removed children count only while the group's parent is kept.
    """
    parent, child = pl.col("role") == "parent", pl.col("role") == "child"
    parent_kept = (parent & pl.col("kept")).any()
    removed = pl.when(parent_kept).then((child & ~pl.col("kept")).sum()).otherwise(0)
    return fates.filter(pl.col("type") == "D").group_by(unit="group_id").agg(earned=removed, possible=child.sum())


def cuttings(fragments: pl.DataFrame, fates: pl.DataFrame, spans: pl.DataFrame) -> pl.DataFrame:
    """Return unit (fragment), earned (occurrences removed) and possible (occurrences) of `eq:fragment_rate`.

    An occurrence is removed when at least `REMOVED_SHARE` of its code points were cut. Only cuts count: occurrences in
    removed hosts are left out of both sums, so that deleting hosts cannot pass for cutting.
    """
    hosts = fates.filter("kept")["doc_id"].implode()
    occurrences = fragments.with_columns(present=pl.col("doc_id").is_in(hosts)).with_row_index("occurrence")
    shared = _overlaps(occurrences, _cuts(spans)).group_by("occurrence").agg(cut=pl.col("shared").sum())
    removed = pl.col("cut").fill_null(0) / (pl.col("end") - pl.col("start")) >= REMOVED_SHARE
    return (
        occurrences.join(shared, on="occurrence", how="left")
        .group_by(unit="fragment_id")
        .agg(earned=(removed & pl.col("present")).sum(), possible=pl.col("present").sum())
    )


def preservations(fates: pl.DataFrame) -> pl.DataFrame:
    """Return unit (group of look-alikes), earned (documents kept) and possible (documents) of `eq:circuit_breaker`."""
    group = pl.coalesce("group_id", "doc_id")
    kept = pl.col("kept").sum()
    return fates.filter(pl.col("type") == "F").group_by(unit=group).agg(earned=kept, possible=pl.len())


def final_score(scores: Mapping[str, float | None], preservation: float | None) -> float | None:
    """Return `eq:final_score`, 0 to 100, after `eq:circuit_breaker`.

    It is None when a type has no score, and the breaker is not tripped when there is no type F.
    """
    if preservation is not None and preservation < MIN_PRESERVATION:
        return 0.0
    known = {kind: score for kind in WEIGHTS if (score := scores[kind]) is not None}
    if len(known) < len(WEIGHTS):
        return None
    return 100 * sum(weight * known[kind] for kind, weight in WEIGHTS.items())


def harm(fates: pl.DataFrame, fragments: pl.DataFrame, spans: pl.DataFrame) -> Harm:
    """Return what the run should not have done; see `Harm` for each figure."""
    removed = fates.filter(~pl.col("kept"))
    background = removed.filter(pl.col("type") == "background").height
    grouped = fates.filter(pl.col("type").is_in(DUPLICATES))
    groups = grouped.group_by("type", "group_id").agg(pl.col("kept").any())
    survivors = fates.select(survivor_id="doc_id", survivor_group="group_id", survivor_type="type")
    same_group = (pl.col("group_id") == pl.col("survivor_group")) & (pl.col("type") == pl.col("survivor_type"))
    losers = grouped.filter(~pl.col("kept")).join(survivors, on="survivor_id", how="left")
    kept = fates.filter("kept")
    other = _other_chars(kept, fragments, spans)
    return Harm(
        background_removed=background,
        background_removed_share=_share(background, fates.filter(pl.col("type") == "background").height),
        lookalikes_removed=removed.filter(pl.col("type") == "F").height,
        hosts_removed=removed.filter(pl.col("type") == "E").height,
        groups_lost=groups.filter(~pl.col("kept")).height,
        wrong_survivors=losers.filter(~same_group.fill_null(False)).height,
        other_chars_cut=other,
        other_chars_cut_share=_share(other, _sum(kept["n_chars"])),
    )


def _other_chars(kept: pl.DataFrame, fragments: pl.DataFrame, spans: pl.DataFrame) -> int:
    """Return the code points cut from kept documents outside all labelled fragments."""
    cuts = _cuts(spans.join(kept, on="doc_id", how="semi"))
    return _sum(cuts["end"] - cuts["start"]) - _sum(_overlaps(_merged(fragments), cuts)["shared"])


def _cuts(spans: pl.DataFrame) -> pl.DataFrame:
    return _merged(spans.filter("cut"))


def _merged(intervals: pl.DataFrame) -> pl.DataFrame:
    """Return doc_id, start, end with overlapping and touching intervals of a document joined."""
    wide = intervals.select("doc_id", pl.col("start", "end").cast(pl.Int64)).sort("doc_id", "start", "end")
    apart = pl.col("start") > pl.col("end").cum_max().shift().over("doc_id")
    return (
        wide.with_columns(run=apart.fill_null(True).cum_sum())
        .group_by("run", maintain_order=True)
        .agg(pl.col("doc_id").first(), pl.col("start").min(), pl.col("end").max())
        .drop("run")
    )


def _overlaps(left: pl.DataFrame, right: pl.DataFrame) -> pl.DataFrame:
    """Return `left` joined with each interval of `right` that it overlaps, and `shared` code points."""
    shared = pl.min_horizontal("end", "end_right") - pl.max_horizontal("start", "start_right")
    return left.join(right, on="doc_id").with_columns(shared=shared).filter(pl.col("shared") > 0)


def _sum(counts: pl.Series) -> int:
    return int(counts.sum())


def _earned_share(units: pl.DataFrame) -> float | None:
    return _share(_sum(units["earned"]), _sum(units["possible"]))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
