"""Star join of codes within a Hamming radius, `eq:blocking`: stars where pairs would be too many."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from models.semantic.hamming.crowds import crowds
from models.semantic.hamming.join import Pairs, in_chunks, join
from models.semantic.hamming.kernel import Codes, count_near

__all__ = ["Pairs", "StarJoin", "distinct", "join"]

PROBES = 2048  # codes whose neighbours are counted to estimate the number of all pairs
Indices = NDArray[np.int64]


def distinct(codes: Codes) -> tuple[Codes, Indices, Indices]:
    """Return the different codes in rising order, the first index of each, and the place of every code among them.

    Args:
        codes: uint64[n].

    Returns:
        (unique uint64[u], first int64[u], inverse int64[n]) with `unique[inverse] == codes`.
    """
    unique, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return unique, first.astype(np.int64), inverse.astype(np.int64)


class StarJoin:
    """The pairs of a join that stays linear in time where very many codes are equal or nearly so.

    Codes that more than `hot` documents share link to the first `representatives` of these documents only, which alone
    stand for the others in the join. With `crowd`, a code that follows a leader (`models.semantic.hamming.crowds`)
    links to the first representatives of the crowd, as far as they are within the radius, and meets other followers
    only within half the radius, then a quarter and so on: the denser a region, the nearer a pair must be.

    Every pair is within the radius, and none comes twice. Working memory is about 100 bytes per code.
    """

    skipped: int
    """Pairs within the radius that were left out; set once all others were iterated over."""
    exact: bool
    """Whether `skipped` is exact: so unless there are crowds, whose pairs are estimated from a sample."""

    def __init__(
        self,
        codes: Codes,
        radius: int,
        hot: int,
        representatives: int,
        emit_rows: int = 1 << 20,
        threads: int = 1,
        crowd: int | None = None,
    ) -> None:
        """Prepare a join.

        Args:
            codes: uint64[n], n < 2^32.
            radius: largest number of differing bits, 0 to 64.
            hot: largest number of equal codes that are joined in full.
            representatives: of a larger group, and of a crowd.
            emit_rows: rows of every chunk but the last.
            threads: chunks are the same for any number.
            crowd: most codes within the radius of another before it leads a crowd; None for no limit.

        Raises:
            ValueError: an argument is out of range.
        """
        if hot < 1 or representatives < 1 or (crowd is not None and crowd < 1):
            raise ValueError(f"no such join: {hot=}, {representatives=}, {crowd=}")
        self._codes, self._radius, self._crowd = codes, radius, crowd
        self._representatives, self._emit_rows, self._threads = representatives, emit_rows, threads
        self._equal = _Equal(codes, hot, representatives)

    def __iter__(self) -> Iterator[Pairs]:
        """Yield chunks as `join` does."""
        self.skipped, self.exact = self._equal.left_out, True
        emitted = 0
        for chunk in in_chunks(self._pairs(), self._emit_rows):
            emitted += chunk[0].size
            yield chunk
        if not self.exact:
            self.skipped = max(0, _estimate_pairs(self._codes, self._radius) - emitted)

    def _pairs(self) -> Iterator[Pairs]:
        yield from self._equal.links()
        standing, radius = self._equal.standing, self._radius
        while standing.size:
            crowd = _Crowds(self._codes[standing], radius, self._crowd, self._representatives)
            self.exact &= not crowd.led.size
            for a, b, distance in crowd.links():
                yield standing[a], standing[b], distance
            joined = standing[crowd.joined]
            for a, b, distance in join(self._codes[joined], radius, self._emit_rows, self._threads):
                self.skipped += self._equal.stand_for(joined[a], joined[b])
                yield joined[a], joined[b], distance
            standing, radius = standing[crowd.led], radius // 2


class _Equal:
    """Groups of equal codes; in a hot one only the first documents stand in the join."""

    def __init__(self, codes: Codes, hot: int, representatives: int) -> None:
        unique, _, self._group = distinct(codes)
        self._size = np.bincount(self._group, minlength=unique.size)
        self._stand = np.where(self._size > hot, np.minimum(self._size, representatives), self._size)
        self._members = np.argsort(self._group, kind="stable")
        self._start = np.cumsum(self._size) - self._size
        self._rank = np.empty(codes.size, np.int64)
        self._rank[self._members] = np.arange(codes.size) - self._start[self._group[self._members]]
        stands = self._rank < self._stand[self._group]
        self.standing, self._others = np.flatnonzero(stands), np.flatnonzero(~stands)
        others = self._size - self._stand
        self.left_out = int((others * (others - 1) // 2).sum())

    def links(self) -> Iterator[Pairs]:
        """Yield each document that does not stand with each that stands for it."""
        group = self._group[self._others]
        for place in range(int(self._stand[group].max(initial=0))):
            has = self._stand[group] > place
            others = self._others[has]
            yield self._members[self._start[group[has]] + place], others, np.zeros(others.size, np.uint8)

    def stand_for(self, a: Indices, b: Indices) -> int:
        """Return how many pairs between groups stay unreported where the join reports these pairs."""
        once = (self._rank[a] == 0) & (self._rank[b] == 0)
        one, two = self._group[a[once]], self._group[b[once]]
        return int((self._size[one] * self._size[two] - self._stand[one] * self._stand[two]).sum())


class _Crowds:
    """Crowds among codes: `joined` are to be joined, `led` have links to representatives instead (indices)."""

    def __init__(self, codes: Codes, radius: int, crowd: int | None, representatives: int) -> None:
        self._codes, self._radius = codes, radius
        leader = np.full(codes.size, -1, np.int64) if crowd is None or not radius else crowds(codes, radius, crowd)
        members = np.flatnonzero(leader >= 0)
        members = members[np.lexsort((leader[members] != members, leader[members]))]  # each crowd, its leader first
        _, starts, place = np.unique(leader[members], return_index=True, return_inverse=True)
        rank = np.arange(members.size) - starts[place]
        self.led = np.sort(members[rank >= representatives])
        self.joined = np.flatnonzero(~np.isin(np.arange(codes.size), self.led, assume_unique=True))
        follows = place[rank >= representatives]
        self._pairs = [(members[starts[follows] + i], members[rank >= representatives]) for i in range(representatives)]

    def links(self) -> Iterator[Pairs]:
        """Yield each led code with the representatives of its crowd that are within the radius."""
        for one, two in self._pairs:
            distance = np.bitwise_count(self._codes[one] ^ self._codes[two])
            near = distance <= self._radius
            yield np.minimum(one, two)[near], np.maximum(one, two)[near], distance[near]


def _estimate_pairs(codes: Codes, radius: int) -> int:
    probes = np.unique(np.linspace(0, codes.size - 1, PROBES).astype(np.int64))
    return int(((count_near(codes, codes[probes], np.uint64(radius)) - 1).mean() * codes.size) // 2)
