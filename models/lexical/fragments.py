"""Passages repeated across otherwise different documents (type E, viral fragments).

`models/lexical/repeats.py` keeps the regions of text that can repeat, `models/lexical/suffixes.py` says of sorted
positions how long a passage beginning there occurs in enough documents. Here these passages are claimed within each
document, trimmed to whole words, the longest first and never overlapping; equal passages make one fragment. A short
passage inside a longer one that is repeated too is thus a fragment of its own only where that one does not cover it.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.lexical.anchors import Anchors, hash_passages, sorted_anchors
from models.lexical.claims import claim, passages, undecided
from models.lexical.occurrences import Occurrences, at_anchors, occurrences
from models.lexical.repeats import Regions, repeated_regions
from models.lexical.suffixes import count_hosts, shared_lengths
from models.lexical.text import Normalised, Words

BATCH = 1024
"""Vectors that are compared together, so that they stay in the caches."""


class Fragments(NamedTuple):
    """Repeated passages and where they occur, numbered by first occurrence.

    Attributes:
        codes: uint32[...], normalised code points of all fragments, flat.
        code_pointers: int64[f + 1], where each fragment begins in `codes`.
        hosts: int32[f], different documents that hold the passage, be it inside a longer fragment.
        pointers: int64[f + 1], first occurrence of each fragment in the arrays below.
        doc: int64[o], document of each occurrence, ascending within a fragment.
        position: int64[o], where it begins in the document's normalised text.
        start: int32[o], where it begins in the original, in code points.
        end: int32[o], where it ends there, exclusive; the spans of a document never overlap.
    """

    codes: NDArray[np.uint32]
    code_pointers: NDArray[np.int64]
    hosts: NDArray[np.int32]
    pointers: NDArray[np.int64]
    doc: NDArray[np.int64]
    position: NDArray[np.int64]
    start: NDArray[np.int32]
    end: NDArray[np.int32]


def fragments(normalised: Normalised, words: Words, min_chars: int, min_hosts: int) -> Fragments:
    """Find the repeated passages of one batch of documents.

    Args:
        normalised: n documents. Near-duplicates should be gone, since every document counts as a host.
        words: their words; a passage begins and ends between words.
        min_chars: least length of a passage in normalised code points, at least 2.
        min_hosts: least number of different documents that hold it, 2 to 65535.

    Raises:
        ValueError: a bound is out of range.
    """
    return fragments_in(repeated_regions(normalised, words, min_chars, min_hosts), min_chars, min_hosts)


def fragments_in(
    regions: Regions, min_chars: int, min_hosts: int, weight: NDArray[np.int32] | None = None, shards: int = 1
) -> Fragments:
    """Find the repeated passages of regions gathered a part at a time with the same bounds; see `fragments`.

    Takes about 10 bytes per code point of the regions beside the regions themselves (9 bytes), with shards less.

    Args:
        regions: where documents may repeat each other.
        min_chars: see `fragments`.
        min_hosts: see `fragments`.
        weight: int32[r], for how many documents that of each region counts; default 1.
        shards: shares in which suffixes are sorted, one after the other; they change nothing but time and memory.
    """
    search = _Search(regions, min_chars, min_hosts, weight, shards)
    start, end = claim(regions.edges, regions.pointers, *search.passages(), min_chars)
    _, leader, name = np.unique(hash_passages(regions.codes, start, end), return_index=True, return_inverse=True)
    fragment = np.argsort(np.argsort(leader))[name]
    leader.sort()
    hosts = search.hosts(start[leader], end[leader])
    code_pointers, codes = _slices(regions.codes, start[leader], end[leader])
    listed = np.argsort(fragment, kind="stable")
    start, end = start[listed], end[listed]
    region = np.searchsorted(regions.pointers, start, side="right") - 1
    return Fragments(
        codes=codes,
        code_pointers=code_pointers,
        hosts=hosts,
        pointers=np.searchsorted(fragment[listed], np.arange(len(leader) + 1)).astype(np.int64),
        doc=regions.doc[region],
        position=start - regions.pointers[region] + regions.offset[region],
        start=regions.origin[start],
        end=regions.origin[end],
    )


class _Search:
    """What is repeated in some regions, shard by shard; one shard alone is sorted once."""

    def __init__(
        self, regions: Regions, min_chars: int, min_hosts: int, weight: NDArray[np.int32] | None, shards: int
    ) -> None:
        _, first, row = np.unique(regions.doc, return_index=True, return_inverse=True)
        self._row = row.astype(np.int32)
        self._weight = np.ones(len(first), np.int32) if weight is None else weight[first].astype(np.int32)
        self._regions, self._min_chars, self._min_hosts = regions, min_chars, min_hosts
        self._text = (regions.codes, regions.pointers)
        sort = partial(sorted_anchors, *self._text, min_chars, shards=shards)
        self._sorted = cache(sort) if shards == 1 else sort
        self._shards = range(shards)

    def passages(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(start, end) of all shared passages of whole words that do not lie within another, in order.

        What is shared from a position reaches no less far than what is shared from an earlier one. So it is told at
        anchors first, and in between only where it reaches a word further at the next than at the last.
        """
        known, reach = self._reach(lambda anchors: at_anchors(self._regions.codes, anchors, self._min_chars))
        edges, pointers = self._regions.edges, self._regions.pointers
        asked = undecided(edges, pointers, known, reach, self._min_chars)
        found, answer = self._reach(lambda anchors: occurrences(*self._text, anchors, asked, self._min_chars))
        answer = answer[np.searchsorted(found, asked)]
        start, end = passages(edges, pointers, known, reach, asked, answer, self._min_chars)
        return start, end

    def hosts(self, start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.int32]:
        """For how many documents those that hold each passage count; starts ascend."""
        hosts = np.zeros(len(start), np.int32)
        for shard in self._shards:
            found = occurrences(*self._text, self._sorted(shard), start, self._min_chars)
            here = np.flatnonzero(np.isin(start, found.position, assume_unique=True))
            number = np.searchsorted(found.position, start[here])
            host, _ = _surroundings(self._regions.pointers, self._row, found.position)
            lengths = (end - start)[here]
            hosts[here] = count_hosts(found.order, found.common, host, self._weight, number, lengths)
        return hosts

    def _reach(self, find: Callable[[Anchors], Occurrences]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Positions in order, and where what is shared from there ends."""
        positions, ends = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for shard in self._shards:
            position, order, common = find(self._sorted(shard))
            host, rest = _surroundings(self._regions.pointers, self._row, position)
            shared = shared_lengths(order, common, host, self._weight, rest, self._min_hosts)
            positions.append(position)
            ends.append(position + shared)
        position, end = np.concatenate(positions), np.concatenate(ends)
        if len(self._shards) > 1:
            order = np.argsort(position)
            position, end = position[order], end[order]
        return position, end


def relevance(
    fragment_vectors: NDArray[np.floating], rest_vectors: NDArray[np.floating], fragment: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Say how much each fragment has to do with the documents around it (`eq:relevance`, mean over hosts).

    Args:
        fragment_vectors: [f, d], embedding of each fragment.
        rest_vectors: [h, d], embedding of a host without the fragment, one row per fragment and host; a row of zeros
            (nothing is left, so nothing can be said) does not count.
        fragment: int64[h], the fragment that each of these rows belongs to.

    Returns:
        float32[f], mean cosine within -1..1; NaN for a fragment without a host that counts.
    """
    norms = np.linalg.norm(fragment_vectors.astype(np.float64), axis=1)[fragment]
    cosine = np.empty(len(fragment))
    for begin in range(0, len(fragment), BATCH):
        here = slice(begin, begin + BATCH)
        whole, rest = fragment_vectors[fragment[here]].astype(np.float64), rest_vectors[here].astype(np.float64)
        norms[here] *= np.linalg.norm(rest, axis=1)
        cosine[here] = np.einsum("hd,hd->h", whole, rest)
    counts = norms > 0
    cosine = cosine[counts] / norms[counts]
    total = np.bincount(fragment[counts], weights=cosine, minlength=len(fragment_vectors))
    hosts = np.bincount(fragment[counts], minlength=len(fragment_vectors))
    mean = np.full(len(total), np.nan, np.float32)
    np.divide(total, hosts, out=mean, where=hosts > 0, casting="same_kind")
    return mean


@njit(cache=True, nogil=True)
def _surroundings(
    pointers: NDArray[np.int64], row: NDArray[np.int32], position: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The document of each position, and what is left of its region from there on; positions ascend."""
    host, rest, r = np.empty(len(position), np.int32), np.empty(len(position), np.int32), 0
    for i in range(len(position)):
        while pointers[r + 1] <= position[i]:
            r += 1
        host[i], rest[i] = row[r], pointers[r + 1] - 1 - position[i]
    return host, rest


@njit(cache=True, nogil=True)
def _slices(
    codes: NDArray[np.uint32], start: NDArray[np.int64], end: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    pointers = np.zeros(len(start) + 1, np.int64)
    pointers[1:] = np.cumsum(end - start)
    chosen = np.empty(pointers[-1], np.uint32)
    for i in range(len(start)):
        chosen[pointers[i] : pointers[i + 1]] = codes[start[i] : end[i]]
    return pointers, chosen
