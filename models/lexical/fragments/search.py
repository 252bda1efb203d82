"""Passages repeated across otherwise different documents (type E, viral fragments).

`models/lexical/fragments/repeats.py` keeps the regions of text that can repeat, `suffixes.py` beside it says of sorted
positions how long a passage beginning there occurs in enough documents. Here these passages are claimed within each
document, trimmed to whole words, the longest first and never overlapping; equal passages make one fragment. A short
passage inside a longer one that is repeated too is thus a fragment of its own only where that one does not cover it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.lexical.fragments.anchors import Anchors, gather, hash_passages, sorted_anchors
from models.lexical.fragments.claims import claim, passages, undecided
from models.lexical.fragments.occurrences import Occurrences, at_anchors, occurrences, of_shard
from models.lexical.fragments.repeats import LaidRegions, Read, repeated_regions
from models.lexical.fragments.suffixes import count_hosts, shared_lengths
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
    regions = LaidRegions([repeated_regions(normalised, words, min_chars, min_hosts)])
    return fragments_in(regions, min_chars, min_hosts)


def fragments_in(
    regions: LaidRegions, min_chars: int, min_hosts: int, weight: NDArray[np.int32] | None = None, shards: int = 1
) -> Fragments:
    """Find the repeated passages of regions gathered a batch at a time with the same bounds; see `fragments`.

    Text is read in order only, batch by batch. Beside a batch this holds about 10 bytes for a code point of what is
    sorted at a time, so with shards less, 40 for a region and 100 for an occurrence of what it finds.

    Args:
        regions: where documents may repeat each other.
        min_chars: see `fragments`.
        min_hosts: see `fragments`.
        weight: int32[r], for how many documents that of each region counts; default 1.
        shards: shares in which suffixes are sorted, one after the other; they change nothing but time and memory.
    """
    search = _Search(regions, min_chars, min_hosts, weight, shards)
    claims = search.claims()
    _, leader, name = np.unique(claims.hashes, return_index=True, return_inverse=True)
    fragment = np.argsort(np.argsort(leader))[name]
    leader.sort()
    start, end = claims.start[leader], claims.end[leader]
    hosts = search.hosts(start, end)
    code_pointers, codes = _slices(regions, start, end)
    listed = np.argsort(fragment, kind="stable")
    start = claims.start[listed]
    region = np.searchsorted(regions.pointers, start, side="right") - 1
    return Fragments(
        codes=codes,
        code_pointers=code_pointers,
        hosts=hosts,
        pointers=np.searchsorted(fragment[listed], np.arange(len(leader) + 1)).astype(np.int64),
        doc=regions.doc[region],
        position=start - regions.pointers[region] + regions.offset[region],
        start=claims.first[listed],
        end=claims.last[listed],
    )


class _Claims(NamedTuple):
    """Passages that were given their text, in order: where they begin and end, what they are and where they came from.

    Attributes:
        start: int64[c], positions.
        end: int64[c], positions.
        hashes: uint64[c], see `hash_passages`.
        first: int32[c], code point of the original.
        last: int32[c], code point of the original.
    """

    start: NDArray[np.int64]
    end: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    first: NDArray[np.int32]
    last: NDArray[np.int32]


class _Search:
    """What is repeated in some regions, shard by shard; every shard is sorted once."""

    def __init__(
        self, regions: LaidRegions, min_chars: int, min_hosts: int, weight: NDArray[np.int32] | None, shards: int
    ) -> None:
        _, first, row = np.unique(regions.doc, return_index=True, return_inverse=True)
        self._row = row.astype(np.int32)
        self._weight = np.ones(len(first), np.int32) if weight is None else weight[first].astype(np.int32)
        self._regions, self._min_chars, self._min_hosts = regions, min_chars, min_hosts
        self._batches = range(len(regions.begin) - 1)
        sort = partial(sorted_anchors, regions.texts, min_chars, shards=shards)
        self._sorted = [[regions.lay(column) for column in sort(shard)] for shard in range(shards)]

    def claims(self) -> _Claims:
        """All shared passages of whole words, the longest first, each with what was still free of it.

        What is shared from a position reaches no less far than what is shared from an earlier one. So it is told at
        anchors first, and in between only where it reaches a word further at the next than at the last.
        """
        known = self._reach(at_anchors)
        asked = [self._regions.lay(self._undecided(batch, known)) for batch in self._batches]
        answers = self._reach(lambda anchors: self._asked(anchors, (read() for read in asked)), asked)
        claimed = [self._claimed(batch, known, answers) for batch in self._batches]
        return _Claims._make(np.concatenate(column) for column in zip(_NONE, *claimed, strict=True))

    def hosts(self, start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.int32]:
        """For how many documents those that hold each passage count; starts ascend."""
        hosts = np.zeros(len(start), np.int32)
        for anchors in self._shards():
            asked = of_shard(anchors, [start])
            found = occurrences(self._regions.texts, anchors, asked, self._min_chars)
            here, number = np.searchsorted(start, asked), np.searchsorted(found.position, asked)
            host, _ = _surroundings(self._regions.pointers, self._row, found.position)
            lengths = (end - start)[here]
            hosts[here] = count_hosts(found.order, found.common, host, self._weight, number, lengths)
        return hosts

    def _shards(self) -> Iterator[Anchors]:
        for laid in self._sorted:
            yield Anchors(*(read() for read in laid))

    def _asked(self, anchors: Anchors, asked: Iterable[NDArray[np.int64]]) -> Occurrences:
        return occurrences(self._regions.texts, anchors, of_shard(anchors, asked), self._min_chars)

    def _reach(self, find: Callable[[Anchors], Occurrences], asked: Sequence[Read] | None = None) -> list[list[Read]]:
        """Where what is shared from some positions ends: int64[2, n] of each shard, position and end, by batch.

        Args:
            find: gives the positions of a shard.
            asked: positions by batch, where only these matter.
        """
        told: list[list[Read]] = [[] for _ in self._batches]
        for anchors in self._shards():
            position, order, common = find(anchors)
            host, rest = _surroundings(self._regions.pointers, self._row, position)
            shared = shared_lengths(order, common, host, self._weight, rest, self._min_hosts)
            if asked:
                wanted = of_shard(anchors, (read() for read in asked))
                position, shared = wanted, shared[np.searchsorted(position, wanted)]
            reach = np.stack([position, position + shared])
            for batch, (begin, stop) in enumerate(pairwise(self._regions.shares(position).tolist())):
                told[batch].append(self._regions.lay(reach[:, begin:stop]))
        return told

    def _told(self, told: list[list[Read]], batch: int) -> NDArray[np.int64]:
        """What `_reach` said of a batch: positions within it in order, and the ends."""
        reach = np.concatenate([read() for read in told[batch]], axis=1) - self._regions.begin[batch]
        inside: NDArray[np.int64] = reach[:, np.argsort(reach[0], kind="stable")]
        return inside

    def _undecided(self, batch: int, known: list[list[Read]]) -> NDArray[np.int64]:
        edges, pointers = self._regions.edges(batch), self._regions.bounds(batch)
        asked = undecided(edges, pointers, *self._told(known, batch), self._min_chars)
        moved: NDArray[np.int64] = asked + self._regions.begin[batch]
        return moved

    def _claimed(self, batch: int, known: list[list[Read]], answers: list[list[Read]]) -> _Claims:
        """The claims of one batch; no passage reaches from one batch into another."""
        begin, codes, pointers = self._regions.text(batch)
        edges, origin = self._regions.edges(batch), self._regions.origin(batch)
        told = *self._told(known, batch), *self._told(answers, batch)
        start, end = claim(edges, pointers, *passages(edges, pointers, *told, self._min_chars), self._min_chars)
        return _Claims(start + begin, end + begin, hash_passages(codes, start, end), origin[start], origin[end])


_NONE = _Claims._make(np.empty(0, kind) for kind in (np.int64, np.int64, np.uint64, np.int32, np.int32))


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


def _slices(
    regions: LaidRegions, start: NDArray[np.int64], end: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """Code points of passages, flat, and where each begins among them; starts ascend."""
    pointers = np.zeros(len(start) + 1, np.int64)
    np.cumsum(end - start, out=pointers[1:])
    chosen = np.empty(pointers[-1], np.uint32)
    for text, (first, stop) in zip(regions.texts(), pairwise(regions.shares(start).tolist()), strict=True):
        gather(text.codes, start[first:stop] - text.begin, pointers[first : stop + 1], chosen)
    return pointers, chosen
