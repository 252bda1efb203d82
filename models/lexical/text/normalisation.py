"""Normalisation of texts with the way back: references, NFKC, case folding, white space, invisible characters.

A first pass over the bytes finds the clusters: runs of code points that may combine, which no table can decide. Every
distinct cluster is folded once by `unicodedata`; a second pass writes table entries and folded clusters in order.
"""

from typing import Any, NamedTuple

import numpy as np
import polars as pl
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from models.kernels.bits import popcount
from models.kernels.jit import inlined, inner, kernel
from models.kernels.vector_blocks import BLOCK, between, broadcast, first_set, lanes, vector_at, within
from models.lexical.text.markup.references import lead_back, read_references
from models.lexical.text.unicode_table import (
    BLANK,
    CODE,
    DIGIT,
    DROP,
    ENDS_LINE,
    EXPAND,
    FORMAT_PLANE,
    JOINS,
    KIND,
    LETTER,
    MARK_AT,
    OTHER,
    SERBIAN,
    SERBIAN_STOP,
    SPACE,
    STOP,
    UPPER,
    UnicodeTable,
    fold,
    folded_entries,
    is_invisible,
    is_upper,
    unicode_table,
    with_expansions,
)
from models.lexical.text.utf8 import utf8

Array = np.ndarray
Integer = int | np.int64

CLUSTER_LIMIT = 32
"""Code points folded together at most (compare UAX #15, Stream-Safe Text Format): keeps endless accents linear."""

_ACTION_AT = 30
_ACTION = 3 << _ACTION_AT
_TAB, _LINE_FEED, _RETURN, _BLANK, _TILDE, _DELETE = 0x09, 0x0A, 0x0D, 0x20, 0x7E, 0x7F
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_FORMAT_START, _FORMAT_STOP = FORMAT_PLANE.start, FORMAT_PLANE.stop
_DIGRAPHS = tuple(map(ord, "љњџЉЊЏ"))
"""Letters of Serbian that are two in its other script."""
_SERBIAN, _NOT_SERBIAN = tuple(map(ord, "ђјљњћџЂЈЉЊЋЏ")), tuple(map(ord, "йщъыьэюяёіїєґўѓќѕЙЩЪЫЬЭЮЯЁІЇЄҐЎЃЌЅ"))
"""Letters that Serbian has of all languages but Macedonian, and those of other languages, Macedonian among them."""
_LATIN_RAISED, _RAISED, _RAISED_STOP = ord("¹"), ord("⁰"), ord("⁺")
_DIGITS_RAISED, _BEFORE_NOTES = tuple(map(ord, "²³¹⁰⁴⁵⁶⁷⁸⁹")), tuple(map(ord, ".,;:!?"))
"""Digits of marks of notes, where they lie, and signs behind which they are none of exponents."""
_LETTERS, _LOOKED_AT, _PER_OTHER = 12, 400, 50
"""Cyrillic letters of a text of which its language is told, at least and at most; for so many of these one of another
language, as in a name."""


class Normalised(NamedTuple):
    """A batch of normalised texts, flat; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        codes: uint32[total], code points. White space is one U+0020, none at either end of a document.
        origin: int32[total], index of the code point of the original text (of its document) that each came from;
            never falling within a document. All codes of one expansion or cluster share one origin; a character
            reference such as `&#39;` is the origin of one.
        marks: uint8[total], kind and `UPPER` bit of each code (`unicode_table`).
        pointers: int64[n+1].
        stops: int32[n], where the original text ends, in code points, its trailing white space left out.
        line_breaks: int64[b], rising global positions; each is a line end of the original, recorded at the position
            that the next code took. Line ends behind the last code of a document are left out.
    """

    codes: Array
    origin: Array
    marks: Array
    pointers: Array
    stops: Array
    line_breaks: Array


def normalise(texts: pl.Series) -> Normalised:
    """Normalise a batch of texts.

    Once HTML references are read (`models.lexical.text.markup.references`), every text becomes what `unicodedata` makes
    of it: invisible code points dropped, NFKC, casefold, NFKC, white space runs to one space, none at the ends. More
    than `CLUSTER_LIMIT` combining code points in a row are folded in pieces. Serbian is read in Latin letters, in
    whichever script it is written.

    Args:
        texts: String series of n texts, no nulls.

    Returns:
        The batch, 9 bytes per code point.

    Raises:
        ValueError: a text is null.
    """
    if texts.null_count():
        raise ValueError("a text is null")
    table = unicode_table()
    data, byte_pointers, references = read_references(*utf8(texts))
    joining = np.empty(len(texts), np.int64)
    room, breaks = _measure(data, byte_pointers, table.entries, table.pointers, joining)
    start, end, key = _find_clusters(data, byte_pointers, table.entries, joining)
    number, table = _resolve(data, start, end, key, table)
    room += int(np.diff(table.pointers)[number].sum())
    # Allocated here, since numpy asks the kernel for huge pages and numba does not: page faults would cost a third.
    batch = Normalised(
        np.empty(room, np.uint32),
        np.empty(room, np.int32),
        np.empty(room, np.uint8),
        np.zeros_like(byte_pointers),
        np.empty(len(texts), np.int32),
        np.empty(breaks, np.int64),
    )
    used, broken = _write(data, byte_pointers, *table, start, end, number, *batch)
    codes, origin, marks, pointers, stops, line_breaks = batch
    if references:
        lead_back(references, pointers, origin, stops)
    return Normalised(codes[:used], origin[:used], marks[:used], pointers, stops, line_breaks[:broken])


@inlined
def _decode(data: Array, at: Integer) -> tuple[Integer, Integer]:
    """Code point that starts at a byte, and where the next one starts; the bytes are valid UTF-8."""
    lead = np.int64(data[at])
    if lead < 0x80:
        return lead, at + 1
    if lead < 0xE0:
        return (lead & 0x1F) << 6 | (data[at + 1] & 0x3F), at + 2
    if lead < 0xF0:
        return (lead & 0x0F) << 12 | np.int64(data[at + 1] & 0x3F) << 6 | (data[at + 2] & 0x3F), at + 3
    high = (lead & 0x07) << 18 | np.int64(data[at + 1] & 0x3F) << 12
    return high | np.int64(data[at + 2] & 0x3F) << 6 | (data[at + 3] & 0x3F), at + 4


@inlined
def _entry(entries: Array, code: Integer) -> Integer:
    if code < entries.size:
        return np.int64(entries[code])
    return DROP if _FORMAT_START <= code < _FORMAT_STOP else code


@kernel
def _measure(data: Array, pointers: Array, entries: Array, expansions: Array, joining: Array) -> tuple[int, int]:
    """Upper bounds for codes to be written outside clusters and for line ends; clusters per document into `joining`."""
    room = breaks = 0
    for document in range(joining.size):
        at, joins = pointers[document], 0
        while at < pointers[document + 1]:
            if data[at] < 0x80:
                run = 1
                if at + BLOCK <= data.size:
                    run = min(first_set(within(data, at, 0x80, 0xFF)), pointers[document + 1] - at)
                    breaks += int(popcount(within(data, at, 0, 0x1F) & _ALL >> np.uint64(BLOCK - run)))
                else:
                    breaks += data[at] < 0x20
                room += run
                at += run
                continue
            code, at = _decode(data, at)
            entry = _entry(entries, code)
            joins += (entry & JOINS) != 0
            breaks += (entry & _ACTION) == BLANK
            room += expansions[(entry & CODE) + 1] - expansions[entry & CODE] if entry & _ACTION == EXPAND else 1
            room += code in _DIGRAPHS  # in Serbian
        joining[document] = joins
    return room, breaks


@kernel
def _find_clusters(data: Array, pointers: Array, entries: Array, joining: Array) -> tuple[Array, Array, Array]:
    """Byte spans of the clusters, and an exact key of those of up to three visible code points (else 0)."""
    most = joining.sum()
    start, end, key = np.empty(most, np.int64), np.empty(most, np.int64), np.zeros(most, np.uint64)
    count = 0
    for document in np.flatnonzero(joining):
        base, size, packed = np.int64(-1), 0, np.uint64(0)
        at = pointers[document]
        while at < pointers[document + 1]:
            here = at
            code, at = _decode(data, at)
            entry = _entry(entries, code)
            if entry & _ACTION == DROP:
                continue
            if entry & _ACTION == BLANK:
                base = np.int64(-1)
                continue
            if not entry & JOINS or base < 0 or size == CLUSTER_LIMIT:
                base, size, packed = here, 1, np.uint64(code)
                continue
            count += size == 1
            size += 1
            packed = packed << np.uint64(21) | np.uint64(code) if size <= 3 else np.uint64(0)
            start[count - 1], end[count - 1], key[count - 1] = base, at, packed
    return start[:count], end[:count], key[:count]


def _resolve(data: Array, start: Array, end: Array, key: Array, table: UnicodeTable) -> tuple[Array, UnicodeTable]:
    """Fold every distinct short cluster once and every long one by itself; what they fold to joins the expansions."""
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    long = np.flatnonzero(key == 0)
    number = number.astype(np.int64)
    number[long] = first.size + np.arange(long.size)
    spans = [(start[cluster], end[cluster]) for cluster in np.concatenate([first, long])]
    folded = [_fold_cluster(data[low:high].tobytes().decode()) for low, high in spans]
    return number + table.pointers.size - 1, with_expansions(table, folded)


def _fold_cluster(cluster: str) -> list[int]:
    visible = "".join(c for c in cluster if not is_invisible(c))
    return folded_entries(fold(visible), is_upper(visible[0]))


@inner
def _is_serbian(data: Array, at: int, stop: int) -> bool:
    """Is a text in Serbian: do its first Cyrillic letters hold one of that language, and hardly any of others?"""
    letters = own = others = 0
    while at + 1 < stop and letters < _LOOKED_AT:
        if data[at] in (0xD0, 0xD1):
            code = (np.int64(data[at]) & 0x1F) << 6 | (np.int64(data[at + 1]) & 0x3F)
            letters, own, others = letters + 1, own + (code in _SERBIAN), others + (code in _NOT_SERBIAN)
        at += 1
    return bool(letters >= _LETTERS and own > 0 and others * _PER_OTHER <= letters)


@intrinsic
def _write_plain(
    typing_context: Any, data: Any, at: Any, here: Any, codes: Any, origin: Any, marks: Any, out: Any
) -> Any:
    """Write what the `BLOCK` bytes from `at` on become, each taken for printing ASCII, a tab or a line feed."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data, at, here, codes, origin, marks, out = arguments
        wide = ir.VectorType(ir.IntType(32), BLOCK)

        def store(column: int, array: Any, value: Any) -> None:
            pointer = vector_at(context, builder, signature.args[column], array, out, value.type)
            builder.store(value, pointer, align=1)

        def choose(condition: Any, value: int, otherwise: Any) -> Any:
            return builder.select(condition, lanes(value), otherwise)

        held = builder.load(vector_at(context, builder, signature.args[0], data, at), align=1)
        upper = between(builder, held, ord("A"), ord("Z"))
        lower = builder.or_(held, choose(upper, ord("a") - ord("A"), lanes(0)))
        mark = choose(between(builder, held, 0, _BLANK), SPACE, lanes(OTHER))
        for stop in b".!?":
            mark = choose(between(builder, held, stop, stop), STOP, mark)
        mark = choose(between(builder, held, ord("0"), ord("9")), DIGIT, mark)
        mark = choose(between(builder, lower, ord("a"), ord("z")), LETTER, mark)
        store(5, marks, choose(upper, LETTER | UPPER, mark))
        store(3, codes, builder.zext(choose(between(builder, held, 0, _BLANK), _BLANK, lower), wide))
        steps = lanes(list(range(BLOCK)), wide)
        store(4, origin, builder.add(steps, broadcast(builder, builder.trunc(here, wide.element), wide)))
        return context.get_dummy_value()

    return types.void(data, types.int64, types.int64, codes, origin, marks, types.int64), codegen


@kernel
def _write(
    data: Array,
    byte_pointers: Array,
    entries: Array,
    expansions: Array,
    expansion_pointers: Array,
    latin: Array,
    cluster_start: Array,
    cluster_end: Array,
    cluster_number: Array,
    codes: Array,
    origin: Array,
    marks: Array,
    pointers: Array,
    stops: Array,
    line_breaks: Array,
) -> tuple[int, int]:
    """Fill the last six arrays; codes written and line ends recorded."""
    out, broken, cluster = 0, 0, 0
    for document in range(stops.size):
        at, end, index = byte_pointers[document], byte_pointers[document + 1], 0
        first, first_break, spaced = out, broken, np.int64(1)
        asked = serbian = False
        next_cluster = cluster_start[cluster] if cluster < cluster_start.size else data.size
        while at < end:
            here = index
            if data[at] < _DELETE and at + BLOCK <= data.size and out + BLOCK <= codes.size:
                blank = within(data, at, _BLANK, _BLANK)
                skipped = spaced * min(first_set(~blank), end - at)
                blank |= within(data, at, _TAB, _LINE_FEED)
                plain = blank | within(data, at, _BLANK, _TILDE)
                again = blank & (blank << np.uint64(1) | np.uint64(spaced))
                run = min(first_set(~plain | again), end - at, next_cluster - at)
                if run:
                    _write_plain(data, at, here, codes, origin, marks, out)
                    lines = within(data, at, _LINE_FEED, _LINE_FEED) & _ALL >> np.uint64(BLOCK - run)
                    while lines:
                        line_breaks[broken] = out + first_set(lines) + 1
                        broken, lines = broken + 1, lines & (lines - np.uint64(1))
                    out += run
                    spaced = np.int64(data[at + run - 1] <= _BLANK)
                if skipped + run:
                    at, index = at + skipped + run, index + skipped + run
                    continue
            index += 1
            number = np.int64(-1)
            if at == next_cluster:
                number, entry = cluster_number[cluster], np.int64(0)
                at = _decode(data, at)[1]
                while at < cluster_end[cluster]:
                    index, at = index + 1, _decode(data, at)[1]
                cluster += 1
                next_cluster = cluster_start[cluster] if cluster < cluster_start.size else data.size
            else:
                code, at = _decode(data, at)
                # "said.³" has the mark of a note, "m³" an exponent; most letters are told by two comparisons.
                if code <= _LATIN_RAISED or _RAISED <= code < _RAISED_STOP:
                    raised = code in _DIGITS_RAISED
                    if raised and out > first and codes[out - 1] in _BEFORE_NOTES:
                        continue
                entry = np.int64(_entry(entries, code))
                if SERBIAN <= code < SERBIAN_STOP:
                    if not asked:
                        asked, serbian = True, _is_serbian(data, at, end)
                    entry = np.int64(latin[code - SERBIAN]) if serbian else entry
                if entry < DROP:
                    # No branch on white space, which no processor can foresee: a space after a space is overwritten.
                    blank = entry >> _ACTION_AT
                    codes[out], origin[out], marks[out] = entry & CODE, here, entry >> MARK_AT & 0xF
                    out, spaced = out + 1 - int(blank & spaced), blank
                    if entry & ENDS_LINE and not (code == _LINE_FEED and here and data[at - 2] == _RETURN):
                        line_breaks[broken] = out
                        broken += 1
                    continue
                if entry & _ACTION == DROP:
                    continue
                number = entry & CODE
            for piece in range(expansion_pointers[number], expansion_pointers[number + 1]):
                mark = expansions[piece] >> MARK_AT & 0xF
                blank = np.int64(mark & KIND == SPACE)
                codes[out], origin[out], marks[out] = expansions[piece] & CODE, here, mark
                out, spaced = out + 1 - int(blank & spaced), blank
        stops[document] = index
        if spaced and out > first:
            out -= 1
            stops[document] = origin[out]
        while broken > first_break and line_breaks[broken - 1] >= out:
            broken -= 1
        pointers[document + 1] = out
    return out, broken
