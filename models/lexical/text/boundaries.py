"""Boundaries at which a text may be cut so that what is left reads well: of blocks, lines and sentences.

A line counts as a place to cut unless it goes on the sentence of the line before, as in text that was wrapped. Nothing
is cut between an opening bracket, quotation mark or backtick and the one that closes it, and of code, tables and
quoted mail nothing at all. What cannot be told is left whole: an unclosed bracket holds up to the end of its block.

What stays has to read as if nothing had been there: no hole is cut into a paragraph, no sentence loses the one that it
points back to ("If you spotted it first ..."; the words that point are listed per language), no heading its only text.
"""

import unicodedata
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import ROLLING
from models.kernels.jit import ZERO, kernel
from models.languages import listed

SPACE, LINE, LOWER, LETTER, DIGIT, STOP, OPENS, CLOSES, PAUSE = 1, 2, 4, 8, 16, 32, 64, 128, 256
"""What a code point is: blank, line end, small letter, any letter, digit, end of a sentence, opening or closing bracket
or quotation mark, colon or semicolon."""
BOUNDARY, BARRED, HEADS, LEADS, ASKS, CLOSED, BLOCK = 1, 2, 4, 8, 16, 32, 64
"""Marks of a position: a line, sentence or block begins here; it is part of what is never cut; a heading begins here;
what begins here leads to what follows, so is not cut without it; it ends with a colon, so that what comes next must
stay; what begins here belongs to no section before it; a block begins here, or a line in a text without blank lines."""

_TOLD = 0x10000
_OPENING, _CLOSING = "([{«“‘‚„「『（【《〈", ")]}»”’」』）】》〉"
_STOPS, _WIDE_STOPS, _PAUSES = ".!?…。！？", "。！？", ":;：；"
_WRAPPED_FROM, _WRAPPED_TO, _PROSE = 50, 120, 20
"""Lengths of lines that may have been broken where they were full, and blanks of a longer one that shows that the lines
of a text were not."""
_ANNOUNCEMENT = 60
"""Code points from which a sentence that ends with a colon says more than a label does."""
_TITLE = 40
"""Code points that a line has at most if it may be a heading without a mark."""
_DENSE = 20
"""Other marks that code has at most for each of those that make it look like code."""
_STATED = 7
"""Blanks within a line of words, from which it is prose, also among code."""
_BACKTICK, _QUOTE, _HYPHEN, _BAR, _TAB, _QUOTED = ord("`"), ord('"'), ord("-"), ord("|"), ord("\t"), ord(">")
_APOSTROPHE, _DOT, _COLON, _SLASH, _HASH, _BLANK, _NEW_LINE = (
    ord("'"),
    ord("."),
    ord(":"),
    ord("/"),
    ord("#"),
    0x20,
    0x0A,
)
_UNDERSCORE, _SEMICOLON, _EQUALS, _DOLLAR, _LESS = ord("_"), ord(";"), ord("="), ord("$"), ord("<")
_BRACE, _END_BRACE, _BACKSLASH, _ROUND, _END_ROUND = ord("{"), ord("}"), ord("\\"), ord("("), ord(")")
_SQUARE, _END_SQUARE, _PLUS, _COMMA, _STAR, _BULLET = ord("["), ord("]"), ord("+"), ord(","), ord("*"), ord("•")
_IMPORT = np.array([ord(letter) for letter in "import "], np.uint32)
_LEANING = 5
"""Words of a sentence within which a pronoun points back before it."""
_SYLLABLES = 4
"""Letters that a pointing word has at most in a script without blanks."""
_NO_BLANKS = 0x2E80
"""First code point of the scripts without blanks that have pointing words."""
_SHORTENED = 3
"""Letters that a word before a full stop has at most if it may be shortened: Dr., No., vol."""


@lru_cache(maxsize=1)
def _kinds() -> NDArray[np.uint16]:
    """What each code point of the basic plane is."""
    kinds = np.zeros(_TOLD, np.uint16)
    for code in range(_TOLD):
        character = chr(code)
        category = unicodedata.category(character)
        kinds[code] = (
            SPACE * (category in ("Zs", "Cf") or character in "\t\r\v\f")
            | LINE * (character in "\n\u2028\u2029\x85")
            | LETTER * (category[0] in "LM")
            | LOWER * (category == "Ll")
            | DIGIT * (category[0] == "N")
        )
    for kind, characters in ((STOP, _STOPS), (OPENS, _OPENING), (CLOSES, _CLOSING), (PAUSE, _PAUSES)):
        kinds[[ord(character) for character in characters]] |= kind
    return kinds


class Pointing(NamedTuple):
    """What tells that a sentence points back before it.

    Attributes:
        lower: uint32[65536], small letters of the basic plane.
        first: uint64[k], ascending hashes of words that do so where they come first.
        within: uint64[m], likewise among the first few.
    """

    lower: NDArray[np.uint32]
    first: NDArray[np.uint64]
    within: NDArray[np.uint64]


@lru_cache(maxsize=1)
def _pointing() -> Pointing:
    lower = np.arange(_TOLD, dtype=np.uint32)
    for code in range(_TOLD):
        small = chr(code).lower()
        lower[code] = ord(small) if len(small) == 1 else code
    pronouns, others = listed("pointing"), listed("connecting")
    return Pointing(lower, _hashed([*pronouns, *others]), _hashed(pronouns))


def _hashed(words: list[str]) -> NDArray[np.uint64]:
    hashes = np.zeros(len(words), np.uint64)
    for at, word in enumerate(words):
        for letter in word:
            hashes[at] = _absorb(hashes[at], np.uint32(ord(letter)))
    return np.unique(hashes)


@kernel
def _absorb(held: np.uint64, code: np.uint32) -> np.uint64:
    return np.uint64(held * ROLLING + np.uint64(code) + np.uint64(1))


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
    begins, ends = _whole_parts(codes, pointers, row, start, end, inserted, _kinds(), *_pointing())
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
    begins, ends = _with_gaps(codes, pointers, row, start, end, _kinds())
    return begins, ends


@kernel
def _kind(code: np.uint32, kinds: NDArray[np.uint16]) -> int:
    return int(kinds[code]) if code < _TOLD else LETTER


@kernel
def _whole_parts(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    row: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    inserted: bool,
    kinds: NDArray[np.uint16],
    lower: NDArray[np.uint32],
    first_words: NDArray[np.uint64],
    pronouns: NDArray[np.uint64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    begins, ends = np.empty(len(row), np.int64), np.empty(len(row), np.int64)
    longest = np.diff(pointers).max() if len(pointers) > 1 else 0
    marks, marked, wrapped = np.empty(longest + 1, np.uint8), np.int64(-1), False
    for s in range(len(row)):
        text = codes[pointers[row[s]] : pointers[row[s] + 1]]
        if row[s] != marked:
            _mark(text, inserted, kinds, marks)
            marked, wrapped = row[s], _is_wrapped(text, kinds)
        stop = end[s]
        while stop < len(text) and _kind(text[stop], kinds) & (SPACE | LINE):
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
                    if not _begins_block(marks, last, p):
                        block = np.int64(-1)
                else:
                    if marks[segment] & HEADS:
                        body = np.int64(p)
                    if block < 0 and not marks[segment] & ASKS and _begins_block(marks, segment, p):
                        block, ahead_of_block = np.int64(p), segment
                    # the heading of a section that goes on stays
                    first = opened if p == len(text) or marks[p] & (HEADS | CLOSED) else body
                    if not marks[segment] & LEADS and p - first > best_end - best:
                        before_it = ahead if first == opened else np.int64(-1)
                        if _reads_on(
                            text, marks, before_it, first, p, inserted, wrapped, kinds, lower, first_words, pronouns
                        ):
                            best, best_end = first, np.int64(p)
                        elif (
                            block > first
                            and p - block > best_end - best
                            and _reads_on(
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
        while best_end > best and _kind(text[best_end - 1], kinds) & (SPACE | LINE):
            best_end -= 1
        if not _is_wording(text, best, best_end, kinds):
            best_end = best
        begins[s], ends[s] = best, best_end
    return begins, ends


@kernel
def _begins_block(marks: NDArray[np.uint8], ahead: int, first: int) -> bool:
    return bool(ahead < 0 or marks[first] & BLOCK or marks[ahead] & (HEADS | LEADS))


@kernel
def _reads_on(
    text: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    ahead: int,
    first: int,
    p: int,
    inserted: bool,
    wrapped: bool,
    kinds: NDArray[np.uint16],
    lower: NDArray[np.uint32],
    first_words: NDArray[np.uint64],
    pronouns: NDArray[np.uint64],
) -> bool:
    """Whether what begins at `ahead` (-1: a heading that keeps other text, or nothing) reads on with what does at `p`.

    Between them the text from `first` on would be cut.
    """
    begins = _begins_block(marks, ahead, first)
    ends = p == len(text) or marks[p] & BLOCK != 0
    if ends and begins:
        return ahead < 0 or not _empties(text, marks, ahead, first, p, kinds)
    if inserted:
        return True
    before, told = (False, False) if begins else _within(text, first, kinds)
    after, says = (False, False) if ends else _within(text, p, kinds)
    if before or after or (wrapped and (told or says)) or (told and says):
        return False  # part of a paragraph would stay
    return ends or not _leans(
        text, p, _LEANING if told else 1, kinds, lower, first_words if told else pronouns, pronouns
    )


@kernel
def _within(text: NDArray[np.uint32], p: int, kinds: NDArray[np.uint16]) -> tuple[bool, bool]:
    """Whether `p` stands within a line, and whether a sentence ends before it."""
    same_line, q = True, p
    while q > 0 and _kind(text[q - 1], kinds) & (SPACE | LINE):
        q -= 1
        same_line &= not _kind(text[q], kinds) & LINE
    return same_line, q > 0 and _kind(text[q - 1], kinds) & STOP != 0


@kernel
def _empties(
    text: NDArray[np.uint32], marks: NDArray[np.uint8], ahead: int, first: int, p: int, kinds: NDArray[np.uint16]
) -> bool:
    """Whether the heading at `ahead` would head nothing any more, since the next of its level or the end follows."""
    if not marks[ahead] & (HEADS | LEADS) or marks[ahead] & BARRED or not _has_letters(text, ahead, first, kinds):
        return False
    if p == len(text):
        return True
    if not marks[p] & (HEADS | LEADS):
        return False
    behind = p + 1
    while behind < len(text) and not marks[behind] & BOUNDARY:
        behind += 1
    return bool(_level(text, marks, p, behind, kinds) <= _level(text, marks, ahead, first, kinds))


@kernel
def _level(text: NDArray[np.uint32], marks: NDArray[np.uint8], a: int, b: int, kinds: NDArray[np.uint16]) -> int:
    """How deep a heading stands; one without a mark stands below all others."""
    while b > a and _kind(text[b - 1], kinds) & (SPACE | LINE):
        b -= 1
    depth = 0
    while a + depth < b and text[a + depth] == _HASH:
        depth += 1
    if depth or not marks[a] & HEADS:
        return depth if depth else 9
    return 1 if text[b - 1] == _EQUALS else 2 if text[b - 1] == _HYPHEN else 3


@kernel
def _leans(
    text: NDArray[np.uint32],
    p: int,
    words: int,
    kinds: NDArray[np.uint16],
    lower: NDArray[np.uint32],
    first_words: NDArray[np.uint64],
    pronouns: NDArray[np.uint64],
) -> bool:
    """Whether one of the first words of the sentence at `p` points back before it."""
    for nth in range(words):
        listed = first_words if nth == 0 else pronouns
        while p < len(text) and not _kind(text[p], kinds) & LETTER:
            if _kind(text[p], kinds) & (LINE | STOP):
                return False
            p += 1
        held, letters = np.uint64(0), 0
        while p < len(text) and _kind(text[p], kinds) & LETTER:
            code = text[p]
            held = _absorb(held, lower[code] if code < _TOLD else code)
            letters += 1
            p += 1
            if code >= _NO_BLANKS and letters <= _SYLLABLES and _is_listed(held, listed):
                return True
        if letters and _is_listed(held, listed):
            return True
    return False


@kernel
def _is_listed(held: np.uint64, listed: NDArray[np.uint64]) -> bool:
    at = np.searchsorted(listed, held)
    return bool(at < len(listed) and listed[at] == held)


@kernel
def _mark(text: NDArray[np.uint32], inserted: bool, kinds: NDArray[np.uint16], marks: NDArray[np.uint8]) -> None:
    """Write the marks of every position of one text, and of its end; what was inserted may stand amid a quotation."""
    size = len(text)
    marks[: size + 1] = 0
    depth, quoted, ticked = 0, False, False
    fenced, block, terminated = _starts_fenced(text), True, True
    was_barred, was_quoted, was_tabbed, was_item = False, False, False, False
    length = line_before = line_end = segment = ZERO
    wrapped, small = _is_wrapped(text, kinds), 0 if _is_caseless(text, kinds) else LOWER
    parted, session, in_list = _has_blank_lines(text, kinds), False, False
    a, directive = ZERO, -1
    while a < size:
        b = a
        while b < size and not _kind(text[b], kinds) & LINE:
            b += 1
        i, j = a, b
        while i < j and _kind(text[i], kinds) & SPACE:
            i += 1
        while j > i and _kind(text[j - 1], kinds) & SPACE:
            j -= 1
        if i == j or (i + 1 == j and text[i] == _DOT):  # a line with nothing but a dot parts paragraphs of Debian
            block = True
            if not fenced:
                depth, quoted, ticked, was_tabbed = 0, False, False, False
            a = b + 1
            continue
        fence = _is_fence(text, i, j)
        tabs = _tabs(text, i, j)
        table = _is_table(text, i, j) or (tabs > 0 and was_tabbed and not block)
        bare = not _has_letters(text, i, j, kinds)
        rule = bare and _is_rule(text, i, j)
        code = _is_code(text, a, i, j, was_barred and not block, kinds)
        opens = _is_directive(text, i, j)
        session = _is_session(text, a, kinds) if block else session
        stray = bare and not (rule or opens or text[i] == _QUOTED or text[i] == _BAR)
        barred = (
            fence
            or table
            or code
            or session
            or stray
            or (fenced and not (block and _is_statement(text, i, j, kinds) and _ends_block(text, b, kinds)))
        )
        if fence:
            fenced = not fenced or _is_named(text, i, j)
        if tabs > 1 and was_tabbed and not block:
            _bar(marks, line_before, a)
        goes_on = not block and not was_barred and not barred
        goes_on = goes_on and _goes_on(text, i, j, line_end, length if wrapped else 0, terminated, kinds, small)
        if directive >= 0 and i - a > directive:
            goes_on, block = True, False
        elif not barred:
            directive = i - a if opens else -1
        in_quotation = was_quoted and text[i] == _QUOTED and not block
        if terminated and not goes_on:
            depth, quoted, ticked = 0, False, False
        free = depth == 0 and not quoted and not ticked
        item = _is_item(text, i, j, kinds)
        was_item = was_item and not block
        listed = item and (was_item or (block and in_list))
        in_list = item or (in_list and not block)
        if not block and rule:
            marks[segment] |= np.uint8(LEADS | HEADS)
        elif was_barred != barred or (
            ((block and not listed) or (free and not goes_on and not in_quotation))
            and (rule or opens or not (listed or bare))
        ):
            heading = rule or (text[i] == _HASH and not barred)
            titled = block and _is_title(text, i, j, kinds) and _ends_block(text, b, kinds)
            marks[i] |= np.uint8(BOUNDARY | (LEADS if heading or titled else 0) | (HEADS if heading else 0))
            marks[i] |= np.uint8((CLOSED if barred or directive >= 0 else 0) | (BLOCK if block or not parted else 0))
            segment = i
        if barred:
            _bar(marks, a, b)
            depth, quoted, ticked, terminated = 0, False, False, True
        else:
            depth, quoted, ticked, terminated, segment = _mark_line(
                text, i, j, inserted, kinds, small, marks, depth, quoted, ticked, segment
            )
            if _kind(text[j - 1], kinds) & PAUSE:
                last_behind = _ends_block(text, b, kinds)
                marks[segment] |= np.uint8(ASKS | (0 if last_behind or j - segment >= _ANNOUNCEMENT else LEADS))
                terminated = True
        block, was_barred, was_quoted, was_tabbed, was_item = (
            False,
            barred,
            text[i] == _QUOTED,
            tabs > 0,
            item or was_item,
        )
        length, line_before, line_end = j - i, i, j
        a = b + 1
    marks[size] = BOUNDARY


@kernel
def _bar(marks: NDArray[np.uint8], first: int, last: int) -> None:
    for p in range(first, last):
        marks[p] |= np.uint8(BARRED)


@kernel
def _mark_line(
    text: NDArray[np.uint32],
    i: int,
    j: int,
    inserted: bool,
    kinds: NDArray[np.uint16],
    small: int,
    marks: NDArray[np.uint8],
    depth: int,
    quoted: bool,
    ticked: bool,
    segment: int,
) -> tuple[int, bool, bool, bool, int]:
    """Mark where sentences begin within a line; what is open behind it, whether a sentence ends with it, the last."""
    terminated = False
    within_quotation = text[i] == _QUOTED
    for p in range(i, j):
        kind = _kind(text[p], kinds)
        if kind & SPACE:
            continue
        gap = p > i and _kind(text[p - 1], kinds) & SPACE != 0
        opens_quotation = gap and text[p] == _QUOTE
        begins = opens_quotation or not (kind & (small | CLOSES | STOP | PAUSE) or text[p] == _QUOTE)
        apart = depth == 0 and not (quoted or ticked or within_quotation) and (gap or _is_wide_stop(text[p - 1]))
        if terminated and begins and apart and not _shortened(text, i, p, kinds, kind):
            marks[p] |= np.uint8(BOUNDARY)
            segment = p
        if kind & OPENS:
            depth += 1
        elif kind & CLOSES:
            depth = max(depth - 1, 0)
        elif text[p] == _QUOTE:
            quoted = not (quoted or inserted)
        elif text[p] == _BACKTICK:
            ticked = not ticked
        closing = kind & CLOSES != 0 or text[p] == _QUOTE
        terminated = kind & STOP != 0 or (terminated and closing and not gap)
    return depth, quoted, ticked, terminated, segment


@kernel
def _is_wide_stop(code: np.uint32) -> bool:
    return bool(code == 0x3002 or code == 0xFF01 or code == 0xFF1F)


@kernel
def _shortened(text: NDArray[np.uint32], i: int, p: int, kinds: NDArray[np.uint16], kind: int) -> bool:
    """Whether the full stop before `p` may close a shortened word, an initial or the number of an item."""
    q = p - 1
    while q > i and _kind(text[q], kinds) & SPACE:
        q -= 1
    if text[q] != _DOT:
        return False
    if kind & DIGIT or (q > i and text[q - 1] == _DOT):  # No. 5; an omission
        return True
    w = q
    dotted = False
    while w > i and not _kind(text[w - 1], kinds) & (SPACE | OPENS):
        w -= 1
        dotted |= text[w] == _DOT
    letters, digits, capital = 0, 0, not _kind(text[w], kinds) & LOWER
    for c in range(w, q):
        letters += _kind(text[c], kinds) & LETTER != 0
        digits += _kind(text[c], kinds) & DIGIT != 0
    if digits and not letters:
        return w == i or dotted
    if letters and not digits and q - w <= _SHORTENED:
        return capital or letters == 1
    return dotted and q - w < 2 * _SHORTENED  # e.g., U.S.


@kernel
def _goes_on(
    text: NDArray[np.uint32],
    i: int,
    j: int,
    end: int,
    length: int,
    terminated: bool,
    kinds: NDArray[np.uint16],
    small: int,
) -> bool:
    """Whether a line goes on the sentence of the one before, which ends at `end`, is so long and ends one or not."""
    if terminated:
        return False
    p = i
    while p < j and not _kind(text[p], kinds) & (LETTER | DIGIT):
        p += 1
    if p == j:
        return False
    full = _WRAPPED_FROM <= length <= _WRAPPED_TO
    open_end = text[end - 1] == _COMMA or _kind(text[end - 1], kinds) & (LETTER | DIGIT) != 0
    return (
        text[end - 1] == _COMMA
        or _kind(text[p], kinds) & small != 0
        or (full and (p == i or text[i] == _QUOTE or open_end))
    )


@kernel
def _is_wrapped(text: NDArray[np.uint32], kinds: NDArray[np.uint16]) -> bool:
    """Whether lines of prose are broken where they are full: none is longer."""
    length, blanks = 0, 0
    for p in range(len(text)):
        if _kind(text[p], kinds) & LINE:
            length, blanks = 0, 0
        else:
            length += 1
            blanks += text[p] == _BLANK
            if length > _WRAPPED_TO and blanks > _PROSE:
                return False
    return True


@kernel
def _is_caseless(text: NDArray[np.uint32], kinds: NDArray[np.uint16]) -> bool:
    """Whether a text has next to no capitals, so that small letters tell nothing."""
    capitals, letters = 0, 0
    for p in range(len(text)):
        kind = _kind(text[p], kinds)
        letters += kind & LETTER != 0
        capitals += kind & LETTER != 0 and not kind & LOWER
    return capitals * 200 < letters


@kernel
def _has_blank_lines(text: NDArray[np.uint32], kinds: NDArray[np.uint16]) -> bool:
    """Whether a blank line parts two lines of a text."""
    begun, lines = False, 0
    for p in range(len(text)):
        kind = _kind(text[p], kinds)
        if kind & LINE:
            lines += 1
        elif not kind & SPACE:
            if begun and lines > 1:
                return True
            begun, lines = True, 0
    return False


@kernel
def _is_session(text: NDArray[np.uint32], a: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a block that begins at `a` shows a session: one of its lines begins with a prompt."""
    while a < len(text):
        i = a
        while i < len(text) and _kind(text[i], kinds) & SPACE:
            i += 1
        if i == len(text) or _kind(text[i], kinds) & LINE:
            return False
        if i + 2 < len(text) and text[i] == text[i + 1] == text[i + 2] == _QUOTED:
            return True
        if i + 1 < len(text) and text[i] == _DOLLAR and text[i + 1] == _BLANK:
            return True
        while i < len(text) and not _kind(text[i], kinds) & LINE:
            i += 1
        a = i + 1
    return False


@kernel
def _ends_block(text: NDArray[np.uint32], p: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a blank line or nothing follows the line end at `p`."""
    p += 1
    while p < len(text) and _kind(text[p], kinds) & SPACE:
        p += 1
    return p >= len(text) or _kind(text[p], kinds) & LINE != 0


@kernel
def _is_statement(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line is words and little else."""
    if not _kind(text[i], kinds) & LETTER:
        return False
    blanks, others = 0, 0
    for p in range(i, j):
        kind = _kind(text[p], kinds)
        blanks += kind & SPACE != 0
        others += not kind & (SPACE | LETTER)
    return blanks >= _STATED and others * 10 <= j - i


@kernel
def _is_directive(text: NDArray[np.uint32], i: int, j: int) -> bool:
    """Whether a line opens markup of reStructuredText, to which the lines indented below it belong."""
    return j - i > 1 and text[i] == text[i + 1] == _DOT and (j - i == 2 or text[i + 2] == _BLANK)


@kernel
def _is_fence(text: NDArray[np.uint32], i: int, j: int) -> bool:
    return j - i > 2 and text[i] == text[i + 1] == text[i + 2] == _BACKTICK


@kernel
def _is_named(text: NDArray[np.uint32], i: int, j: int) -> bool:
    """Whether a fence names a language, so opens a block and closes none."""
    return bool(text[j - 1] != text[i])


@kernel
def _starts_fenced(text: NDArray[np.uint32]) -> bool:
    """Whether a text is a piece that begins within fenced code: its first fence closes, since the second opens."""
    seen, a = False, 0
    for b in range(len(text) + 1):
        if b == len(text) or text[b] == _NEW_LINE:
            i, j = a, b
            while i < j and text[i] <= _BLANK:
                i += 1
            while j > i and text[j - 1] <= _BLANK:
                j -= 1
            if _is_fence(text, i, j):
                if seen or _is_named(text, i, j):
                    return seen and _is_named(text, i, j)
                seen = True
            a = b + 1
    return False


@kernel
def _is_item(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line is an item of a list: behind a bullet, or a number with a dot or bracket."""
    p = i
    while p < j and _kind(text[p], kinds) & DIGIT:
        p += 1
    if p == i:
        return j - i > 2 and text[i + 1] == _BLANK and text[i] in (_HYPHEN, _STAR, _PLUS, _BULLET)
    return p + 1 < j and (text[p] == _DOT or text[p] == _END_ROUND) and text[p + 1] == _BLANK


@kernel
def _is_title(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line by itself may head what follows: a few words that end no sentence."""
    last = _kind(text[j - 1], kinds)
    return j - i <= _TITLE and _kind(text[i], kinds) & LETTER != 0 and not last & (STOP | CLOSES)


@kernel
def _has_letters(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    held = 0
    for p in range(i, j):
        held |= _kind(text[p], kinds)
    return held & (LETTER | DIGIT) != 0


@kernel
def _is_wording(text: NDArray[np.uint32], i: int, j: int, kinds: NDArray[np.uint16]) -> bool:
    """Whether most of a stretch is letters: rulers, lists of numbers and of addresses are no passages."""
    letters, others = 0, 0
    for p in range(i, j):
        kind = _kind(text[p], kinds)
        letters += kind & LETTER != 0
        others += not kind & (LETTER | SPACE | LINE)
    return others <= letters


@kernel
def _is_rule(text: NDArray[np.uint32], i: int, j: int) -> bool:
    """Whether a line is one mark again and again, as under a heading."""
    if j - i < 3:
        return False
    same = 0
    for p in range(i, j):
        same += text[p] == text[i]
    return same == j - i


@kernel
def _tabs(text: NDArray[np.uint32], i: int, j: int) -> int:
    """Columns that tabs set apart within a line."""
    found = 0
    for p in range(i + 1, j):
        found += text[p] == _TAB and text[p - 1] != _TAB
    return found


@kernel
def _is_table(text: NDArray[np.uint32], i: int, j: int) -> bool:
    """Whether a line is a row between bars, a frame, or is set in columns by blanks."""
    bars, rules, columns, blanks = 0, 0, 0, 0
    for p in range(i, j):
        bars += text[p] == _BAR
        rules += text[p] == _HYPHEN or text[p] == _EQUALS or text[p] == _PLUS or text[p] == _BAR
        if text[p] == _BLANK:
            blanks += 1
        else:
            columns += blanks > 3
            blanks = 0
    if columns > 0 and text[i] == _HYPHEN and j - i > 1 and text[i + 1] != _BLANK:  # an option and what it does
        return True
    framed = bars > 1 and (text[i] == _BAR or text[j - 1] == _BAR)
    return framed or columns > 1 or (columns > 0 and rules * 2 > j - i)


@kernel
def _is_code(text: NDArray[np.uint32], a: int, i: int, j: int, after_code: bool, kinds: NDArray[np.uint16]) -> bool:
    """Whether a line looks like code by the symbols outside its addresses."""
    strong, counted, address, p = 0, 0, False, i
    while p < j:
        if _kind(text[p], kinds) & SPACE:
            address = False
            p += 1
            continue
        counted += 1
        code, after = text[p], text[p + 1] if p + 1 < j else np.uint32(0)
        if code == _COLON and after == _SLASH and p + 2 < j and text[p + 2] == _SLASH:
            address = True
        if not address:
            pair = (
                (code == _ROUND and after == _END_ROUND)
                or (code == _SQUARE and after == _END_SQUARE)
                or (code == _COLON and after == _COLON)
                or (code == _HYPHEN and after == _QUOTED)
                or (code == _EQUALS and after == _QUOTED)
                or (code == _LESS and (after == _SLASH or _kind(after, kinds) & LETTER != 0))
            )
            joined = (
                code == _UNDERSCORE
                and p > i
                and _kind(text[p - 1], kinds) & (LETTER | DIGIT) != 0
                and _kind(after, kinds) & (LETTER | DIGIT) != 0
            )
            single = (code in (_BRACE, _END_BRACE, _EQUALS, _DOLLAR, _BACKSLASH)) and not (
                code == after or (p > i and text[p - 1] == code)
            )
            name = _braced_name(text, i, p, j, kinds) if code == _BRACE else 0
            strong += (pair or joined or single) and not name
            p += name
        p += 1
    closes = text[j - 1] == _BRACE or text[j - 1] == _END_BRACE or text[j - 1] == _SEMICOLON
    prompt = j - i > 2 and (
        (text[i] == _DOLLAR and text[i + 1] == _BLANK)
        or (text[i] == _QUOTED and text[i + 1] == _QUOTED and text[i + 2] == _QUOTED)
    )
    begins = j - i > len(_IMPORT) and text[i] == _IMPORT[0]
    imports = begins and np.array_equal(text[i : i + len(_IMPORT)], _IMPORT)
    if (
        prompt
        or (imports and (closes or text[j - 1] == _APOSTROPHE or text[j - 1] == _QUOTE))
        or (closes and strong > 0)
        or (strong > 1 and strong * _DENSE >= counted)
    ):
        return True
    return strong > 0 and (after_code or (i - a > 3 or (i > a and text[a] == _TAB)))


@kernel
def _braced_name(text: NDArray[np.uint32], i: int, p: int, j: int, kinds: NDArray[np.uint16]) -> int:
    """Length of words between braces that stand in a sentence as a word does, as {address} in a dictionary; else 0."""
    if p > i and not _kind(text[p - 1], kinds) & (SPACE | OPENS):
        return 0
    end = p + 1
    while end < j and (_kind(text[end], kinds) & (LETTER | DIGIT | SPACE) or text[end] == _HYPHEN):
        end += 1
    named = end > p + 1 and _kind(text[p + 1], kinds) & LETTER != 0 and end < j and text[end] == _END_BRACE
    after = _kind(text[end + 1], kinds) if end + 1 < j else SPACE
    return end - p if named and after & (SPACE | STOP | PAUSE | CLOSES | LETTER | DIGIT) else 0


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
        while before > 0 and _kind(text[before - 1], kinds) & (SPACE | LINE):
            before -= 1
            lines_before += _kind(text[before], kinds) & LINE != 0
        while after < len(text) and _kind(text[after], kinds) & (SPACE | LINE):
            lines_after += _kind(text[after], kinds) & LINE != 0
            after += 1
        if lines_before == 0 and before > 0:
            begins[s] = before
        elif start[s] < end[s]:
            taken = lines_after if before == 0 else min(lines_before, lines_after)
            while taken > 0:
                taken -= _kind(text[ends[s]], kinds) & LINE != 0
                ends[s] += 1
    return begins, ends
