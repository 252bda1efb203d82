"""Hosts of repeated passages: some of the documents that hold each, evenly chosen, in bounded memory."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import kernel

_DENSE = 16
"""Of documents of which this part or more are hosts, all are looked at; fewer hosts are sorted."""


class Hosts(NamedTuple):
    """Documents in which units of text stand.

    Attributes:
        unit: int64[chosen], ascending.
        place: int64[chosen], occurrence in the document that was chosen, the first of the unit there; the documents of
            a unit ascend.
    """

    unit: NDArray[np.int64]
    place: NDArray[np.int64]


def hosts(
    units: NDArray[np.int64],
    holders: NDArray[np.int64],
    places: NDArray[np.int64],
    doc: NDArray[np.int64],
    start: NDArray[np.int64],
    most: int,
) -> Hosts:
    """Choose some of the distinct documents of each unit.

    The occurrences of a unit are those of all passages that hold it. They are not listed: where many like passages hold
    many like units, each in many documents, there are more of them than fit into memory.

    Args:
        units: int64[units + 1], where the holders of each unit begin.
        holders: int64, passages that hold it.
        places: int64[passages + 1], where the occurrences of each passage begin.
        doc: int64, document of each occurrence.
        start: int64, and where it begins there.
        most: documents that are chosen of each unit, evenly in their order.
    """
    ids, dense = np.unique(doc, return_inverse=True)
    return Hosts(*_hosts(units, holders, places, dense.astype(np.int64), len(ids), start, most))


@kernel
def _hosts(
    units: NDArray[np.int64],
    holders: NDArray[np.int64],
    places: NDArray[np.int64],
    doc: NDArray[np.int64],
    documents: int,
    start: NDArray[np.int64],
    most: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows = len(units) - 1
    unit, place = np.empty(rows * most, np.int64), np.empty(rows * most, np.int64)
    met, first = np.full(documents, -1, np.int64), np.empty(documents, np.int64)
    touched = np.empty(documents, np.int64)
    chosen = 0
    for row in range(rows):
        found = 0
        for holder in holders[units[row] : units[row + 1]]:
            for at in range(places[holder], places[holder + 1]):
                here = doc[at]
                if met[here] != row:
                    met[here], first[here], touched[found] = row, at, here
                    found += 1
                elif start[at] < start[first[here]]:
                    first[here] = at
        if found * _DENSE >= documents:
            found = 0
            for here in range(documents):
                if met[here] == row:
                    touched[found] = here
                    found += 1
        else:
            touched[:found].sort()
        for nth in range(found):
            if found <= most or (nth + 1) * most // found > nth * most // found:
                unit[chosen], place[chosen] = row, first[touched[nth]]
                chosen += 1
    return unit[:chosen].copy(), place[:chosen].copy()
