"""Survivors: every removal is settled against a document that is itself kept, never through a chain."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner, kernel

KEPT = -1
"""Value in the survivor column of a document that stays."""


def settle(
    n: int,
    rank: NDArray[np.int64],
    loser: NDArray[np.int64],
    winner: NDArray[np.int64],
    score: NDArray[np.float32],
    tier: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Decide who stays, in order of rank.

    An edge says that the text of `loser` was checked directly against the text of `winner` and may be removed in its
    favour. A document is kept unless one of its edges names a winner that ranks before it and is itself kept; its
    survivor is then the kept winner with the best score, and among equal scores the one of lower rank. Clusters play
    no part, so a chain of resemblances cannot remove a document that resembles no survivor.

    A second look, in reverse order, removes documents that stand for none and may go in favour of a kept document of
    a later rank but no worse tier: an excerpt that ranks before the text that contains it.

    Args:
        n: number of documents; documents are 0 .. n - 1.
        rank: int64[n], lower is preferred; equal ranks are preferred in the order of documents.
        loser: int64[e], the document that may go.
        winner: int64[e], the document in whose favour.
        score: float32[e], higher is the better survivor; NaN counts as the worst.
        tier: int64[n], class of claim, lower is better; nothing is removed in favour of a worse tier on second look.

    Returns:
        int64[n], the survivor of each removed document, `KEPT` for those that stay. The answer does not depend on the
        order of the edges.

    Raises:
        ValueError: the arrays disagree in length, or an edge names a document outside 0 .. n - 1.
    """
    if not len(rank) == len(tier) == n:
        raise ValueError(f"{len(rank)} ranks and {len(tier)} tiers for {n} documents")
    if not len(loser) == len(winner) == len(score):
        raise ValueError(f"edges disagree in length: {len(loser)} losers, {len(winner)} winners, {len(score)} scores")
    for name, column in (("loser", loser), ("winner", winner)):
        if len(column) and not (column.min() >= 0 and column.max() < n):
            raise ValueError(f"{name} names a document outside 0..{n - 1}")
    order = np.argsort(rank, kind="stable")
    place = np.empty(n, np.int64)
    place[order] = np.arange(n)
    by_loser = np.argsort(loser, kind="stable")
    pointers = np.searchsorted(loser[by_loser], np.arange(n + 1))
    worst_last = np.where(np.isnan(score), -np.inf, score).astype(np.float32)
    survivor: NDArray[np.int64] = _settle(order, place, pointers, winner[by_loser], worst_last[by_loser], tier)
    return survivor


@kernel
def _settle(
    order: NDArray[np.int64],
    place: NDArray[np.int64],
    pointers: NDArray[np.int64],
    winner: NDArray[np.int64],
    score: NDArray[np.float32],
    tier: NDArray[np.int64],
) -> NDArray[np.int64]:
    survivor = np.full(len(order), KEPT, np.int64)
    standing_for = np.zeros(len(order), np.int64)
    for document in order:
        best = _best(document, place, place[document] - 1, place, pointers, winner, score, survivor)
        survivor[document] = best
        if best != KEPT:
            standing_for[best] += 1
    for document in order[::-1]:
        if survivor[document] == KEPT and not standing_for[document]:
            best = _best(document, tier, tier[document], place, pointers, winner, score, survivor)
            survivor[document] = best
            if best != KEPT:
                standing_for[best] += 1
    return survivor


@inner
def _best(
    document: int,
    claim: NDArray[np.int64],
    worst: int,
    place: NDArray[np.int64],
    pointers: NDArray[np.int64],
    winner: NDArray[np.int64],
    score: NDArray[np.float32],
    survivor: NDArray[np.int64],
) -> int:
    """The kept winner of a claim no worse than `worst` with the best score, then the best place; else `KEPT`."""
    best = KEPT
    best_score = np.float32(-np.inf)
    for edge in range(pointers[document], pointers[document + 1]):
        rival = winner[edge]
        if rival == document or claim[rival] > worst or survivor[rival] != KEPT:
            continue
        better = score[edge] > best_score or (score[edge] == best_score and place[rival] < place[best])
        if best == KEPT or better:
            best, best_score = rival, score[edge]
    return best
