"""Every pair of documents with Jaccard similarity 0.8 or more, without sketches: what a lexical lane should remove.

    python -m tests.benchmarks.speed.exact_jaccard FOLDER [--removed FILE ...] [--check 1000]

A gram is what the method calls a shingle (`models.lexical.sketch.shingles`): five words of the normalised text, in
texts below `--short-chars` characters or of fewer than ten words five characters of their skeleton; a document is the
set of its grams. Nothing but that definition is shared with what is judged: pairs are found by an inverted index over
the rarest grams (prefix filter, Chaudhuri et al. 2006), which loses none, and counted on the sets themselves; `--check
N` compares the first N documents with all pairs counted one by one. Memory is about 16 bytes per gram.

Keeping is greedy: the more complete document first (on a scale of steps of a quarter), then the one with more
neighbours, then the smaller id; whoever has a kept neighbour goes. Texts that are equal after normalisation count as
one, of which the smallest id stays. As two tools may keep different ones of two duplicates and both be right, files
`--removed` (one id per line) are judged twice: against the set that the reference removes, and by themselves. Then a
document is *wrongly* removed if nothing that is kept resembles it, and *missed* if it would still go in favour of
another kept one.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numba import njit

from models.lexical.sketch.shingles import shingle
from models.lexical.text import normalise, split_words, text_hash

THRESHOLD = 0.8
STEP = float(np.log(1.25))
BATCH = 4096
TINY = 1e-9
"""Below the distance of any two quotients of set sizes, above rounding."""


class Sets(NamedTuple):
    """n documents as sets of grams; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        gram: int32, the grams that stand in at least two documents, the rarest first.
        pointers: int64[n+1].
        size: int64[n], all grams of a document.
    """

    gram: np.ndarray
    pointers: np.ndarray
    size: np.ndarray


class Reference(NamedTuple):
    """What should go: ids in order, row of the text that each stands for, pairs of those rows, rank, and who goes."""

    ids: np.ndarray
    stands_for: np.ndarray
    a: np.ndarray
    b: np.ndarray
    rank: np.ndarray
    removed: np.ndarray


def reference(folder: Path, short_chars: int, threshold: float = THRESHOLD) -> Reference:
    """Read a corpus (doc_id, text) and settle it by all pairs."""
    ids, first, sets, content = read(folder, short_chars)
    a, b = similar_pairs(*sets, threshold)
    neighbours = np.bincount(np.concatenate([a, b]), minlength=len(ids))
    order = np.lexsort((np.arange(len(ids)), -neighbours, -np.floor(np.log(content) / STEP)))
    rank = np.empty(len(ids), np.int64)
    rank[order] = np.arange(len(ids))
    gone = greedy(rank, a, b, first == np.arange(len(ids)))
    return Reference(ids, first, a, b, rank, gone[first] | (first != np.arange(len(ids))))


def read(folder: Path, short_chars: int) -> tuple[np.ndarray, np.ndarray, Sets, np.ndarray]:
    """Ids in order, the first row of the same text, grams (none of later copies), and how much a document says."""
    table = pl.read_parquet(folder / "part-*.parquet", columns=["doc_id", "text"]).sort("doc_id")
    hashes, sizes, content, same = [], [], [], []
    for part in table.iter_slices(BATCH):
        normalised = normalise(part["text"])
        grams = shingle(normalised, split_words(normalised), short_chars)
        hashes.append(grams.hash)
        sizes.append(np.diff(grams.pointers))
        content.append(np.where(grams.short, part["text"].str.len_chars().to_numpy(), sizes[-1]))
        same += text_hash(normalised)
    _, first, group = np.unique(np.array(same), return_index=True, return_inverse=True)
    size = np.concatenate(sizes)
    alone = np.repeat(first[group] == np.arange(table.height), size)
    size[first[group] != np.arange(table.height)] = 0
    sets = ranked(np.concatenate(hashes)[alone], size)
    return table["doc_id"].to_numpy(), first[group], sets, np.maximum(np.concatenate(content), 1e-6)


def ranked(hashes: np.ndarray, size: np.ndarray) -> Sets:
    """Number the grams that several documents hold by how many do, and sort each document by it."""
    ordered = np.sort(hashes)
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    counts = np.diff(np.append(starts, len(ordered)))
    shared, counts = ordered[starts[counts > 1]], counts[counts > 1]
    del ordered
    rank = np.empty(len(shared), np.int32)
    rank[np.argsort(counts, kind="stable")] = np.arange(len(shared), dtype=np.int32)
    gram, pointers = _look_up(hashes, size, shared, rank)
    return Sets(gram, pointers, size)


@njit(cache=True)
def _look_up(
    hashes: np.ndarray, size: np.ndarray, shared: np.ndarray, rank: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    gram, pointers, out, at = np.empty(len(hashes), np.int32), np.zeros(len(size) + 1, np.int64), 0, 0
    for document in range(len(size)):
        begin = out
        for hash in hashes[at : at + size[document]]:
            place = np.searchsorted(shared, hash)
            if place < len(shared) and shared[place] == hash:
                gram[out] = rank[place]
                out += 1
        gram[begin:out] = np.sort(gram[begin:out])
        at += size[document]
        pointers[document + 1] = out
    return gram[:out].copy(), pointers


@njit(cache=True)
def similar_pairs(
    gram: np.ndarray, pointers: np.ndarray, size: np.ndarray, threshold: float
) -> tuple[np.ndarray, np.ndarray]:
    """All pairs a < b of documents whose sets have at least this Jaccard similarity.

    Two such sets share one of the |x| - ceil(threshold |x|) + 1 rarest grams of each, so only those are indexed, and
    only documents of like size are compared.
    """
    n = len(size)
    prefix = np.zeros(n, np.int64)
    room = np.zeros((gram.max() if len(gram) else 0) + 2, np.int64)
    for x in range(n):
        if size[x]:
            alone = size[x] - (pointers[x + 1] - pointers[x])
            prefix[x] = max(0, size[x] - np.int64(np.ceil(threshold * size[x] - TINY)) + 1 - alone)
        for at in range(pointers[x], pointers[x] + prefix[x]):
            room[gram[at] + 1] += 1
    room = np.cumsum(room)
    low, high = room[:-1].copy(), room[:-1].copy()
    posted, seen = np.empty(room[-1], np.int64), np.full(n, -1, np.int64)
    a, b, count = np.empty(1024, np.int64), np.empty(1024, np.int64), 0
    for x in np.argsort(size):
        for at in range(pointers[x], pointers[x] + prefix[x]):
            one = gram[at]
            while low[one] < high[one] and size[posted[low[one]]] < threshold * size[x] - TINY:
                low[one] += 1  # who comes later is no smaller
            for y in posted[low[one] : high[one]]:
                if seen[y] != x:
                    seen[y] = x
                    needed = np.int64(np.ceil(threshold / (1 + threshold) * (size[x] + size[y]) - TINY))
                    if _share(gram[pointers[x] : pointers[x + 1]], gram[pointers[y] : pointers[y + 1]], needed):
                        if count == len(a):
                            a, b = np.concatenate((a, a)), np.concatenate((b, b))
                        a[count], b[count] = min(x, y), max(x, y)
                        count += 1
            posted[high[one]] = x
            high[one] += 1
    return a[:count].copy(), b[:count].copy()


@njit(cache=True)
def _share(one: np.ndarray, other: np.ndarray, needed: int) -> bool:
    """Do two sorted sets have at least that many in common?"""
    i, j, common = 0, 0, 0
    while i < len(one) and j < len(other):
        if common + min(len(one) - i, len(other) - j) < needed:
            return False
        if one[i] == other[j]:
            i, j, common = i + 1, j + 1, common + 1
        elif one[i] < other[j]:
            i += 1
        else:
            j += 1
    return common >= needed


@njit(cache=True)
def greedy(rank: np.ndarray, a: np.ndarray, b: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Who of the documents present goes because one that ranks before it stays."""
    ends, others = np.concatenate((a, b)), np.concatenate((b, a))
    by_end = np.argsort(ends, kind="mergesort")
    pointers = np.searchsorted(ends[by_end], np.arange(len(rank) + 1))
    gone = np.zeros(len(rank), np.bool_)
    for x in np.argsort(rank):
        for at in range(pointers[x], pointers[x + 1] if present[x] else pointers[x]):
            y = others[by_end[at]]
            if present[y] and rank[y] < rank[x] and not gone[y]:
                gone[x] = True
                break
    return gone


class Verdict(NamedTuple):
    """One set of removals beside the reference."""

    removed: int
    only_here: int
    only_reference: int
    wrong: int
    missed: int


def judge(truth: Reference, removed: set[str]) -> Verdict:
    """Hold removals against the set of the reference, and against all pairs."""
    here = (
        np.isin(truth.ids, np.array(sorted(removed), dtype=truth.ids.dtype))
        if removed
        else np.zeros(len(truth.ids), bool)
    )
    kept = np.bincount(truth.stands_for[~here], minlength=len(here))
    beside = kept > 0
    resembled = np.zeros(len(here), bool)
    resembled[truth.a[beside[truth.b]]] = True
    resembled[truth.b[beside[truth.a]]] = True
    wrong = here & ~beside[truth.stands_for] & ~resembled[truth.stands_for]
    again = greedy(truth.rank, truth.a, truth.b, beside)
    missed = int((kept - 1).clip(0).sum()) + int(again.sum())
    return Verdict(int(here.sum()), int((here & ~truth.removed).sum()), int((truth.removed & ~here).sum()),
                   int(wrong.sum()), missed)  # fmt: skip


def one_by_one(sets: Sets, documents: int, threshold: float = THRESHOLD) -> set[tuple[int, int]]:
    """The same pairs among the first documents by comparing all of them."""
    held = [set(sets.gram[a:b].tolist()) for a, b in zip(sets.pointers, sets.pointers[1 : documents + 1], strict=False)]
    found = set()
    for b in range(len(held)):
        for a in range(b):
            common = len(held[a] & held[b])
            if sets.size[a] and sets.size[b] and common >= threshold * (sets.size[a] + sets.size[b] - common) - TINY:
                found.add((a, b))
    return found


def main() -> None:
    """Print the reference and what is held against it."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--removed", type=Path, nargs="*", default=[])
    asked.add_argument("--short-chars", type=int, default=0)
    asked.add_argument("--check", type=int, default=0, metavar="N")
    given = asked.parse_args()
    if given.check:
        _, _, sets, _ = read(given.folder, given.short_chars)
        a, b = similar_pairs(*sets, THRESHOLD)
        early = b < given.check
        same = set(zip(a[early].tolist(), b[early].tolist(), strict=True)) == one_by_one(sets, given.check)
        print(
            f"first {given.check} documents: {early.sum()} pairs, {'the same' if same else 'NOT the same'} one by one"
        )
    truth = reference(given.folder, given.short_chars)
    print(f"{len(truth.ids):,} documents, {(truth.stands_for != np.arange(len(truth.ids))).sum():,} copies of the same "
          f"text, {len(truth.a):,} pairs of Jaccard {THRESHOLD}, {truth.removed.sum():,} removed")  # fmt: skip
    for path in given.removed:
        print(path, judge(truth, set(path.read_text().splitlines())))


if __name__ == "__main__":
    main()
