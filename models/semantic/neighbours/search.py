"""Search of the nearest neighbours of every text: cells of like codes, a short list by code, then the vectors.

A text looks into the cells whose centres differ least from its code, until it has seen about `SEEN` others. The nearest
of these by code are compared by their vectors. Time grows with n times the root of n; where only few ask, they look at
all codes, which costs less than sorting these into cells.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.bits import popcount
from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel, lean
from models.semantic.neighbours.codes import BITS, WORDS

SEEN = 8000
"""Codes that one text is compared with, about; where fewer texts are, with all of them."""
MOST = 40_000
"""And at most: where more are alike, it does not meet the rest."""
LISTED = 32
"""The nearest of them by code, which are compared by their vectors."""
STEP = 4096
"""Vectors are compared as whole numbers, in steps of one part in this many: sums of them have no order."""
_BLOCK, _TOGETHER = 512, 16
"""Codes that stay in the cache next to the processor while so many texts look at them."""
_CELLS = 8
"""Cells are this many times the root of the texts."""
_CHUNK = 2048
RANKED = 10_000
"""Texts whose short lists are ranked together where vectors are fetched."""

Texts = NDArray[np.int64] | range
Arrays = Mapping[str, NDArray[Any]]
Chunk = Callable[[Arrays, int], Any]
"""Work on one chunk, with arrays that all chunks need."""
Ranked = tuple[NDArray[np.int32], NDArray[np.float32]]
"""Rows and cosines of the k nearest of some texts, as `Neighbours` has them."""
Take = Callable[[NDArray[np.int64]], NDArray[np.floating]]
"""Vectors of some texts, float[r, d]."""
Over = Callable[[Chunk, range, Arrays], Iterator[Any]]
"""What some work makes of each chunk, in order, wherever that is done."""


class Neighbours(NamedTuple):
    """The k nearest of n texts.

    Attributes:
        row: int32[n, k], nearest first, -1 where there are no more.
        cosine: float32[n, k], of their vectors, in steps of one part in `STEP`²; 0 where there are no more.
        unseen: texts that did not meet all they should have, because too many are alike.
    """

    row: NDArray[np.int32]
    cosine: NDArray[np.float32]
    unseen: int


def in_turn(work: Chunk, numbers: range, arrays: Arrays) -> Iterator[Any]:
    """What some work makes of each chunk, one after the other."""
    return map(partial(work, arrays), numbers)


def nearest(
    codes: NDArray[np.uint64],
    vectors: NDArray[np.floating] | NDArray[np.int16],
    k: int,
    over: Over = in_turn,
    seen: int = SEEN,
) -> Neighbours:
    """Find the nearest neighbours of every text.

    Args:
        codes: uint64[n, 4], of the vectors.
        vectors: float[n, d], unit vectors, or what `whole_numbers` makes of them.
        k: neighbours of each.
        over: does the chunks of work, here or elsewhere, and has no say in the answer.
        seen: see `SEEN`.
    """
    everyone = range(len(codes))
    find, places = _finder(codes, everyone, over, seen)
    exact = vectors if vectors.dtype == np.int16 else whole_numbers(vectors)
    arrays: Arrays = {**places, "exact": exact}
    found = [*over(partial(_found, find, everyone, k), _chunks(everyone), arrays)]
    row, cosine = _blank(0, k)
    row = np.concatenate([row, *(some.row for some in found)])
    cosine = np.concatenate([cosine, *(some.cosine for some in found)])
    return Neighbours(row, cosine, sum(some.unseen for some in found))


def nearest_of(
    asked: NDArray[np.int64],
    codes: NDArray[np.uint64],
    take: Take,
    k: int,
    over: Over = in_turn,
    seen: int = SEEN,
    mutual_k: int | None = None,
) -> Neighbours:
    """Find the nearest neighbours of some texts, and of those that these are near to, as `nearest` would.

    Args:
        asked: texts whose mutual neighbours are wanted, ascending.
        codes: uint64[n, 4], of all texts.
        take: gives vectors of texts, float[r, d]; it is asked for those that are compared.
        k: neighbours of each.
        over: see `nearest`.
        seen: see `SEEN`.
        mutual_k: nearest of them that have to be each other's, all unless said.

    Returns:
        Rows of texts that nobody needs for these stay empty.
    """
    find, places = _finder(codes, asked, over, seen)
    row, cosine = _blank(len(codes), k)
    unseen = 0
    for behind in (False, True):
        texts = np.setdiff1d(row[asked, :mutual_k], [-1, *asked]).astype(np.int64) if behind else asked
        for at in range(0, len(texts), RANKED):
            some = texts[at : at + RANKED]
            found = [*over(partial(find, some), _chunks(some), places)]
            unseen += sum(missed for _, missed in found)
            row[some], cosine[some] = _ranked_apart(some, np.concatenate([short for short, _ in found]), take, k)
    return Neighbours(row, cosine, unseen)


def _finder(
    codes: NDArray[np.uint64], asked: Texts, over: Over, seen: int
) -> tuple[Callable[[Texts, Arrays, int], tuple[NDArray[np.int32], int]], Arrays]:
    """How short lists by code are found, and the arrays that takes."""
    if len(codes) <= seen or len(asked) <= _cells_of(len(codes)):
        return _scanned, {"columns": np.ascontiguousarray(codes.T)}
    return partial(_looked_up, seen), _in_cells(codes, over)


def _blank(number: int, k: int) -> Ranked:
    return np.full((number, k), -1, np.int32), np.zeros((number, k), np.float32)


def _found(find: Any, texts: Texts, k: int, arrays: Arrays, chunk: int) -> Neighbours:
    """The nearest of one chunk of texts."""
    short, missed = find(texts, arrays, chunk)
    return Neighbours(*_ranked(arrays["exact"], _asked(texts, chunk), short, k), missed)


def _ranked_apart(texts: NDArray[np.int64], short: NDArray[np.int32], take: Take, k: int) -> Ranked:
    """The nearest of short lists, by the vectors of those that stand in them alone."""
    here = np.union1d(texts, short[short >= 0])
    renamed = np.where(short < 0, -1, np.searchsorted(here, short)).astype(np.int32)
    row, cosine = _ranked(whole_numbers(take(here)), np.searchsorted(here, texts), renamed, k)
    return np.where(row < 0, -1, here[row]).astype(np.int32), cosine


def _ranked(exact: NDArray[np.int16], texts: NDArray[np.int64], short: NDArray[np.int32], k: int) -> Ranked:
    """The nearest of short lists."""
    row, product = np.full((len(texts), k), -1, np.int32), np.zeros((len(texts), k), np.int32)
    _rank(exact, texts, short, row, product)
    return row, (product / STEP**2).astype(np.float32)


def _chunks(texts: Texts) -> range:
    return range(-(-len(texts) // _CHUNK))


def whole_numbers(vectors: NDArray[Any]) -> NDArray[np.int16]:
    """Vectors (of elements below 8) in steps of one part in `STEP`, int16[n, d]."""
    if vectors.dtype == np.float16:  # there are few of these, and looking one up is quicker than computing it
        found: NDArray[np.int16] = _steps_of_float16()[vectors.view(np.uint16)]
        return found
    exact = np.empty(vectors.shape, np.int16)
    for at in range(0, len(vectors), _CHUNK):
        exact[at : at + _CHUNK] = np.rint(vectors[at : at + _CHUNK].astype(np.float32) * STEP)
    return exact


@cache
def _steps_of_float16() -> NDArray[np.int16]:
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)
    steps: NDArray[np.int16] = np.rint(np.where(np.abs(every) < 8, every, 0) * STEP).astype(np.int16)
    return steps


def _scanned(texts: Texts, arrays: Arrays, chunk: int) -> tuple[NDArray[np.int32], int]:
    """Short lists of some texts that look at all codes, of which none misses any."""
    asked = _asked(texts, chunk)
    short = np.full((len(asked), LISTED), -1, np.int32)
    _scan(asked, arrays["columns"], short)
    return short, 0


def _looked_up(seen: int, texts: Texts, arrays: Arrays, chunk: int) -> tuple[NDArray[np.int32], int]:
    """Short lists of some texts that look into cells, and how many of them missed some that they should have met."""
    asked = _asked(texts, chunk)
    short, missed = np.full((len(asked), LISTED), -1, np.int32), np.zeros(len(asked), np.bool_)
    places = (arrays[name] for name in ("codes", "held", "centres", "members", "starts"))
    _look(asked, *places, seen, short, missed)
    return short, int(missed.sum())


def _asked(texts: Texts, chunk: int) -> NDArray[np.int64]:
    return np.array(texts[chunk * _CHUNK :][:_CHUNK], np.int64)


def _in_cells(codes: NDArray[np.uint64], over: Over) -> dict[str, NDArray[Any]]:
    """Codes sorted into cells: those of a cell lie one behind the other from `starts` on."""
    centres = _centres(codes)
    cell = np.concatenate([*over(_cells, _chunks(range(len(codes))), {"codes": codes, "centres": centres})])
    members = np.argsort(cell, kind="stable").astype(np.int32)
    starts = np.searchsorted(cell[members], np.arange(len(centres) + 1))
    return {"codes": codes, "held": codes[members], "centres": centres, "members": members, "starts": starts}


def _cells(arrays: Arrays, chunk: int) -> NDArray[np.int32]:
    codes = arrays["codes"][chunk * _CHUNK :][:_CHUNK]
    cell = np.empty(len(codes), np.int32)
    _assign(codes, arrays["centres"], cell)
    return cell


def mutual(row: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs a < b, ascending, of which each is among the neighbours of the other."""
    number, k = row.shape
    one = np.repeat(np.arange(number, dtype=np.int64), k)
    other = row.ravel().astype(np.int64)
    one, other = one[other >= 0], other[other >= 0]
    low, high = np.minimum(one, other), np.maximum(one, other)
    key, times = np.unique(low * number + high, return_counts=True)
    key = key[times == 2]
    return key // max(1, number), key % max(1, number)


def _cells_of(number: int) -> int:
    return int(_CELLS * number**0.5)


def _centres(codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Codes of a sample of the texts that follows from the codes alone."""
    distinct = np.unique(codes, axis=0)
    first = np.argsort(_hashes(distinct), kind="stable")[: _cells_of(len(codes))]
    return np.ascontiguousarray(distinct[first])


@kernel
def _hashes(codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    found = np.empty(len(codes), np.uint64)
    for i in range(len(codes)):
        state = np.uint64(1)
        for k in range(WORDS):
            state = absorb(state, codes[i, k])
        found[i] = mix(state)
    return found


@lean
def _distance(one: NDArray[np.uint64], i: int, other: NDArray[np.uint64], j: int) -> int:
    total = np.uint64(0)
    for k in range(WORDS):
        total += popcount(one[i, k] ^ other[j, k])
    return int(total)


@kernel
def _assign(codes: NDArray[np.uint64], centres: NDArray[np.uint64], cell: NDArray[np.int32]) -> None:
    for i in range(len(codes)):
        least = BITS + 1
        for c in range(len(centres)):
            apart = _distance(codes, i, centres, c)
            if apart < least:
                least, cell[i] = apart, c


@kernel
def _look(
    asked: NDArray[np.int64],
    codes: NDArray[np.uint64],
    held: NDArray[np.uint64],
    centres: NDArray[np.uint64],
    members: NDArray[np.int32],
    starts: NDArray[np.int64],
    seen: int,
    short: NDArray[np.int32],
    missed: NDArray[np.bool_],
) -> None:
    away = np.empty(len(centres), np.int16)
    counts = np.empty(BITS + 2, np.int64)
    met, apart = np.empty(MOST, np.int32), np.empty(MOST, np.int16)
    for i in range(len(asked)):
        text = asked[i]
        counts[:] = 0
        for c in range(len(centres)):
            away[c] = _distance(codes, text, centres, c)
            counts[away[c]] += starts[c + 1] - starts[c]
        reach, within = 0, np.int64(0)
        while reach <= BITS and within + counts[reach] < seen:
            within += counts[reach]
            reach += 1
        found = 0
        counts[:] = 0
        for c in range(len(centres)):
            if away[c] > reach:
                continue
            for at in range(starts[c], starts[c + 1]):
                if members[at] == text:
                    continue
                if found == MOST:
                    missed[i] = True
                    break
                met[found] = members[at]
                apart[found] = _distance(codes, text, held, at)
                counts[apart[found]] += 1
                found += 1
        _shortest(met[:found], apart[:found], counts, short[i])


@kernel
def _scan(asked: NDArray[np.int64], columns: NDArray[np.uint64], short: NDArray[np.int32]) -> None:
    number = columns.shape[1]
    met, near = np.empty((_TOGETHER, number), np.int32), np.empty((_TOGETHER, number), np.int16)
    counts, apart = np.empty((_TOGETHER, BITS + 2), np.int64), np.empty(_BLOCK, np.int16)
    for first in range(0, len(asked), _TOGETHER):
        some = asked[first : first + _TOGETHER]
        found, within = np.zeros(_TOGETHER, np.int64), np.zeros(_TOGETHER, np.int64)
        bound = np.full(_TOGETHER, BITS, np.int64)
        counts[:] = 0
        for begin in range(0, number, _BLOCK):
            here = apart[: min(_BLOCK, number - begin)]
            for i in range(len(some)):
                _differing(columns, some[i], begin, here)
                if begin <= some[i] < begin + len(here):
                    here[some[i] - begin] = BITS + 1
                if not _reaches(here, bound[i]):
                    continue
                for at in range(len(here)):
                    if here[at] > bound[i]:
                        continue
                    met[i, found[i]], near[i, found[i]] = begin + at, here[at]
                    counts[i, here[at]] += 1
                    found[i] += 1
                    within[i] += 1
                    while within[i] - counts[i, bound[i]] >= LISTED:
                        within[i] -= counts[i, bound[i]]
                        bound[i] -= 1
        for i in range(len(some)):
            _shortest(met[i, : found[i]], near[i, : found[i]], counts[i], short[first + i])


@lean
def _differing(columns: NDArray[np.uint64], text: int, begin: int, apart: NDArray[np.int16]) -> None:
    """Bits in which the codes from `begin` on differ from that of a text; the compiler takes eight at a time."""
    end = begin + len(apart)
    one, two, three, four = columns[0], columns[1], columns[2], columns[3]
    a, b, c, d = one[text], two[text], three[text], four[text]
    one, two, three, four = one[begin:end], two[begin:end], three[begin:end], four[begin:end]
    for j in range(len(apart)):
        low, high = popcount(a ^ one[j]) + popcount(b ^ two[j]), popcount(c ^ three[j]) + popcount(d ^ four[j])
        apart[j] = np.int16(low + high)


@lean
def _reaches(apart: NDArray[np.int16], bound: int) -> bool:
    """Whether any differs in so few bits; no early end, so that the compiler takes many at a time."""
    within = np.int16(0)
    for j in range(len(apart)):
        within |= np.int16(apart[j] <= bound)
    return bool(within > 0)


@lean
def _shortest(
    met: NDArray[np.int32], apart: NDArray[np.int16], counts: NDArray[np.int64], short: NDArray[np.int32]
) -> None:
    """Fill a short list with those that differ in the fewest bits; of equal ones the first."""
    reach, within = 0, np.int64(0)
    while reach <= BITS and within + counts[reach] <= len(short):
        within += counts[reach]
        reach += 1
    left, listed = len(short) - within, 0
    for at in range(len(met)):
        if apart[at] < reach or (apart[at] == reach and left > 0):
            left -= apart[at] == reach
            short[listed] = met[at]
            listed += 1


@kernel
def _rank(
    exact: NDArray[np.int16],
    texts: NDArray[np.int64],
    short: NDArray[np.int32],
    row: NDArray[np.int32],
    products: NDArray[np.int32],
) -> None:
    for i in range(len(texts)):
        _rank_one(exact, texts[i], short[i], row[i], products[i])


@lean
def _rank_one(
    exact: NDArray[np.int16], text: int, short: NDArray[np.int32], row: NDArray[np.int32], products: NDArray[np.int32]
) -> None:
    """The nearest of a short list by their vectors, with the products of these; of equal ones the first text."""
    best = len(row)
    filled = 0
    for other in short:
        if other < 0:
            break
        product = np.int32(0)
        for k in range(exact.shape[1]):
            product += np.int32(exact[text, k]) * np.int32(exact[other, k])
        at = filled if filled < best else best - 1
        if filled == best and not _before(product, other, products[at], row[at]):
            continue
        while at > 0 and _before(product, other, products[at - 1], row[at - 1]):
            row[at], products[at] = row[at - 1], products[at - 1]
            at -= 1
        row[at], products[at] = other, product
        filled += filled < best


@lean
def _before(product: np.int32, other: int, theirs: np.int32, rival: int) -> bool:
    return bool(product > theirs or (product == theirs and other < rival))
