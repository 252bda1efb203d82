"""Passages repeated across otherwise different documents (type E, viral fragments).

`models/lexical/fragments/repeats.py` keeps the regions of text that can repeat, `suffixes.py` beside it says of sorted
positions how long a passage beginning there occurs in enough documents. Here these passages are claimed within each
document, trimmed to whole words, the longest first and never overlapping; equal passages make one fragment. A short
passage inside a longer one that is repeated too is thus a fragment of its own only where that one does not cover it.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.kernels.jit import kernel
from models.lexical.fragments.anchors import Anchors, Marks, find_anchors, hash_passages, sort_anchors
from models.lexical.fragments.claims import claim, passages, undecided
from models.lexical.fragments.occurrences import Occurrences, at_anchors, occurrences, of_shard
from models.lexical.fragments.repeats import LaidBatch, LaidRegions, Read, repeated_regions
from models.lexical.fragments.suffixes import count_hosts, shared_lengths
from models.lexical.fragments.widths import without_fillers
from models.lexical.text import Normalised, Words, to_text

BATCH = 1024
"""Vectors that are compared together, so that they stay in the caches."""

Over = Callable[[Callable[[int], Any], Sequence[int]], Iterator[Any]]
"""Results of a work for each of some numbers, in their order, as `map` gives them."""


class Fragments(NamedTuple):
    """Repeated passages and where they occur, numbered by first occurrence.

    Attributes:
        texts: String[f], normalised.
        hosts: int32[f], different documents that hold the passage, be it inside a longer fragment.
        pointers: int64[f + 1], first occurrence of each fragment in the arrays below.
        doc: int64[o], document of each occurrence, ascending within a fragment.
        position: int64[o], where it begins in the document's normalised text.
        start: int32[o], where it begins in the original, in code points.
        end: int32[o], where it ends there, exclusive; the spans of a document never overlap.
    """

    texts: pl.Series
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
    regions = LaidRegions([LaidBatch.of(repeated_regions(normalised, words, min_chars, min_hosts))])
    return fragments_in(regions, min_chars, min_hosts)


def fragments_in(regions: LaidRegions, min_chars: int, min_hosts: int, shards: int = 1, over: Over = map) -> Fragments:
    """Find the repeated passages of regions gathered a batch at a time with the same bounds; see `fragments`.

    Text is read in order only, batch by batch. Beside a batch this holds about 10 bytes for a code point of what is
    sorted at a time, so with shards less, 40 for a region and 120 for an occurrence of what it finds.

    Args:
        regions: where documents may repeat each other.
        min_chars: see `fragments`.
        min_hosts: see `fragments`.
        shards: shares in which suffixes are sorted; they change nothing but time and memory.
        over: `map`, or what does as it does elsewhere: works on a shard, or on a batch, are independent of each other.
    """
    search = _Search.of(regions, min_chars, min_hosts)
    claims, anchors = _claims(search, shards, over)
    _, leader, name = np.unique(claims.hashes, return_index=True, return_inverse=True)
    fragment = np.argsort(np.argsort(leader))[name]
    leader.sort()
    spans = regions.lay([claims.start[leader], claims.end[leader]])
    hosts = np.zeros(len(leader), np.int32)
    for here, counted in over(partial(search.hosts, anchors, spans), range(shards)):
        hosts[here] = counted
    texts = over(partial(search.texts, spans), range(len(regions.batches)))
    listed = np.argsort(fragment, kind="stable")
    return Fragments(
        texts=pl.concat([pl.Series("text", [], pl.String), *texts]),
        hosts=hosts,
        pointers=np.searchsorted(fragment[listed], np.arange(len(leader) + 1)).astype(np.int64),
        doc=claims.doc[listed],
        position=claims.position[listed],
        start=claims.first[listed],
        end=claims.last[listed],
    )


class _Claims(NamedTuple):
    """Passages that were given their text, in order: where they begin and end, what they are and where they came from.

    Attributes:
        start: int64[c], positions.
        end: int64[c], positions.
        hashes: uint64[c], see `hash_passages`.
        doc: int64[c], the document of each.
        position: int64[c], where it begins in the document's normalised text.
        first: int32[c], code point of the original.
        last: int32[c], code point of the original.
    """

    start: NDArray[np.int64]
    end: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    doc: NDArray[np.int64]
    position: NDArray[np.int64]
    first: NDArray[np.int32]
    last: NDArray[np.int32]


_NONE = _Claims._make(
    np.empty(0, kind) for kind in (np.int64, np.int64, np.uint64, np.int64, np.int64, np.int32, np.int32)
)


def _claims(search: "_Search", shards: int, over: Over) -> tuple[_Claims, list[list[Read]]]:
    """All shared passages of whole words, the longest first, each with what was still free of it; and the anchors.

    What is shared from a position reaches no less far than what is shared from an earlier one. So it is told at
    anchors first, and in between only where it reaches a word further at the next than at the last.
    """
    batches = range(len(search.regions.batches))
    marks = [*over(partial(search.mark, shards), batches)]
    anchors = [*over(partial(search.sort, marks), range(shards))]
    known = [*over(partial(search.reach_at_anchors, anchors), range(shards))]
    asked = [*over(partial(search.undecided, known), batches)]
    answers = [*over(partial(search.reach_where_asked, anchors, asked), range(shards))]
    claimed = over(partial(search.claims, known, answers), batches)
    return _Claims._make(np.concatenate(column) for column in zip(_NONE, *claimed, strict=True)), anchors


class _Search(NamedTuple):
    """Text that is searched, and the works on its shards and batches, each of which can be done elsewhere.

    Attributes:
        regions: the text.
        pointers: int64[r + 1], the first position of each region.
        row: int32[r], the document of each region, numbered from 0.
        weight: int32[documents], for how many each counts.
        min_chars: see `fragments`.
        min_hosts: see `fragments`.
    """

    regions: LaidRegions
    pointers: Read
    row: Read
    weight: Read
    min_chars: int
    min_hosts: int

    @classmethod
    def of(cls, regions: LaidRegions, min_chars: int, min_hosts: int) -> Self:
        """Number the documents of some regions."""
        docs = [np.empty(0, np.int64), *(batch.doc() for batch in regions.batches)]
        weights = np.repeat([1, *(batch.weight for batch in regions.batches)], [len(doc) for doc in docs])
        _, first, row = np.unique(np.concatenate(docs), return_index=True, return_inverse=True)
        columns = regions.pointers(), row.astype(np.int32), weights[first].astype(np.int32)
        pointers, numbered, weight = regions.lay(columns)
        return cls(regions, pointers, numbered, weight, min_chars, min_hosts)

    def mark(self, shards: int, batch: int) -> list[Read]:
        """The anchors of a batch: where those of each shard begin, and columns of `Marks`."""
        begin, marks = find_anchors(self.regions.text(batch), self.min_chars, shards)
        return self.regions.lay([begin, *marks])

    def sort(self, marks: list[list[Read]], shard: int) -> list[Read]:
        """The anchors of a shard, as columns of `Anchors`."""
        here = [slice(*begin()[shard : shard + 2]) for begin, *_ in marks]
        several = [[column()[own].copy() for column in columns] for own, (_, *columns) in zip(here, marks, strict=True)]
        none = (np.empty(0, kind) for kind in (np.int64, np.int32, np.int32, np.int32, np.int32))
        mine = Marks._make(np.concatenate(column) for column in zip(none, *several, strict=True))
        return self.regions.lay(sort_anchors(self.regions.texts, mine, self.min_chars))

    def reach_at_anchors(self, anchors: list[list[Read]], shard: int) -> list[Read]:
        """Where what is shared from the anchors of a shard ends: int64[2, n] by batch, position and end."""
        found = at_anchors(_read(anchors[shard]))
        return self._by_batch(found.position, self._shared(found))

    def undecided(self, known: list[list[Read]], batch: int) -> Read:
        """Positions of a batch where what is known of the anchors does not say how far what is shared reaches."""
        one = self.regions.batches[batch]
        asked = undecided(one.edges(), one.pointers(), *self._told(known, batch), self.min_chars)
        return self.regions.lay([asked + self.regions.begin[batch]])[0]

    def reach_where_asked(self, anchors: list[list[Read]], asked: list[Read], shard: int) -> list[Read]:
        """Where what is shared from the asked positions of a shard ends, as `reach_at_anchors`."""
        here = _read(anchors[shard])
        wanted = of_shard(here, (read() for read in asked))
        found = occurrences(self.regions.texts, here, wanted, self.min_chars)
        return self._by_batch(wanted, self._shared(found)[np.searchsorted(found.position, wanted)])

    def claims(self, known: list[list[Read]], answers: list[list[Read]], batch: int) -> _Claims:
        """The claims of a batch; no passage reaches from one batch into another."""
        one, begin = self.regions.batches[batch], self.regions.begin[batch]
        codes, pointers, edges, origin = one.codes(), one.pointers(), one.edges(), one.origin()
        told = *self._told(known, batch), *self._told(answers, batch)
        start, end = claim(edges, pointers, *passages(edges, pointers, *told, self.min_chars), self.min_chars)
        region = np.searchsorted(pointers, start, side="right") - 1
        position = start - pointers[region] + one.offset()[region]
        hashes = hash_passages(codes, start, end)
        return _Claims(start + begin, end + begin, hashes, one.doc()[region], position, origin[start], origin[end])

    def hosts(
        self, anchors: list[list[Read]], spans: list[Read], shard: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Which of some passages, whose starts ascend, are of a shard; for how many documents their hosts count."""
        here, (start, end) = _read(anchors[shard]), (read() for read in spans)
        asked = of_shard(here, [start])
        found = occurrences(self.regions.texts, here, asked, self.min_chars)
        chosen, number = np.searchsorted(start, asked), np.searchsorted(found.position, asked)
        host, _ = _surroundings(self.pointers(), self.row(), found.position)
        lengths = (end - start)[chosen]
        return chosen, count_hosts(found.order, found.common, host, self.weight(), number, lengths)

    def texts(self, spans: list[Read], batch: int) -> pl.Series:
        """Texts of those passages that begin in a batch; starts ascend."""
        start, end = (read() for read in spans)
        text, here = self.regions.text(batch), slice(*self.regions.shares(start)[batch : batch + 2])
        own = zip((start[here] - text.begin).tolist(), (end[here] - text.begin).tolist(), strict=True)
        return pl.Series(
            "text", [to_text(without_fillers(text.codes[first:behind])) for first, behind in own], pl.String
        )

    def _shared(self, found: Occurrences) -> NDArray[np.int32]:
        host, rest = _surroundings(self.pointers(), self.row(), found.position)
        shared: NDArray[np.int32] = shared_lengths(found.order, found.common, host, self.weight(), rest, self.min_hosts)
        return shared

    def _by_batch(self, position: NDArray[np.int64], shared: NDArray[np.int32]) -> list[Read]:
        reach = np.stack([position, position + shared])
        return self.regions.lay(reach[:, a:b] for a, b in pairwise(self.regions.shares(position).tolist()))

    def _told(self, told: list[list[Read]], batch: int) -> NDArray[np.int64]:
        """What shards said of a batch: positions within it in order, and the ends."""
        reach = np.concatenate([shard[batch]() for shard in told], axis=1) - self.regions.begin[batch]
        inside: NDArray[np.int64] = reach[:, np.argsort(reach[0], kind="stable")]
        return inside


def _read(anchors: list[Read]) -> Anchors:
    return Anchors._make(read() for read in anchors)


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


@kernel
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
