"""Unicode table: what one code point becomes in normalised text, for kernels.

A table entry is one uint32: code point (bits 0-20), its mark (bits 21-24), `ENDS_LINE` (bit 28), `JOINS` (bit 29) and
an action (bits 30-31).

Mark of a normalised code point: its kind (`OTHER` … `SINGLE`, three bits) and whether it was `UPPER` in the original.
"""

import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

Array = np.ndarray

OTHER, SPACE, STOP, COMBINING, LETTER, DIGIT, SINGLE = range(7)
"""Kinds of code point: STOP may end a sentence, SINGLE is a letter of a script written without spaces."""
KIND, UPPER = 7, 8
"""Parts of a mark."""
CASELESS = 0x590
"""Scripts without capitals begin here."""
CODE, MARK_AT = (1 << 21) - 1, 21
ENDS_LINE = 1 << 28
"""White space that ends a line."""
JOINS = 1 << 29
"""The code point may combine with the one before it, so a table cannot tell what the two become."""
PLAIN, BLANK, DROP, EXPAND = (action << 30 for action in range(4))
"""Actions: emit the code; emit it as white space; emit nothing; emit expansion number `code`."""

FORMAT_PLANE = range(0xE0000, 0xE1000)
"""Tags and variation selectors, all without a glyph of their own."""

LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
"""What ends a line for `str.splitlines`."""
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0") | frozenset(
    map(chr, range(0xFE00, 0xFE10))
)
_TRADE_MARKS = frozenset("\u2120\u2122")
"""Signs of marks, which one page sets and another leaves out; compatibility would make letters of the word of them."""
_DECORATION = frozenset(map(chr, chain((0x305, 0x332, 0x333, 0x33F), range(0x334, 0x338), range(0x20D0, 0x20F1))))
"""Marks that strike out, underline or enclose any letter; not U+0338, which makes "=" into "≠"."""
_UNWRITTEN = frozenset(
    map(
        chr,
        chain(
            (0x640, 0x670, 0x93C), range(0x610, 0x61B), range(0x64B, 0x660), range(0x6D6, 0x6DD), range(0x6DF, 0x6E5)
        ),
    )
)
"""Signs that may be written or left out: vowels and tatweel in Arabic, the dot of nukta in Devanagari."""
LIMIT = 0x32400
"""Code points from here on stand for themselves, except those of `FORMAT_PLANE`."""
_SIMPLIFIED = {
    ord(other): ord(line[0])
    for line in Path(__file__).with_name("simplified.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
    for other in line[2:]
}
"""Simplified form of each other Han character, all in `_UNIFORM`."""
SAME = (
    str.maketrans("آأإٱىةؤئёँऩऱऴ", "اااايهويеंनरळ", "".join(_UNWRITTEN))
    | {code: str(value) for code in range(LIMIT) if (value := unicodedata.decimal(chr(code), None)) is not None}
    | _SIMPLIFIED
)
"""Signs that may be written for each other: carriers of hamza, ya and ta in Arabic, ё, two signs of nasals, digits,
traditional Han characters and simplified ones."""
SERBIAN, SERBIAN_STOP = 0x400, 0x460
"""Cyrillic letters among which those of Serbian are."""
_GAJ = dict(zip("абвгдђежзијклмнопрстћуфхцчш", "abvgdđežzijklmnoprstćufhcčš", strict=True)) | {
    "љ": "lj",
    "њ": "nj",
    "џ": "dž",
}
"""Letters of Serbian in its other script: a text may be written in either, and each letter of one tells the other."""
_TRAILING_VOWELS = frozenset("ะาๅະາ")
"""Vowels of category Lo that end a syllable: NFKC takes Thai and Lao `am` apart into a mark and one of these."""
_STOPS = frozenset(".!?。।॥؟۔።։")
_UNIFORM = (
    (range(0x3400, 0x4DC0), SINGLE),  # Han, extension A
    (range(0x4E00, 0xA000), SINGLE),  # Han
    (range(0xAC00, 0xD7A4), LETTER),  # Hangul syllables
    (range(0xD800, 0xF900), OTHER),  # surrogates, private use
    (range(0x17000, 0x18D09), SINGLE),  # Tangut
    (range(0x20000, 0x2F800), SINGLE),  # Han, extensions B to F and I
    (range(0x2FA20, LIMIT), SINGLE),  # Han, extensions G and H
)
_SINGLE = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x312F),  # kana, Bopomofo
    (0x31A0, 0x31FF),
    (0xA9E0, 0xA9FF),
    (0xAA60, 0xAA7F),
    (0xF900, 0xFAFF),  # Han, compatibility
    (0x1AFF0, 0x1B16F),
    (0x2F800, 0x2FA1F),
)
_KINDS = {"L": LETTER, "N": DIGIT, "M": COMBINING}


class UnicodeTable(NamedTuple):
    """Entries per code point, and what the expanding ones expand to.

    Attributes:
        entries: uint32[LIMIT], one entry per code point.
        expansions: uint32[e], plain entries, concatenated.
        pointers: int64[x+1], expansion number k is `expansions[pointers[k]:pointers[k+1]]`.
        latin: uint32[SERBIAN_STOP - SERBIAN], entries of Cyrillic letters in a text in Serbian.
    """

    entries: Array
    expansions: Array
    pointers: Array
    latin: Array


def fold(text: str) -> str:
    """Compatibility normalisation and case folding of a text (NFKC, casefold, NFKC), and one spelling of `SAME`.

    Args:
        text: any text without lone surrogates.

    Returns:
        The folded text; white space and invisible code points are left as they are.
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).translate(SAME)


def is_invisible(character: str) -> bool:
    """Whether normalisation drops a code point: controls, formats, selectors, fillers, decoration, vowel signs.

    Args:
        character: one code point.

    Returns:
        True for a code point that shows nothing of its own and is no white space.
    """
    if (
        character in _TRADE_MARKS
        or character in _INVISIBLE
        or character in _DECORATION
        or character in _UNWRITTEN
        or ord(character) in FORMAT_PLANE
    ):
        return True
    return unicodedata.category(character) in ("Cc", "Cf") and not character.isspace()


def folded_entries(folded: str, upper: bool) -> list[int]:
    """Plain table entries of a folded piece of text.

    Args:
        folded: what `fold` gave.
        upper: whether the original began with a capital.

    Returns:
        One entry per code point; white space becomes U+0020; only the first carries `UPPER`.
    """
    entries = [0x20 | SPACE << MARK_AT if c.isspace() else ord(c) | _kind(c) << MARK_AT for c in folded]
    if upper and entries:
        entries[0] |= UPPER << MARK_AT
    return entries


def is_upper(character: str) -> bool:
    """Whether a code point is a capital (categories Lu and Lt).

    Args:
        character: one code point.

    Returns:
        True for a capital.
    """
    return unicodedata.category(character) in ("Lu", "Lt")


@cache
def unicode_table() -> UnicodeTable:
    """The table of the running Python's Unicode version, made once per process (about 0.1 s).

    Returns:
        The table.
    """
    entries = np.arange(LIMIT, dtype=np.uint32)
    for block, kind in _UNIFORM:
        entries[block.start : block.stop] |= np.uint32(kind << MARK_AT)
    for written, read in _SIMPLIFIED.items():
        entries[written] = read | SINGLE << MARK_AT
    joining = _second_halves()
    expansions: list[list[int]] = []
    for code in _irregular():
        character = chr(code)
        if unicodedata.category(character) == "Cn":
            continue
        if is_invisible(character):
            entries[code] = DROP
            continue
        # A free-standing overline is a space with a mark on it.
        folded = "".join(c for c in fold(character) if not is_invisible(c))
        if not folded:  # vowel signs of Arabic in a presentation form
            entries[code] = DROP
            continue
        if folded.isspace():
            entries[code] = BLANK | (ENDS_LINE if character in LINE_ENDS else 0) | folded_entries(" ", False)[0]
            continue
        replaced = folded_entries(folded, is_upper(character))
        if len(replaced) == 1:
            entry = replaced[0]
        else:
            entry = EXPAND | len(expansions)
            expansions.append(replaced)
        firsts = (character, unicodedata.normalize("NFKD", character)[0], folded[0])
        joins = any(first in joining or unicodedata.combining(first) for first in firsts)
        entries[code] = entry | (JOINS if joins else 0)
    latin = entries[SERBIAN:SERBIAN_STOP].copy()
    for cyrillic, other in _GAJ.items():
        for letter in (cyrillic, cyrillic.upper()):
            pieces = folded_entries(other, is_upper(letter))
            latin[ord(letter) - SERBIAN] = pieces[0] if len(pieces) == 1 else EXPAND | len(expansions)
            expansions += [pieces] if len(pieces) > 1 else []
    return with_expansions(UnicodeTable(entries, np.empty(0, np.uint32), np.zeros(1, np.int64), latin), expansions)


def with_expansions(table: UnicodeTable, more: list[list[int]]) -> UnicodeTable:
    """Add expansions to a table.

    Args:
        table: the table, left as it is.
        more: lists of plain entries; they get the numbers from `table.pointers.size - 1` on.

    Returns:
        The larger table.
    """
    lengths = np.fromiter(map(len, more), np.int64, len(more))
    added = np.fromiter(chain.from_iterable(more), np.uint32, int(lengths.sum()))
    pointers = np.concatenate([table.pointers, table.pointers[-1] + np.cumsum(lengths)])
    return table._replace(expansions=np.concatenate([table.expansions, added]), pointers=pointers)


def _irregular() -> Iterator[int]:
    start = 0
    for block, _ in _UNIFORM:
        yield from range(start, block.start)
        start = block.stop


def _second_halves() -> frozenset[str]:
    """Code points that canonical composition may merge into the one before: accents, vowel and final jamo."""
    seconds = set(map(chr, chain(range(0x1161, 0x1176), range(0x11A8, 0x11C3))))
    for code in _irregular():
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(chr(int(parts[1], 16)))
    return frozenset(seconds)


def _kind(character: str) -> int:
    category = unicodedata.category(character)
    if character in _TRAILING_VOWELS:
        return COMBINING
    if category[0] in "LN" and any(low <= ord(character) <= high for low, high in _SINGLE):
        return DIGIT if category == "Nd" else SINGLE
    if character in _STOPS:
        return STOP
    code = ord(character)
    uniform = next((kind for block, kind in _UNIFORM if code in block), None)
    return _KINDS.get(category[0], OTHER) if uniform is None else uniform
