"""Marking of a text: its lines are read one by one, as headings, items, prose, or what is never cut."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import ZERO, inner
from models.lexical.text.boundaries.code_lines import is_code, is_session
from models.lexical.text.boundaries.code_points import BAR, DOT, LETTER, LOWER, PAUSE, QUOTED, STOP, kind_of
from models.lexical.text.boundaries.fences import is_fence, is_named_fence, starts_fenced
from models.lexical.text.boundaries.layout import (
    ends_block,
    goes_on_sentence,
    has_blank_lines,
    is_caseless,
    is_set_in,
    is_wrapped,
    line_at,
)
from models.lexical.text.boundaries.lines import (
    has_letters,
    is_attribution,
    is_directive,
    is_heading,
    is_item,
    is_rule,
    is_source,
    is_statement,
    is_table,
    is_title,
    is_wordy,
    tab_columns,
)
from models.lexical.text.boundaries.marks import ASKS, BARRED, BLOCK, BOUNDARY, CLOSED, HEADS, LEADS
from models.lexical.text.boundaries.sentences import mark_line

_ANNOUNCEMENT = 60
"""Code points from which a sentence that ends with a colon says more than a label does."""
_BARS = tuple(map(ord, "»›|•·"))
"""Signs with which lines of a navigation bar end, one after another."""


@inner
def mark(text: NDArray[np.uint32], inserted: bool, kinds: NDArray[np.uint16], marks: NDArray[np.uint8]) -> None:
    """Write the marks of every position of one text, and of its end; what was inserted may stand amid a quotation."""
    size = len(text)
    marks[: size + 1] = 0
    depth, quoted, ticked = 0, False, False
    fenced, block, terminated = starts_fenced(text), True, True
    was_barred, was_wordy, was_quoted, was_tabbed, was_item = False, False, False, False, False
    was_set_in = was_first = False
    length = line_before = line_end = segment = ZERO
    wrapped, small = is_wrapped(text, kinds), 0 if is_caseless(text, kinds) else LOWER
    parted, session, in_list = has_blank_lines(text, kinds), False, False
    a, directive = ZERO, -1
    while a < size:
        i, j, b = line_at(text, a, size, kinds)
        if i == j or (i + 1 == j and text[i] == DOT):  # a line with nothing but a dot parts paragraphs of Debian
            block = True
            if not fenced:
                depth, quoted, ticked, was_tabbed = 0, False, False, False
            a = b + 1
            continue
        fence = is_fence(text, i, j)
        tabs = tab_columns(text, i, j)
        table = is_table(text, i, j) or (tabs > 0 and was_tabbed and not block)
        bare = not has_letters(text, i, j, kinds)
        rule = bare and is_rule(text, i, j)
        code = is_code(text, a, i, j, was_barred and not block, kinds)
        opens = is_directive(text, i, j)
        session = is_session(text, a, kinds) if block else session
        stray = bare and not (rule or opens or text[i] == QUOTED or text[i] == BAR)
        # Beside paragraphs of one line each, several lines that are set in are quoted as they are, in Markdown as code;
        # one line is the address within a notice.
        set_in = not wrapped and not in_list and is_set_in(text, a, i)
        below, below_i, below_j = b + 1, i, i
        if set_in and below < size:
            below_i, below_j, _ = line_at(text, below, size, kinds)
        verbatim = set_in and ((was_set_in and not block) or (below_i < below_j and is_set_in(text, below, below_i)))
        barred = (
            fence
            or table
            or code
            or session
            or stray
            or verbatim
            or (fenced and not (block and is_statement(text, i, j, kinds) and ends_block(text, b, kinds)))
        )
        if fence:
            fenced = not fenced or is_named_fence(text, i, j)
        if tabs > 1 and was_tabbed and not block:
            _bar(marks, line_before, a)
        # a line of prose may hold marks of code, amid its sentence, and then ends with a word of it if it is short
        amid = is_wordy(text, i, j, kinds) or kind_of(text[j - 1], kinds) & LETTER != 0
        wordy = not barred or (code and not (fence or table or session or fenced) and amid)
        goes_on = not block and wordy and was_wordy
        goes_on = goes_on and goes_on_sentence(text, i, j, line_end, length if wrapped else 0, terminated, kinds, small)
        by = is_attribution(text, i, j, kinds) or (terminated and is_source(text, i, j, kinds))
        goes_on = goes_on or (not (block or was_barred or barred) and by)
        if directive >= 0 and i - a > directive:
            goes_on, block = True, False
        elif not barred:
            directive = i - a if opens else -1
        in_quotation = was_quoted and text[i] == QUOTED and not block
        if terminated and not goes_on:
            depth, quoted, ticked = 0, False, False
        free = depth == 0 and not quoted and not ticked
        item = is_item(text, i, j, kinds)
        was_item = was_item and not block
        listed = item and (was_item or (block and in_list))
        in_list = item or (in_list and not block)
        # below a paragraph a rule parts it from what follows; below a line it makes a heading of that
        parts = rule and not block and kind_of(text[line_end - 1], kinds) & STOP != 0
        parts = parts and (length >= _ANNOUNCEMENT or not was_first)
        if parts:
            marks[i] |= np.uint8(BOUNDARY | BLOCK)
            segment = i
        elif not block and rule:
            marks[segment] |= np.uint8(LEADS | HEADS)
        elif (was_barred != barred and not goes_on) or (
            ((block and not listed) or (free and not goes_on and not in_quotation))
            and (rule or opens or not (listed or bare))
        ):
            heading = rule or (is_heading(text, i, j, kinds) and not barred)
            titled = block and is_title(text, i, j, kinds) and ends_block(text, b, kinds)
            marks[i] |= np.uint8(BOUNDARY | (LEADS if heading or titled else 0) | (HEADS if heading else 0))
            marks[i] |= np.uint8((CLOSED if barred or directive >= 0 else 0) | (BLOCK if block or not parted else 0))
            segment = i
        if barred:
            _bar(marks, a, b)
            depth, quoted, ticked = 0, False, False
            terminated = not wordy or kind_of(text[j - 1], kinds) & (STOP | PAUSE) != 0
        else:
            depth, quoted, ticked, terminated, segment = mark_line(
                text, i, j, inserted, kinds, small, marks, depth, quoted, ticked, segment
            )
            if kind_of(text[j - 1], kinds) & PAUSE:
                last_behind = ends_block(text, b, kinds)
                marks[segment] |= np.uint8(ASKS | (0 if last_behind or j - segment >= _ANNOUNCEMENT else LEADS))
                terminated = True
            terminated |= not block and text[j - 1] in _BARS and text[line_end - 1] == text[j - 1]
        was_first = block
        block, was_barred, was_wordy, was_quoted, was_tabbed, was_item = (
            parts,
            barred,
            wordy,
            text[i] == QUOTED,
            tabs > 0,
            item or was_item,
        )
        length, line_before, line_end, was_set_in = j - i, i, j, set_in
        a = b + 1
    marks[size] = BOUNDARY


@inner
def _bar(marks: NDArray[np.uint8], first: int, last: int) -> None:
    for p in range(first, last):
        marks[p] |= np.uint8(BARRED)
