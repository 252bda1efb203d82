"""Prose and running text: the words of a text that say something, not those of menus, bylines, headlines and links."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inlined, inner, kernel
from models.languages import listed
from models.lexical.text.markup.bullets import BULLETS
from models.lexical.text.markup.source_code import begins_roff, begins_source
from models.lexical.text.normalisation import Normalised
from models.lexical.text.unicode_table import CASELESS, DIGIT, KIND, LETTER, SINGLE, UPPER
from models.lexical.text.words import CAPITAL, HAS_DIGIT, Words

GLUED, LABELS, GLUED_LINE = 10, 7, 30
"""Words of a menu that is glued to sentences, labels among them, and words of a line that may hold one, at least."""
LINE_WORDS = 8
"""Words of a line of prose at least, letters that are words count half; menus and most headlines are shorter."""
_STOPS = tuple(map(ord, ".!?…。।؟"))
_CLOSING = tuple(map(ord, ")]\"'”’»"))
_BLANK = np.uint32(ord(" "))
_CLAUSES = tuple(map(ord, ",;:.?!…。，；：！？।؟؛،"))
_PER_LINE, _SMALL = 5, 3
"""Words of a line of a paragraph on average; letters of a word with which no whole line ends."""
_CALL, _DOT, _COLON, _SLASH = (np.uint32(ord(sign)) for sign in "(.:/")
_OF_ADDRESSES, _HOST_DOTS = tuple(map(ord, ":/.-_?&=#%~+@")), 2
"""Signs between the words of an address; stops in one without a scheme at least."""
_SIGNS = np.isin(np.arange(128), [ord(sign) for sign in '{};:=<>[]_$\\`"' + "'"])
"""Of code, beside "name(" and "name.name"; two make a line of code, and so does one a line in a row of lines."""

_CODE_SIGNS = np.isin(np.arange(128), [ord(sign) for sign in "{};=<>[]_$\\`/"])
_MARKS = (*BULLETS, ord(">"), ord("#"))
"""Signs before an item of a list, a quotation or a heading."""
_ITEMS = (*BULLETS, *map(ord, ">»›"))
"""Signs behind which a capital begins an item of its own, though the line before ended with a small word."""
_HANGUL, _HANGUL_STOP = 0xAC00, 0xD7A4
_PARTICLES = tuple(map(ord, "".join(listed("particles"))))
_PER_PARTICLE = 5
"""Syllables with which words of Korean sentences end, also of those that no stop closes, and words of a paragraph for
each: menus and titles have fewer."""
_HOST_BEHIND = 5
"""Words of a line at whose end "name.name" is a host and no code, at least."""
_STOPLESS_FROM, _STOPLESS_TO = 0x0E00, 0x1800
"""Thai, Lao, Burmese and Khmer, whose sentences no stop ends, lie between these."""
ENCODED = 40
"""Letters of a line of bytes in base 64 at least, and letters for each digit of it at most."""
_BASE_64 = tuple(map(ord, "+/="))
_STEP = np.uint32(ord(">"))
"""Between blanks it leads from one item of a path or menu to the next."""
_SQUARE, _END_SQUARE, _ROUND, _END_ROUND = (np.uint32(ord(sign)) for sign in "[]()")
PARAGRAPH, CODE_LINE = np.uint8(1), np.uint8(2)
"""Kinds of running text: a paragraph, and lines of code."""


@kernel
def prose(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Tell which words stand in prose.

    A line is prose if it has `LINE_WORDS` words or more, less than half of them with a capital, and a sentence ends in
    it or in such a line directly before or behind it, as in a paragraph that was wrapped. The last line of that may be
    shorter if it begins in lower case. A line at whose end a sentence ends may have as many names as it likes beside
    `LINE_WORDS` other words.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    codes, marks, code_pointers = normalised.codes, normalised.marks, normalised.pointers
    start, end, flags, line, pointers = words.start, words.end, words.flags, words.line, words.pointers
    found = np.zeros(len(end), np.bool_)
    for document in range(len(pointers) - 1):
        stop, last = pointers[document + 1], code_pointers[document + 1]
        word = pointers[document]
        # of the paragraph at hand: where it began, the line behind its last, whether a sentence ended in it
        paragraph, next_line, ended = word, np.int32(-1), False
        while word < stop:
            begin, capitals, stops, halves, closed = word, 0, False, 0, False
            while word < stop and line[word] == line[begin]:
                capitals += (flags[word] & CAPITAL) != 0
                halves += _halves(codes, marks, start[word])
                closed = _ends_sentence(codes, end[word], last)
                stops |= closed
                word += 1
            # a sentence full of names, as of a company and its products
            names = closed and word - begin - capitals >= LINE_WORDS
            wordy = halves >= 2 * LINE_WORDS and (names or 2 * capitals < word - begin)
            # the short last line of a paragraph that was wrapped
            closes = stops and line[begin] == next_line and not flags[begin] & (CAPITAL | HAS_DIGIT)
            closes = closes and codes[start[begin]] < CASELESS
            if not wordy and closes:
                found[paragraph:word] = True
                paragraph, ended = word, False
            elif not wordy or line[begin] != next_line:
                found[paragraph:begin] = ended
                paragraph, ended = begin, False
            if not wordy:
                paragraph = word
                next_line = np.int32(-1)
                continue
            ended |= stops
            next_line = line[begin] + 1
        found[paragraph:stop] = ended
    return found


@kernel
def headlines(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Headlines and menus: words of lines that begin with a capital and end like no sentence, clause or code.

    The line behind begins with a capital or a number, or there is none: a paragraph that was wrapped goes on in lower
    case. In scripts without capitals lines of less than `LINE_WORDS` are told. Behind a bullet stands an item of a
    list, which may be content, but for lines that are nothing but a link or an address.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    codes, marks, code_pointers = normalised.codes, normalised.marks, normalised.pointers
    start, end, flags, line, pointers = words.start, words.end, words.flags, words.line, words.pointers
    found = np.zeros(len(end), np.bool_)
    for document in range(len(pointers) - 1):
        stop, first_code, last = pointers[document + 1], code_pointers[document], code_pointers[document + 1]
        word = pointers[document]
        while word < stop:
            begin, signs, halves = word, 0, 0
            while word < stop and line[word] == line[begin]:
                signs += has_hump(marks, start[word], end[word])
                halves += _halves(codes, marks, start[word])
                behind = start[word + 1] if word + 1 < stop else last
                for at in range(end[word], behind):
                    signs += codes[at] < 128 and _CODE_SIGNS[codes[at]]
                word += 1
            caseless = codes[start[word - 1]] >= CASELESS
            goes_on = word < stop and line[word] == line[begin] + 1 and not flags[word] & (CAPITAL | HAS_DIGIT)
            item = start[begin] > first_code + 1 and codes[start[begin] - 2] in _MARKS
            link = _is_link(codes, start[begin], end[word - 1], first_code, last)
            if link or _is_numbered_url(codes, start, end, flags, line, begin, word):
                found[begin:word] = True
                continue
            plain = not (signs or item or _ends_clause(codes, end[word - 1], last))
            short = caseless and halves < 2 * LINE_WORDS
            found[begin:word] = plain and (short or (flags[begin] & CAPITAL != 0 and not goes_on))
    return found


@kernel
def encoded_lines(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Words of lines of bytes in base 64, as of a signature: bool[w] of n texts with w words."""
    start, end, line, pointers = words.start, words.end, words.line, words.pointers
    found = np.zeros(len(end), np.bool_)
    for document in range(len(pointers) - 1):
        word, stop = pointers[document], pointers[document + 1]
        while word < stop:
            begin = word
            while word < stop and line[word] == line[begin]:
                word += 1
            found[begin:word] = _is_encoded(normalised.codes, normalised.marks, start[begin], end[word - 1])
    return found


@kernel
def glued_menus(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Menus in front of, between and behind sentences in one line, as where a page was read without its lines.

    In a line of `GLUED_LINE` words and more these are the words of which `LABELS` of `GLUED` in a row begin with a
    capital or hold a digit; those of capitals throughout count for neither, for they may be a warning.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    marks, pointers = normalised.marks, words.pointers
    start, end, flags, line = words.start, words.end, words.flags, words.line
    found = np.zeros(len(end), np.bool_)
    for document in range(len(pointers) - 1):
        word, stop = pointers[document], pointers[document + 1]
        while word < stop:
            begin = word
            while word < stop and line[word] == line[begin]:
                word += 1
            if word - begin < GLUED_LINE:
                continue
            around = 0  # labels among the last `GLUED` words
            for at in range(begin, word):
                around += _is_label(marks, start[at], end[at], flags[at])
                gone = at - GLUED
                if gone >= begin:
                    around -= _is_label(marks, start[gone], end[gone], flags[gone])
                if around < LABELS or gone + 1 < begin:
                    continue
                low, high = gone + 1, at  # it begins and ends with a label
                while not _is_label(marks, start[low], end[low], flags[low]):
                    low += 1
                while not _is_label(marks, start[high], end[high], flags[high]):
                    high -= 1
                found[low : high + 1] = True
    return found


@inlined
def _is_label(marks: NDArray[np.uint8], start: int, end: int, flags: np.uint8) -> bool:
    """Does a word begin with a capital and go on in small letters, or hold a digit?"""
    return bool(flags & HAS_DIGIT or (flags & CAPITAL and (end == start + 1 or not marks[end - 1] & UPPER)))


@inlined
def has_hump(marks: NDArray[np.uint8], start: int, end: int) -> bool:
    """Does a capital stand behind a small letter in this word, as in a name of code: ProxyPass?"""
    found = False
    for at in range(start + 1, end):
        found |= marks[at] & UPPER != 0 and not marks[at - 1] & UPPER
    return found


def running_text(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Running text of any kind: prose, clauses of a list, capitals of a disclaimer, code; no menus and no headlines.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    found: NDArray[np.bool_] = kinds_of_text(normalised, words) != 0
    return found


@kernel
def kinds_of_text(normalised: Normalised, words: Words) -> NDArray[np.uint8]:
    """Running text as `running_text` has it, told from lines of code.

    Lines of which each goes on in lower case, in capitals like itself, or behind a small word, make a paragraph. It is
    running text if it has `LINE_WORDS` words or more, `_PER_LINE` a line, and goes over several lines, ends in a stop,
    comma or the like, or is Korean with particles; a row of capitalised items is none. Lines in a row that hold
    `_SIGNS` are code, but for lists of links and of addresses. A text that begins with a comment of code, or as
    a manual page does, is a source file, of which every line says something.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        uint8[w], `CODE_LINE` or `PARAGRAPH` or both, 0 for words that are no running text.
    """
    codes, marks, code_pointers = normalised.codes, normalised.marks, normalised.pointers
    start, end, flags, line, pointers = words.start, words.end, words.flags, words.line, words.pointers
    found = np.zeros(len(end), np.uint8)
    for document in range(len(pointers) - 1):
        stop, last = pointers[document + 1], code_pointers[document + 1]
        word = pointers[document]
        first = code_pointers[document]
        if first + 1 < last:
            opening = codes[first], codes[first + 1]
            if begins_source(*opening) or begins_roff(*opening):
                found[word:stop] = CODE_LINE
                continue
        # its first word, its lines, its words with a capital, those of them all in capitals, stops in it
        paragraph, folded, capitals, shouted, halves, particles, stops = word, 0, 0, 0, 0, 0, 0
        block, lines, signs = word, 0, 0  # lines in a row: the first word, how many, signs of code in them
        while word < stop:
            begin, marked, before = word, 0, halves
            while word < stop and line[word] == line[begin]:
                capital = (flags[word] & CAPITAL) != 0
                capitals += capital
                halves += _halves(codes, marks, start[word])
                shouted += capital and (marks[end[word] - 1] & UPPER) != 0
                korean = codes[start[word]] >= _HANGUL and end[word] - start[word] > 1
                particles += korean and codes[end[word] - 1] in _PARTICLES
                behind = start[word + 1] if word + 1 < stop else last
                marked += behind > end[word] and codes[end[word]] == _CALL
                joined = behind == end[word] + 1 and codes[end[word]] == _DOT and word + 1 < stop
                # the host behind a headline
                closes = word + 2 - begin >= _HOST_BEHIND and (word + 2 >= stop or line[word + 2] != line[begin])
                marked += joined and not closes
                for at in range(end[word], behind):
                    stops += codes[at] in _STOPS
                    step = codes[at] == _STEP and codes[at - 1] == _BLANK and codes[min(at + 1, last - 1)] == _BLANK
                    marked += codes[at] < 128 and _SIGNS[codes[at]] and not step
                word += 1
            link = _is_link(codes, start[begin], end[word - 1], first, last)
            link |= _is_encoded(codes, marks, start[begin], end[word - 1])
            link |= word - begin <= LINE_WORDS and _is_banner(codes, marks, start[begin], end[word - 1], first, last)
            marked = 0 if link or _is_numbered_url(codes, start, end, flags, line, begin, word) else marked
            folded, lines, signs = folded + 1, lines + 1, signs + min(marked, 2)
            if marked >= 2:
                found[begin:word] |= CODE_LINE
            follows = word < stop and line[word] == line[begin] + 1
            if not follows:
                if signs >= max(2, lines):
                    found[block:word] |= CODE_LINE
                block, lines, signs = word, 0, 0
            loud = 2 * shouted >= word - paragraph
            lower = not flags[word] & (CAPITAL | HAS_DIGIT) if follows else False
            # of lines of scripts without capitals only long ones go on in the next
            lower = lower and (codes[start[word]] < CASELESS or halves - before >= 2 * LINE_WORDS)
            lower = lower and not _is_address(codes, start, end, line, word, stop)
            item = follows and codes[max(start[word] - 2, 0)] in _ITEMS
            hangs = codes[start[word - 1]] < CASELESS and _hangs(codes, first, start, end, flags, word - 1) and not item
            if follows and not link and (lower or (loud and marks[end[word] - 1] & UPPER) or hangs):
                continue
            size = word - paragraph
            # Menus and headlines without capitals go on over lines, too, and no stop ends them.
            code = codes[start[word - 1]]
            wrapped = halves >= 4 * LINE_WORDS * folded and (stops > 0 or _STOPLESS_FROM <= code < _STOPLESS_TO)
            wrapped |= code < CASELESS
            closed = (folded > 1 and wrapped) or _ends_clause(codes, end[word - 1], last)
            closed |= _PER_PARTICLE * particles >= size
            said = loud or 2 * capitals < size
            if halves >= 2 * LINE_WORDS and halves >= 2 * _PER_LINE * folded and closed and said:
                found[paragraph:word] |= PARAGRAPH
            paragraph, folded, capitals, shouted, halves, particles, stops = word, 0, 0, 0, 0, 0, 0
    return found


@inner
def _is_address(
    codes: NDArray[np.uint32],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    line: NDArray[np.int32],
    word: int,
    stop: int,
) -> bool:
    """Is the line that begins with this word an address or the name of a host and nothing else: "docs.example.org"?"""
    begin, signs, scheme = word, 0, False
    while word + 1 < stop and line[word + 1] == line[begin]:
        scheme |= word == begin and codes[end[word]] == _COLON and codes[end[word] + 1] == _SLASH
        for at in range(end[word], start[word + 1]):
            if codes[at] not in _OF_ADDRESSES:
                return False
            signs += codes[at] == _DOT
        word += 1
    return bool(scheme or signs >= _HOST_DOTS)


@inner
def _is_numbered_url(
    codes: NDArray[np.uint32],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    flags: NDArray[np.uint8],
    line: NDArray[np.int32],
    word: int,
    stop: int,
) -> bool:
    """Is the line from this word on an address with its scheme, with or without a number, as in the links of a page?"""
    word += flags[word] & HAS_DIGIT != 0 and word + 1 < stop
    scheme = word + 1 < stop and codes[end[word]] == _COLON and codes[end[word] + 1] == _SLASH
    return bool(scheme and _is_address(codes, start, end, line, word, stop))


@inlined
def _halves(codes: NDArray[np.uint32], marks: NDArray[np.uint8], start: int) -> int:
    """2 for a word, 3 for one of Korean, which says more; 1 for a letter that is one by itself, without blanks."""
    return 1 if marks[start] & KIND == SINGLE else 3 if _HANGUL <= codes[start] < _HANGUL_STOP else 2


@inner
def _hangs(
    codes: NDArray[np.uint32],
    first: int,
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    flags: NDArray[np.uint8],
    word: int,
) -> bool:
    """Is this one of the small words, as "of", with which nobody ends a line that is whole? That of a host is none.

    The text begins with the code point `first`; what stands before it in a batch is another one's.
    """
    small = end[word] - start[word] <= _SMALL and not flags[word] & (CAPITAL | HAS_DIGIT)
    return bool(small and (start[word] == first or codes[start[word] - 1] != _DOT))


@inner
def _is_link(codes: NDArray[np.uint32], start: int, end: int, first: int, last: int) -> bool:
    """Is a line of Markdown, between its first and behind its last word, nothing but a link: "* [Home](/index)"?"""
    if not (start > first and codes[start - 1] == _SQUARE and end < last and codes[end] == _END_ROUND):
        return False
    links = 0
    for at in range(start, end):
        links += codes[at] == _END_SQUARE and codes[at + 1] == _ROUND
    return links > 0


@inner
def _is_banner(
    codes: NDArray[np.uint32], marks: NDArray[np.uint8], start: int, end: int, first: int, last: int
) -> bool:
    """Is a line in square brackets from end to end, with a number in it: "[rev. 3.14 2004-08-06]"?"""
    if not (start > first and codes[start - 1] == _SQUARE and end < last and codes[end] == _END_SQUARE):
        return False
    digits = 0
    for at in range(start, end):
        digits += marks[at] & KIND == DIGIT
    return digits > 0


@inner
def _is_encoded(codes: NDArray[np.uint32], marks: NDArray[np.uint8], start: int, end: int) -> bool:
    """Is a line bytes in base 64, as of a signature: `ENCODED` letters of both cases and digits without a blank?"""
    if end - start < ENCODED:
        return False
    small = capitals = digits = 0
    for at in range(start, end):
        kind = marks[at] & KIND
        if kind == DIGIT:
            digits += 1
        elif kind == LETTER and codes[at] < CASELESS:
            capitals += marks[at] & UPPER != 0
            small += marks[at] & UPPER == 0
        elif codes[at] not in _BASE_64:
            return False
    return bool(2 * capitals >= small and 2 * small >= capitals and digits * ENCODED >= end - start)


@inner
def _ends_clause(codes: NDArray[np.uint32], at: int, last: int) -> bool:
    """Is one of the next three characters a stop, comma or the like, as before a closing quote or bracket?"""
    found = False
    for near in range(at, min(at + 3, last)):
        found |= codes[near] in _CLAUSES
    return found


@inner
def _ends_sentence(codes: NDArray[np.uint32], at: int, last: int) -> bool:
    """Is the word before `at` followed by a full stop, and that by a blank, a closing quote or the end?

    A bracket or quote may close in between.
    """
    if at + 1 < last and (codes[at] == _BLANK or codes[at] in _CLOSING):  # a blank: a tokenised text
        at += 1
    if at >= last or codes[at] not in _STOPS:
        return False
    behind = codes[at + 1] if at + 1 < last else _BLANK
    return bool(behind <= _BLANK or behind > 127 or behind in (34, 39, 41, 93))
