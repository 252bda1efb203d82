r"""References and tags of HTML and of forums that other programs left in a text, read with `escapes.py` and `pages.py`.

`&#8217;` and `&amp;` stand for a character, `<br/>` and `<td>` for a line end, `<span>` and `<a href=...>` for nothing,
and so do they where they were escaped once or twice more: `&amp;#8217;`, `&lt;span&gt;`. Of `\_` the backslash goes.
`\emph{`, the target of `[[target|label]]` and `[edit]` behind a heading go; `<|end|>`, which parts turns of a
dialogue, is a line end, and so are comments and the frames of messages (`frames`). Where a text has the end of one,
tags of forums go: `[b]`, `[url=...]`, `[/quote]`. Of links to pages of the same site the label stays, in Markdown,
Org mode and reStructuredText, so it does of the latter's roles (`roles`), and marks of tokenisers within words go
(`frames.token_marks`). Of a text that is a page of HTML as it was sent, all tags, comments, scripts and styles do.
"""

import html
import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from models.kernels.jit import inner, kernel
from models.kernels.vector_blocks import BLOCK, first_set, within
from models.lexical.text.frames.messages import message_frames
from models.lexical.text.frames.scanning import one_of, rows_of
from models.lexical.text.frames.token_marks import token_marks
from models.lexical.text.markup.escapes import (
    FIRST_LETTER,
    LAST_LETTER,
    TWO_BYTES,
    address_escape,
    is_address_of_text,
    is_json,
    is_mail,
    is_wrong,
    json_escape,
    mail_escape,
    of_mail,
    read_again,
    wrong_letter,
)
from models.lexical.text.markup.note_marks import labelled_note, raised_note
from models.lexical.text.markup.pages import is_page, unseen
from models.lexical.text.markup.roles import label_begin, role_begin, target_end

Array = np.ndarray

_BLOCKS = (
    "br", "p", "div", "tr", "td", "th", "table", "tbody", "thead", "ul", "ol", "dl", "li", "dt", "dd", "h1", "h2",
    "h3", "h4", "h5", "h6", "section", "article", "header", "footer", "blockquote", "figure", "speak", "break", "doc",
    "para", "simpara", "listitem",
)  # fmt: skip
_ON_PAGES = (
    "title", "pre", "hr", "nav", "main", "aside", "form", "label", "button", "option", "select", "input", "textarea",
    "img", "figcaption", "caption", "address", "fieldset", "legend", "details", "summary", "dialog", "script", "style",
    "svg", "text", "noscript", "template", "iframe", "video", "audio", "body", "head", "html",
    "item", "list", "row", "cell", "lb", "term", "entry", "screen", "refname", "refpurpose",
)  # fmt: skip
"""Names that stand for a line end on pages besides."""
_INLINE = (
    "span", "font", "strong", "em", "a", "b", "i", "u", "mark",
    "prosody", "emphasis", "voice", "bpt", "ept", "x1", "x2", "x3", "g",
)  # fmt: skip
"""Tags within a line: of HTML, of speech (SSML), and those that tools of translators set for formats (XLIFF, TMX)."""
_FORUM = (
    "b",
    "i",
    "u",
    "s",
    "url",
    "img",
    "quote",
    "code",
    "size",
    "color",
    "font",
    "list",
    "center",
    "spoiler",
    "email",
)
_SPANS = ("textbar", "emph", "textit", "textbf", "texttt", "textsc", "textsf", "underline", "mbox")
_HEADINGS = ("section", "subsection", "chapter", "paragraph", "title", "caption")
"""Commands of LaTeX that set what stands in their braces, within a line and as one of its own."""
# Of the thousands of names, those that are common in text and that no program would give a variable.
_NAMED = re.compile(
    r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp|shy|[nm]dash|[lr][sd]quo|hellip|copy|reg"
    r"|middot|bull|[lr]aquo|trade|euro|[A-Za-z]{1,2}(?:acute|cedil|circ|grave|lig|ring|slash|tilde|uml));"
)
_ESCAPED_TAG = re.compile(r"&(?:amp;)?lt;/?(\w+)&(?:amp;)?gt;")
_AMPERSAND, _LESS, _SLASH, _GREATER, _BLANK, _EQUALS, _HYPHEN, _HASH, _SEMICOLON = (ord(sign) for sign in "&</> =-#;")
_QUOTE, _APOSTROPHE, _BACKSLASH, _OPEN, _CLOSE, _LINE_FEED, _PERCENT, _QUESTION = (ord(sign) for sign in "\"'\\[]\n%?")
_BAR, _STAR, _BRACE, _DOT, _COLON, _ROUND, _END_ROUND, _TICK, _UNDERSCORE = (ord(sign) for sign in "|*{.:()`_")
_END_BRACE, _OF_PATHS = ord("}"), tuple(map(ord, "#./"))
_PAGES = rows_of(".htm", ".xht", ".md", ".php", ".asp", ".png", ".jpg", ".gif", ".svg")
"""Ends of the names of pages and pictures."""
_TRACKERS = rows_of("utm_", "fbclid=", "gclid=", "msclkid=", "mc_cid=", "mc_eid=", "igshid=")
"""Names of parameters by which is told who followed a link."""
_TURNING, _COMMENT = 24, 400
"""Bytes of the mark of a turn and of a comment, at most."""
_MARKS_OF_TURNS = (b"<start_of_turn>", b"<end_of_turn>", b"</s>", b"<eos>", b"<bos>")
_WIKI_MARKS = rows_of(
    "[edit]", "[edit source]", "[edit | edit source]", "[citation needed]", "[Bearbeiten]", "[modifier]", "[modifica]",
    "[editar]", "[bewerken]", "[edytuj]", "[править]", "[редактировать]", "[редагувати]", "[編集]", "[编辑]", "[編輯]",
)  # fmt: skip
"""Marks that a wiki sets behind its headings and statements."""
_TURNS_BEGIN = tuple(sorted({mark[1] for mark in _MARKS_OF_TURNS}))
_TURNS = rows_of(*(mark.decode() for mark in _MARKS_OF_TURNS))
_ROLES = rows_of("user", "assistant", "system", "model")
"""Marks of turns without bars, and lines that say whose turn it is."""
_ADDRESS, _TURN, _FRAME, _COMMENTED, _JOINT, _GAP, _TARGET, _NOTE = np.arange(8, dtype=np.uint64)
"""Numbers that stand for the address of a label, the name of such a mark, the frame of a message, a comment, marks
within and between words, the target of a link, and the mark of a note."""
_LETTER_A, _LETTER_M, _LETTER_P, _LETTER_L, _LETTER_G, _LETTER_T = map(ord, "amplgt")
_NOT_ASCII, _HIGHEST = 0xC2, 0xF4
"""The first byte in UTF-8 of a letter behind one that may have been the first byte of another, from which to which."""
_LETTERS = np.array([byte < 128 and chr(byte).isalpha() for byte in range(256)])
_NAMES = np.array([byte > 127 or chr(byte).isalnum() or byte == ord("_") for byte in range(256)])
"""Bytes of names; a tag that opens behind one is more likely code, as in `vector<p>`."""
_TAG = 10
"""Letters that the name of a tag has at most."""
_VALUE = 200
"""Bytes of the value of an attribute, at most."""
_REFERENCE = 10
"""Bytes of a reference, at most."""
_AGAIN = (
    "amp",
    "lt",
    "gt",
    "quot",
    "apos",
    "nbsp",
    "shy",
    "ndash",
    "mdash",
    "lsquo",
    "rsquo",
    "ldquo",
    "rdquo",
    "hellip",
)
"""Names behind an ampersand that was escaped itself: `&amp;lt;`."""
_MARKED = np.array([chr(byte) in "_#%&-" for byte in range(256)])
"""Signs before which Markdown, LaTeX and roff set a backslash, and patterns hardly do."""
_NOTHING = "\u200b".encode()
"""A code point that is dropped when a text is normalised."""
_READ_AS = {_FRAME: b"\n", _JOINT: _NOTHING, _GAP: b" "}
_RADIX = np.uint64(64)
_MIX = np.uint64(0x9E3779B97F4A7C15)


def _packed(name: str) -> int:
    """The name of a tag as one number, whatever its case, as `_tag` packs it."""
    number = 0
    for byte in name.encode():
        number = (number * 64 + (byte & 0x1F | (byte & 0x40) >> 1)) % 2**64
    return number


_KNOWN, _KNOWN_FORUM, _KNOWN_AGAIN, _KNOWN_COMMANDS = (
    np.array([_packed(name) for name in names], np.uint64)
    for names in (_BLOCKS + _INLINE, _FORUM, _AGAIN, _SPANS + _HEADINGS)
)
_BREAK, _ITEM, _LINK = (np.uint64(_packed(name)) for name in ("br", "item", "href"))


class References(NamedTuple):
    """Where references stood in n texts, flat; document d owns `pointers[d]:pointers[d+1]`.

    Attributes:
        place: int64[r], index of the code point that a reference became, in its document.
        extra: int64[r], code points of the reference less one.
        pointers: int64[n+1].
    """

    place: Array
    extra: Array
    pointers: Array


def read_references(data: Array, pointers: Array) -> tuple[Array, Array, References | None]:
    """Put characters in the place of references, as `html.unescape` does, and line feeds in the place of tags.

    References without semicolon, to no character or by rare names are left as they are, and so are tags that may be
    something else: in `vector<p>` a letter stands before it. What comes out is not read again, but for what was
    escaped twice.

    Args:
        data: uint8, UTF-8 of n texts.
        pointers: int64[n+1], where each begins.

    Returns:
        The same two for the texts as read, and where references stood; None where none did.
    """
    found = _find(data, pointers, _places_to_look(data))
    *marks, blank = token_marks(data, pointers)
    found = _with(found, marks, np.where(blank, _GAP, _JOINT))
    frames = message_frames(data, pointers)
    start, end, owner, key = _with(found, frames, np.full(frames[0].size, _FRAME))
    if not start.size:
        return data, pointers, None
    distinct, first, which = np.unique(key, return_index=True, return_inverse=True)
    read = [
        _READ_AS[name] if name in _READ_AS else _character(data[low:high].tobytes())
        for name, low, high in zip(distinct, start[first], end[first], strict=True)
    ]
    sizes = np.array([len(one) for one in read])[which]
    letters = np.frombuffer(b"".join(one.ljust(4, b"\0") for one in read), np.uint8).reshape(-1, 4)
    known = sizes > 0
    if not known.any():
        return data, pointers, None
    start, end, owner, which, sizes = start[known], end[known], owner[known], which[known], sizes[known]
    text = np.empty(data.size - int((end - start - sizes).sum()), np.uint8)
    places, extra = _replace(data, pointers, start, end, owner, letters[which], sizes, text)
    text.flags.writeable = False  # as other texts: kernels would be compiled once more
    shrunk = np.concatenate([[0], np.cumsum(end - start - sizes)])
    bounds = np.searchsorted(owner, np.arange(pointers.size))
    return text, pointers - shrunk[bounds], References(places, extra, bounds)


def _with(
    found: tuple[Array, Array, Array, Array], spans: Sequence[Array], key: Array
) -> tuple[Array, Array, Array, Array]:
    """What `_find` gives together with spans of texts; what stands within these goes with them."""
    begins, ends, whose = spans
    if not begins.size:
        return found
    inside = np.searchsorted(begins, found[0], side="right") - 1
    apart = (inside < 0) | (found[1] > ends[inside]) | (found[0] >= ends[inside])
    rows = [kept[apart] for kept in found]
    order = np.argsort(np.concatenate([rows[0], begins]), kind="stable")
    start, end, owner, name = (
        np.concatenate(both)[order] for both in zip(rows, (begins, ends, whose, key), strict=True)
    )
    return start, end, owner, name


@kernel
def _places_to_look(data: Array) -> Array:
    """Where a reference may begin, rising."""
    found, count, at = np.empty(data.size + 1, np.int64), 0, 0
    while at < data.size:
        if at + BLOCK + 2 < data.size:
            letters = within(data, at, TWO_BYTES, TWO_BYTES) & within(data, at + 1, FIRST_LETTER, LAST_LETTER)
            signs = within(data, at, _AMPERSAND, _AMPERSAND) | within(data, at, _LESS, _LESS)
            signs |= within(data, at, _OPEN, _CLOSE) | within(data, at, _EQUALS, _EQUALS)
            signs |= within(data, at, _PERCENT, _PERCENT) | within(data, at, _TICK, _TICK)
            signs |= letters & within(data, at + 2, _NOT_ASCII, _HIGHEST)
            while signs:
                found[count] = at + first_set(signs)
                count, signs = count + 1, signs & (signs - np.uint64(1))
            at += BLOCK
            continue
        found[count] = at
        sign = data[at]
        count += sign in (_AMPERSAND, _LESS, TWO_BYTES, _OPEN, _BACKSLASH, _CLOSE, _EQUALS, _PERCENT, _TICK)
        at += 1
    return found[:count]


@kernel
def _find(data: Array, pointers: Array, places: Array) -> tuple[Array, Array, Array, Array]:
    """Where references, tags and wrong letters begin and end, whose they are, and uint64 keys of what stands there.

    What has one key is read as one. Of references and wrong letters some may turn out to be none.
    """
    start, end = np.empty(places.size, np.int64), np.empty(places.size, np.int64)
    owner, key = np.empty(places.size, np.int64), np.empty(places.size, np.uint64)
    count, row, done = 0, 0, 0
    json_asked, from_json, mail_asked, from_mail = -1, False, -1, False
    forum_asked, from_forum, page_asked, from_page, wrong_asked, wrong = -1, False, -1, False, -1, False
    address_asked, from_address, in_role = -1, False, -1
    ends = np.empty(3, np.int64)
    for at in places:
        if at < done:  # what stands within a tag, as in <a href="?a&amp;b">, goes with it
            continue
        while pointers[row + 1] <= at:
            row += 1
        stop, begin = pointers[row + 1], at
        if data[at] == _LESS:
            if page_asked != row:
                page_asked, from_page = row, is_page(data, pointers[row], stop, ends)
            behind, name = raised_note(data, pointers[row], at, stop), _NOTE
            if behind == at and from_page:
                behind = unseen(data, at, stop, ends)
                name = _named(data, at + 1 + (at + 1 < stop and data[at + 1] == _SLASH), stop, _KNOWN)[1]
            elif behind == at:
                behind, name = _tag(data, at, stop, at > pointers[row] and _NAMES[data[at - 1]])
            if behind == at:
                behind, name = _turn(data, at, stop), _TURN
            if behind == at:
                behind, name = _comment(data, at, stop), _COMMENTED
            if behind == at and at > pointers[row] and data[at - 1] <= _BLANK:
                behind, name = _address_of_label(data, at, stop), _ADDRESS
                if behind == at and in_role == row:
                    behind, in_role = target_end(data, at, stop), -1
            done = max(done, behind)
        else:
            behind, name = at, np.uint64(0)
            if data[at] == _AMPERSAND:
                behind = _escaped_tag(data, at, stop)
                # A page shows what it escapes.
                if behind > at and page_asked != row:
                    page_asked, from_page = row, is_page(data, pointers[row], stop, ends)
                if behind == at or from_page:
                    behind = _reference(data, at, stop)
                done = behind
            elif data[at] == _BACKSLASH:
                if json_asked != row:
                    json_asked, from_json = row, is_json(data, pointers[row], stop)
                behind = json_escape(data, at, stop) if from_json else at
                if behind == at:
                    behind = at + 2 if at + 1 < stop and _MARKED[data[at + 1]] else _command(data, at, stop)
                done = behind
            elif data[at] == _OPEN:
                if forum_asked != row:
                    forum_asked, from_forum = row, _is_forum(data, pointers[row], stop)
                glued = at > pointers[row] and _NAMES[data[at - 1]]
                behind = _forum_tag(data, at, stop, glued) if from_forum else at
                behind = behind if behind > at else _target(data, at, stop)
                # "History[edit]"
                if behind == at and at > pointers[row] and data[at - 1] > _BLANK:
                    behind = max(one_of(data, at, stop, _WIKI_MARKS), labelled_note(data, at, stop))
                done = behind
            elif data[at] == _CLOSE:
                labelled = at > pointers[row] and data[at - 1] not in (_OPEN, _BLANK)
                behind, name = _page_of_label(data, at, stop) if labelled else at, _TARGET
                done = behind
            elif data[at] == _EQUALS:
                if mail_asked != row:
                    mail_asked, from_mail = row, is_mail(data, pointers[row], stop)
                behind = mail_escape(data, at, stop) if from_mail else at
                done = behind
            elif data[at] == _PERCENT:
                if address_asked != row:
                    address_asked, from_address = row, is_address_of_text(data, pointers[row], stop)
                behind = address_escape(data, at, stop) if from_address else at
                done = behind
            elif data[at] == _TICK:
                begin, name = role_begin(data, at, max(done, pointers[row]), stop), _TARGET
                in_role = row if begin < at else -1
                behind = label_begin(data, at + 1, stop) if begin < at else at
                done = max(done, behind)
            else:
                if wrong_asked != row:
                    wrong_asked, wrong = row, is_wrong(data, pointers[row], stop)
                behind = wrong_letter(data, pointers[row], at, stop, wrong)
                done = behind
            if name != _TARGET:
                for place in range(at, behind):
                    name = (name ^ np.uint64(data[place])) * _MIX
        if behind > at:
            start[count], end[count], owner[count], key[count] = begin, behind, row, name
            count += 1
    return start[:count], end[:count], owner[:count], key[:count]


@inner
def _reference(data: Array, at: int, stop: int) -> int:
    """Where what may be a reference ends, escaped once more or not; `at` if none begins there."""
    end: int = _plain_reference(data, at, stop)
    # "&amp;"
    if end != at + 5 or data[at + 1] != _LETTER_A or data[at + 2] != _LETTER_M or data[at + 3] != _LETTER_P:
        return end
    if end < stop and data[end] == _HASH:
        numbered: int = _plain_reference(data, end - 1, stop)
        return numbered if numbered > end + 2 else end
    behind, _, known = _named(data, end, stop, _KNOWN_AGAIN)
    return behind + 1 if known and behind < stop and data[behind] == _SEMICOLON else end


@inner
def _escaped_tag(data: Array, at: int, stop: int) -> int:
    """Where a tag of the layout without attributes ends whose angle brackets are escaped; `at` if none begins there."""
    behind: int = _reference(data, at, stop)
    if behind == at or not _ends_with(data, at, behind, _LETTER_L):
        return at
    close, _, known = _named(data, behind + (behind < stop and data[behind] == _SLASH), stop, _KNOWN)
    if not known or close >= stop or data[close] != _AMPERSAND:
        return at
    end: int = _reference(data, close, stop)
    return end if end > close and _ends_with(data, close, end, _LETTER_G) else at


@inner
def _ends_with(data: Array, at: int, behind: int, letter: int) -> bool:
    """Whether a reference is `lt;` or `gt;`, by its first letter."""
    return bool(behind - at >= 4 and data[behind - 3] == letter and data[behind - 2] == _LETTER_T)


@inner
def _plain_reference(data: Array, at: int, stop: int) -> int:
    """Where a sign, letters, digits and a semicolon end; `at` if they do not stand there."""
    behind, last = at + 1, min(at + _REFERENCE, stop) - 1
    while behind < last and (_LETTERS[data[behind]] or 48 <= data[behind] < 58 or data[behind] == _HASH):
        behind += 1
    return behind + 1 if behind < stop and data[behind] == _SEMICOLON else at


@inner
def _named(data: Array, at: int, stop: int, names: Array) -> tuple[int, np.uint64, bool]:
    """Where the name of a tag ends that begins at `at`, the name as a number, and whether it is one of some."""
    behind, name, known = at, np.uint64(0), False
    while behind < min(at + _TAG, stop) and (_LETTERS[data[behind]] or 48 <= data[behind] < 58):
        letter = np.uint64(data[behind])
        name = name * _RADIX + (letter & np.uint64(0x1F) | (letter & np.uint64(0x40)) >> np.uint64(1))
        behind += 1
    for one in names:
        known |= one == name
    return behind, name, known


@inner
def _tag(data: Array, at: int, stop: int, glued: bool) -> tuple[int, np.uint64]:
    """Where a tag of the layout ends, `at` if none begins there, and its name as a number."""
    closes = at + 1 < stop and data[at + 1] == _SLASH
    behind, name, known = _named(data, at + 1 + closes, stop, _KNOWN)
    if not known or (name == _BREAK and closes) or (glued and not closes and name != _BREAK):
        return at, name
    if name == _BREAK:
        behind += behind < stop and data[behind] == _BLANK
        behind += behind < stop and data[behind] == _SLASH
    while behind < stop and data[behind] == _BLANK and name != _BREAK and not closes:
        value = behind + 1
        while value < stop and (_LETTERS[data[value]] or data[value] == _HYPHEN):
            value += 1
        if value == behind + 1 or value + 1 >= stop or data[value] != _EQUALS:
            return at, name
        quote, value = data[value + 1], value + 2
        if quote != _QUOTE and quote != _APOSTROPHE:
            return at, name
        behind, last = value, min(value + _VALUE, stop - 1)
        while behind < last and data[behind] != quote and data[behind] != _LESS and data[behind] != _GREATER:
            behind += 1
        if behind >= stop or data[behind] != quote:
            return at, name
        behind += 1
    if name != _BREAK and not closes and behind < stop and data[behind] == _SLASH:
        behind += 1
    return behind + 1 if behind < stop and data[behind] == _GREATER else at, name


@inner
def _is_forum(data: Array, at: int, stop: int) -> bool:
    """Whether the end of a tag of a forum stands in a text."""
    for place in range(at, stop - 3):
        if data[place] == _OPEN and data[place + 1] == _SLASH and _forum_tag(data, place, stop, False) > place:
            return True
    return False


@inner
def _forum_tag(data: Array, at: int, stop: int, glued: bool) -> int:
    """Where a tag of a forum ends that begins with a bracket; `at` if none does. A value stands behind "="."""
    closes = at + 1 < stop and data[at + 1] == _SLASH
    behind, _, known = _named(data, at + 1 + closes, stop, _KNOWN_FORUM)
    if not known or behind >= stop or (glued and not closes):
        return at
    if data[behind] == _EQUALS and not closes:
        last = min(behind + _VALUE, stop - 1)
        while behind < last and data[behind] != _CLOSE and data[behind] != _LINE_FEED:
            behind += 1
    return behind + 1 if data[behind] == _CLOSE else at


@inner
def _turn(data: Array, at: int, stop: int) -> int:
    """Where `<|name|>` ends, which begins or ends a turn of a dialogue, with the line that says whose it is.

    `at` if it does not stand there.
    """
    if at + 1 < stop and data[at + 1] in _TURNS_BEGIN:
        named = one_of(data, at, stop, _TURNS)
        return int(_behind_role(data, named, stop)) if named > at else at
    behind, last = at + 2, min(at + _TURNING, stop - 1)
    if behind >= last or data[at + 1] != _BAR:
        return at
    while behind < last and data[behind] < 128 and _NAMES[data[behind]]:
        behind += 1
    if behind == at + 2 or data[behind] != _BAR or data[behind + 1] != _GREATER:
        return at
    return int(_behind_role(data, behind + 2, stop))


@inner
def _behind_role(data: Array, at: int, stop: int) -> int:
    """Where a role ends that is all of a line; `at` if none stands there."""
    behind: int = one_of(data, at, stop, _ROLES)
    return behind if behind == stop or (behind < stop and data[behind] == _LINE_FEED) else at


@inner
def _comment(data: Array, at: int, stop: int) -> int:
    """Where a comment of HTML ends; `at` if none begins there."""
    if at + 6 >= stop or not data[at + 2] == data[at + 3] == _HYPHEN or data[at + 1] != ord("!"):
        return at
    for place in range(at + 6, min(at + _COMMENT, stop)):
        if data[place] == _GREATER and data[place - 1] == data[place - 2] == _HYPHEN:
            return place + 1
    return at


@inner
def _command(data: Array, at: int, stop: int) -> int:
    r"""Where `\emph{` or another command of LaTeX ends that sets what follows, or `\href{page}{`; `at` for none."""
    behind, name, known = _named(data, at + 1, stop, _KNOWN_COMMANDS)
    if name == _ITEM and behind < stop and data[behind] == _BLANK:
        return int(behind)
    if name == _LINK and behind < stop and data[behind] == _BRACE:
        last = min(at + _VALUE, stop - 1)
        while behind < last and data[behind] not in (_END_BRACE, _LINE_FEED, _COLON):
            behind += 1
        linked = behind < last and data[behind] == _END_BRACE and data[behind + 1] == _BRACE
        return int(behind + 2 if linked else at)
    behind += behind < stop and data[behind] == _STAR
    return behind + 1 if known and behind < stop and data[behind] == _BRACE else at


@inner
def _target(data: Array, at: int, stop: int) -> int:
    """Where the label begins of a link of a wiki, `[[target|label]]`, or of Org mode, `[[file:target][label]]`.

    `at` if none stands there.
    """
    if at + 3 >= stop or data[at + 1] != _OPEN or not (_NAMES[data[at + 2]] or data[at + 2] in _OF_PATHS):
        return at
    behind, last, address = at + 2, min(at + _VALUE, stop - 1), False
    while behind < last and data[behind] not in (_BAR, _OPEN, _CLOSE, _LINE_FEED):
        address |= data[behind] in (_HASH, _SLASH, _COLON)
        behind += 1
    of_org = address and behind < last and data[behind] == _CLOSE and data[behind + 1] == _OPEN
    end = behind + 1 + of_org
    while end < last and data[end] not in (_BAR, _OPEN, _CLOSE):
        end += 1
    linked = of_org or data[behind] == _BAR
    linked = linked and end < last and data[end] == data[end + 1] == _CLOSE
    return behind + 1 + of_org if linked else at


@inner
def _page_of_label(data: Array, at: int, stop: int) -> int:
    """Where `](page.html "title")` ends, a link of Markdown to a page of the same site; `at` if none stands there.

    The title says again what the label or the other page does. Without one a link that ends its line stays: lists of
    them would be menus. To another site leads one that a newsletter made for each who reads it.
    """
    if at + 3 >= stop or data[at + 1] != _ROUND:
        return at
    place, last = at + 2, min(at + _VALUE, stop)
    while place < last and data[place] not in (_BLANK, _LINE_FEED, _END_ROUND, _ROUND):
        place += 1
    # What wraps lines may do so before the title and within.
    end, titled = place, place + 2 < last and data[place] in (_BLANK, _LINE_FEED) and data[place + 1] == _QUOTE
    if titled:
        end = place + 2
        while end < last and not (data[end] == _END_ROUND and data[end - 1] == _QUOTE):
            if data[end] == data[end - 1] == _LINE_FEED:
                return at
            end += 1
    behind = end + 1
    while behind < stop and data[behind] == _BLANK:
        behind += 1
    ends_line = behind >= stop or data[behind] < _BLANK
    if end >= last or data[end] != _END_ROUND or (ends_line and not titled):
        return at
    page = data[at + 2] == _HASH
    for dot in range(at + 3, place - 2):
        if data[dot] == _COLON and data[dot + 1] == _SLASH:
            return end + 1 if not ends_line and _is_tracked(data, dot, end) else at
        page |= data[dot] == _DOT and one_of(data, dot, place, _PAGES) > dot
    return end + 1 if page else at


@inner
def _is_tracked(data: Array, at: int, stop: int) -> bool:
    """Whether an address has parameters by which a newsletter or a network tells who followed it."""
    for place in range(at, stop):
        sign = data[place] == _QUESTION or data[place] == _AMPERSAND or data[place] == _SEMICOLON
        if sign and one_of(data, place + 1, stop, _TRACKERS) > place + 1:
            return True
    return False


@inner
def _address_of_label(data: Array, at: int, stop: int) -> int:
    """Where "<page.html>`__" ends behind a label of reStructuredText; `at` if none stands there."""
    place, last = at + 1, min(at + _VALUE, stop)
    while place < last and data[place] not in (_BLANK, _LINE_FEED, _GREATER, _LESS):
        place += 1
    if place + 2 >= last or data[place] != _GREATER or data[place + 1] != _TICK or data[place + 2] != _UNDERSCORE:
        return at
    place += 3
    return place + 1 if place < stop and data[place] == _UNDERSCORE else place


@lru_cache(1024)
def _character(reference: bytes) -> bytes:
    """What stands there, empty where it is no reference; `html.unescape` gives U+FFFD for what Unicode has not."""
    if reference[0] == _LESS and (reference[1] == _BAR or reference.startswith((b"<!--", *_MARKS_OF_TURNS))):
        return b"\n"
    if reference[0] == _LESS:
        name = re.match(rb"</?(\w+)", reference)
        return b"\n" if name and name[1].decode().lower() in _BLOCKS + _ON_PAGES else _NOTHING
    if reference[0] in (_OPEN, _CLOSE, _COLON, _BRACE):
        return _NOTHING
    told = reference.decode()
    if reference[0] == _BACKSLASH:
        if _MARKED[reference[1]]:
            return reference[1:]
        if told == "\\item":
            return b"\n"
        if reference[-1] == _BRACE:
            return b"\n" if told[1:].rstrip("{*") in _HEADINGS else _NOTHING
        character = json.loads(f'"{told}"')
        return character.encode("utf-8", "ignore") if len(character) == 1 else b""
    if reference[0] == _PERCENT:
        return unquote(told).encode()
    if reference[0] == _EQUALS:
        octets = bytes.fromhex(re.sub(r"=(\r?\n)?", "", told))
        return of_mail(octets).encode() if octets else _NOTHING
    if reference[0] != _AMPERSAND:
        return read_again(told).encode()
    if tag := _ESCAPED_TAG.fullmatch(told):
        return b"\n" if tag[1].lower() in _BLOCKS else _NOTHING
    told = told.replace("&amp;", "&") if len(told) > len("&amp;") else told
    character = html.unescape(told) if _NAMED.fullmatch(told) else ""
    return character.encode() if len(character) == 1 and character != "\ufffd" else b""


@kernel
def _replace(
    data: Array, pointers: Array, start: Array, end: Array, owner: Array, letters: Array, sizes: Array, text: Array
) -> tuple[Array, Array]:
    """Fill the text as read, uint8; `place` and `extra` of its `References`."""
    places, extra = np.empty_like(start), np.empty_like(start)
    done, out = 0, 0
    for reference in range(start.size):
        follows = reference > 0 and owner[reference] == owner[reference - 1]
        at = done if follows else pointers[owner[reference]]
        count = places[reference - 1] + 1 if follows else 0
        for byte in data[at : start[reference]]:
            count += byte & 0xC0 != 0x80
        places[reference] = count
        between = start[reference] - done
        text[out : out + between] = data[done : start[reference]]
        out, done = out + between, end[reference]
        text[out : out + sizes[reference]] = letters[reference, : sizes[reference]]
        out += sizes[reference]
        extra[reference] = -1
        for byte in data[start[reference] : done]:
            extra[reference] += byte & 0xC0 != 0x80
    text[out:] = data[done:]
    return places, extra


@kernel
def lead_back(references: References, pointers: Array, origin: Array, stops: Array) -> None:
    """Turn places in texts as read into places in the originals.

    Args:
        references: of n texts.
        pointers: int64[n+1], of `origin`.
        origin: int32, code point indices, never falling within a document; changed in place.
        stops: int32[n], indices behind the last code point of each text; changed in place.
    """
    place, extra, bounds = references
    for document in range(stops.size):
        at, stop, moved = bounds[document], bounds[document + 1], 0
        for code in range(pointers[document], pointers[document + 1] if at < stop else 0):
            while at < stop and place[at] < origin[code]:
                moved += extra[at]
                at += 1
            origin[code] += moved
        while at < stop and place[at] < stops[document]:
            moved += extra[at]
            at += 1
        stops[document] += moved
