"""Passages repeated across otherwise different documents (type E, viral fragments).

`models/lexical/repeats.py` keeps the regions of text that can repeat, `models/lexical/suffixes.py` says for every
position how long a passage beginning there occurs in enough documents. Here these passages are claimed within each
document, trimmed to whole words, the longest first and never overlapping; equal passages make one fragment. A short
passage inside a longer one that is repeated too is thus a fragment of its own only where that one does not cover it.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.lexical.repeats import BEGIN, END, Regions, repeated_regions
from models.lexical.suffixes import common_prefixes, count_hosts, shared_lengths, suffix_order
from models.lexical.text import Normalised, Words


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
    regions: Regions, min_chars: int, min_hosts: int, weight: NDArray[np.int32] | None = None
) -> Fragments:
    """Find the repeated passages of regions gathered a part at a time with the same bounds; see `fragments`.

    Takes about 30 bytes per code point of the regions beside the regions themselves (9 bytes).

    Args:
        regions: where documents may repeat each other.
        min_chars: see `fragments`.
        min_hosts: see `fragments`.
        weight: int32[r], for how many documents that of each region counts; default 1.
    """
    _, first, row = np.unique(regions.doc, return_index=True, return_inverse=True)
    lengths = np.diff(regions.pointers)
    host = np.repeat(row.astype(np.int32), lengths)
    counting = np.ones(len(first), np.int32) if weight is None else weight[first].astype(np.int32)
    ends = np.repeat(regions.pointers[1:], lengths)
    rest = (ends - 1 - np.arange(len(ends))).astype(np.int32)
    order = suffix_order(regions.codes)
    common = common_prefixes(regions.codes, order)
    shared = shared_lengths(order, common, host, counting, rest, min_hosts)
    start, end = _passages(regions.edges, shared, min_chars)
    longest_first = np.argsort(start - end, kind="stable")
    start, end = _claim(regions.edges, start[longest_first], end[longest_first], min_chars)
    del shared, rest

    _, leader, name = np.unique(_hash_passages(regions.codes, start, end), return_index=True, return_inverse=True)
    fragment = np.argsort(np.argsort(leader))[name]
    leader.sort()
    hosts = count_hosts(order, common, host, counting, start[leader], end[leader] - start[leader])
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
    whole = fragment_vectors.astype(np.float64)[fragment]
    rest = rest_vectors.astype(np.float64)
    norms = np.linalg.norm(whole, axis=1) * np.linalg.norm(rest, axis=1)
    counts = norms > 0
    cosine = np.einsum("hd,hd->h", whole[counts], rest[counts]) / norms[counts]
    total = np.bincount(fragment[counts], weights=cosine, minlength=len(fragment_vectors))
    hosts = np.bincount(fragment[counts], minlength=len(fragment_vectors))
    mean = np.full(len(total), np.nan, np.float32)
    np.divide(total, hosts, out=mean, where=hosts > 0, casting="same_kind")
    return mean


def _slices(
    codes: NDArray[np.uint32], start: NDArray[np.int64], end: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    pointers = np.concatenate([np.zeros(1, np.int64), np.cumsum(end - start)])
    return pointers, codes[np.arange(pointers[-1]) + np.repeat(start - pointers[:-1], end - start)]


@njit(cache=True, nogil=True)
def _passages(
    edges: NDArray[np.uint8], shared: NDArray[np.int32], min_chars: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Trim what is shared to whole words: (start, end) of all that do not lie within another, in order."""
    start, end, kept = np.empty(len(edges), np.int64), np.empty(len(edges), np.int64), 0
    seen, cut, furthest = 0, 0, 0
    for p in range(len(edges)):
        if shared[p] < min_chars or not edges[p] & BEGIN:
            continue
        # What is shared from here reaches no less far than what was shared from earlier on: one sweep finds all cuts.
        for q in range(max(seen, p) + 1, p + shared[p] + 1):
            if edges[q] & END:
                cut = q
        seen = p + shared[p]
        if cut - p >= min_chars and cut > furthest:
            start[kept], end[kept] = p, cut
            furthest = cut
            kept += 1
    return start[:kept].copy(), end[:kept].copy()


@njit(cache=True, nogil=True)
def _claim(
    edges: NDArray[np.uint8], start: NDArray[np.int64], end: NDArray[np.int64], min_chars: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Take from every passage in turn what is still free; return (start, end) in the order of the text."""
    taken_until = np.zeros(len(edges), np.int64)
    claimed, kept = np.empty(len(edges) // min_chars + 1, np.int64), 0
    for i in range(len(start)):
        free = start[i]
        while free < end[i]:
            if taken_until[free] > 0:
                free = taken_until[free]
                continue
            first, after = free, free
            while after < end[i] and taken_until[after] == 0:
                after += 1
            last = after
            while first < last and not edges[first] & BEGIN:
                first += 1
            while first < last and not edges[last] & END:
                last -= 1
            if last - first >= min_chars:
                taken_until[first:last] = last
                claimed[kept] = first
                kept += 1
            free = after
    claimed = np.sort(claimed[:kept])
    return claimed, taken_until[claimed]


@njit(cache=True, nogil=True)
def _hash_passages(codes: NDArray[np.uint32], start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.uint64]:
    """64 well-mixed bits per passage: among a million fragments two fall together once in 30 million runs."""
    hashes = np.empty(len(start), np.uint64)
    for i in range(len(start)):
        value = np.uint64(end[i] - start[i])
        for p in range(start[i], end[i]):
            value = (value ^ np.uint64(codes[p])) * np.uint64(0x9E3779B97F4A7C15)
            value ^= value >> np.uint64(29)
        hashes[i] = value
    return hashes
