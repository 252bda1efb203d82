"""Spans of a text that may be cut so that what is left reads well: whole blocks, lines and sentences.

A line counts as a place to cut unless it goes on the sentence of the line before, as in text that was wrapped. Nothing
is cut between an opening bracket, quotation mark or backtick and the one that closes it, and of code, tables and
quoted mail nothing at all, nor of a text that is source code. What cannot be told is left whole: an unclosed bracket
holds up to the end of its block.

What stays has to read as if nothing had been there: no hole is cut into a paragraph, no sentence loses the one that it
points back to ("If you spotted it first ..."; the words that point are listed per language), no heading its only text.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner, kernel
from models.lexical.text.boundaries.code_points import LETTER, LINE, SPACE, STOP, code_point_kinds, kind_of
from models.lexical.text.boundaries.layout import is_wrapped, line_at
from models.lexical.text.boundaries.marking import mark
from models.lexical.text.boundaries.marks import ASKS, BARRED, BOUNDARY, CLOSED, HEADS, LEADS
from models.lexical.text.boundaries.pointing import pointing
from models.lexical.text.boundaries.reading_on import begins_block, reads_on
from models.lexical.text.markup.source_code import is_source, keywords

_AT = ord("@")
_NAMES = 4
"""Blanks in a line of a name and a mail address at most."""
_SIGNED, _RULES, _RULE_SIGNS = 30, tuple(map(ord, "_-=")), 5
"""Code points of a line with the name of who wrote what stands above, at most; signs of the rule below, at least."""


def whole_parts(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    row: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    inserted: bool = False,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Shrink spans of texts to the longest stretch of whole lines and sentences in each.

    Args:
        codes: uint32[k], code points of n original texts, flat.
        pointers: int64[n + 1], where each text begins.
        row: int64[s], the text of each span, ascending.
        start: int64[s], first code point of the span within its text.
        end: int64[s], one past its last code point.
        inserted: the spans may have been put into paragraphs, so that these read as before without them.

    Returns:
        int64[s] start and end of what may be cut, without white space at either end; equal where nothing may.
    """
    listed = code_point_kinds(), keywords(), *pointing()
    begins, ends = _whole_parts(codes, pointers, row, start, end, inserted, *listed)
    return begins, ends


@kernel
def _whole_parts(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    row: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    inserted: bool,
    kinds: NDArray[np.uint16],
    of_code: NDArray[np.uint64],
    lower: NDArray[np.uint32],
    first_words: NDArray[np.uint64],
    pronouns: NDArray[np.uint64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    begins, ends = np.empty(len(row), np.int64), np.empty(len(row), np.int64)
    longest = np.diff(pointers).max() if len(pointers) > 1 else 0
    marks, marked, wrapped = np.empty(longest + 1, np.uint8), np.int64(-1), False
    asked, source = np.int64(-1), False
    for s in range(len(row)):
        text = codes[pointers[row[s]] : pointers[row[s] + 1]]
        if row[s] != marked:
            mark(text, inserted, kinds, marks)
            marked, wrapped = row[s], is_wrapped(text, kinds)
        stop = end[s]
        while stop < len(text) and kind_of(text[stop], kinds) & (SPACE | LINE):
            stop += 1
        best, best_end, segment, barred = start[s], start[s], np.int64(-1), False
        opened = body = segment  # where the stretch begins, and where the section does that it ends in
        block = ahead = ahead_of_block = segment  # its first block, and what stands before these
        before = start[s] - 1
        while before >= 0 and not marks[before] & BOUNDARY:
            before -= 1
        for p in range(start[s], stop + 1):
            if p == len(text) or marks[p] & BOUNDARY:
                last = segment if segment >= 0 else before
                if opened < 0 or barred:
                    announced = last >= 0 and marks[last] & ASKS != 0
                    opened = body = block = np.int64(-1 if announced else p)
                    ahead = ahead_of_block = last
                    if not begins_block(marks, last, p):
                        block = np.int64(-1)
                else:
                    if marks[segment] & HEADS:
                        body = np.int64(p)
                    if block < 0 and not marks[segment] & ASKS and begins_block(marks, segment, p):
                        block, ahead_of_block = np.int64(p), segment
                    # the heading of a section that goes on stays
                    first = opened if p == len(text) or marks[p] & (HEADS | CLOSED) else body
                    if not marks[segment] & LEADS and p - first > best_end - best:
                        before_it = ahead if first == opened else np.int64(-1)
                        if reads_on(
                            text, marks, before_it, first, p, inserted, wrapped, kinds, lower, first_words, pronouns
                        ):
                            best, best_end = first, np.int64(p)
                        elif (
                            block > first
                            and p - block > best_end - best
                            and reads_on(
                                text,
                                marks,
                                ahead_of_block,
                                block,
                                p,
                                inserted,
                                wrapped,
                                kinds,
                                lower,
                                first_words,
                                pronouns,
                            )
                        ):
                            best, best_end = block, np.int64(p)
                segment, barred = np.int64(p), False
            if p < len(text) and marks[p] & BARRED:
                barred = True
        while best_end > best and kind_of(text[best_end - 1], kinds) & (SPACE | LINE):
            best_end -= 1
        best = _behind_a_name(text, best, best_end, kinds)
        if best_end > best and row[s] != asked:
            asked, source = row[s], is_source(text, kinds, of_code)
        if source or not _is_wording(text, best, best_end, kinds) or _names_authors(text, best, best_end, kinds):
            best_end = best
        begins[s], ends[s] = best, best_end
    return begins, ends


def with_gaps(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    row: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Widen spans by white space, so that their neighbours stand apart as before and not by two gaps.

    Line ends are taken behind a span, as many as stand before it; blanks only before one that stands within a line.
    """
    begins, ends = _with_gaps(codes, pointers, row, start, end, code_point_kinds())
    return begins, ends


@kernel
def _with_gaps(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    row: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    kinds: NDArray[np.uint16],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    begins, ends = start.copy(), end.copy()
    for s in range(len(row)):
        text = codes[pointers[row[s]] : pointers[row[s] + 1]]
        before, after = start[s], end[s]
        lines_before, lines_after = 0, 0
        while before > 0 and kind_of(text[before - 1], kinds) & (SPACE | LINE):
            before -= 1
            lines_before += kind_of(text[before], kinds) & LINE != 0
        while after < len(text) and kind_of(text[after], kinds) & (SPACE | LINE):
            lines_after += kind_of(text[after], kinds) & LINE != 0
            after += 1
        if lines_before == 0 and before > 0:
            begins[s] = before
        elif start[s] < end[s]:
            taken = lines_after if before == 0 else min(lines_before, lines_after)
            while taken > 0:
                taken -= kind_of(text[ends[s]], kinds) & LINE != 0
                ends[s] += 1
    return begins, ends


@inner
def _is_wording(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether most of a stretch is letters: rulers, lists of numbers and of addresses are no passages."""
    letters, others = 0, 0
    for p in range(i, j):
        kind = kind_of(text[p], kinds)
        letters += kind & LETTER != 0
        others += not kind & (LETTER | SPACE | LINE)
    return others <= letters


@inner
def _behind_a_name(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> int:
    """Start of a stretch behind the name of who wrote a mail, if it begins with one: a short line above a rule."""
    lines = 0
    _, _, at = line_at(text, i, j, kinds)
    if at - i > _SIGNED:
        return i
    while at < j and kind_of(text[at], kinds) & (SPACE | LINE):
        lines += kind_of(text[at], kinds) & LINE != 0
        at += 1
    rule = at
    while rule < j and text[rule] in _RULES:
        rule += 1
    return at if lines > 1 and rule - at >= _RULE_SIGNS else i


@inner
def _names_authors(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a third of the lines of a stretch are mail addresses, with a name or without: by whom a text is."""
    lines = addresses = 0
    while i < j:
        begin, blanks, signs, ended = i, 0, 0, False
        while i < j and not kind_of(text[i], kinds) & LINE:
            blanks += kind_of(text[i], kinds) & SPACE != 0
            signs += text[i] == _AT
            # a sentence of a script without blanks
            ended |= text[i] > 127 and kind_of(text[i], kinds) & STOP != 0
            i += 1
        filled = i - begin > blanks
        lines += filled
        addresses += filled and signs == 1 and blanks <= _NAMES and not ended
        i += 1
    return 0 < lines <= 3 * addresses
