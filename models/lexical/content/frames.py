"""Frames of mails and notices of consent: words that stand around a text and are no content of it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.kernels.hash_set import holds
from models.kernels.jit import inner, kernel
from models.lexical.text.normalisation import Normalised
from models.lexical.text.word_sets import listed_words
from models.lexical.text.words import Words

_BLANK, _COLON = np.uint32(ord(" ")), np.uint32(ord(":"))
_HEAD_LINES, _FOOTER_WORDS, _LIST_WORDS, _RULE_SIGNS = 3, 60, 30, 5
"""Lines of the head of a mail at least; words of its footer at most, and of that of a mailing list; signs of the rule
before that at least, but for the two of a signature."""
_QUOTED_LINES, _QUOTED, _PROMPT = 2, 0.5, 3
"""Lines of a quoted mail at least, and what share of all words they have; those behind as many marks as a prompt of
Python has do not count."""
_QUOTE = np.uint32(ord(">"))
_IN_KEY = tuple(map(ord, "-._:"))
"""Signs between the words of a field."""
_HYPHEN, _UNDERSCORE, _EQUALS, _AT, _SLASH = (np.uint32(ord(sign)) for sign in "-_=@/")
_MATTER_LINES, _MATTER_FIELDS, _MATTER_RULE = 40, 2, 3
"""Lines between two rules at the beginning of a text at most; fields among them, and signs of such a rule, at least."""
_TAG, _END_TAG, _PLUS = (np.uint32(ord(sign)) for sign in "<>+")
_CONSENT_WORDS, _CONSENT_TOLD, _CONSENT_SHARE = 120, 4, 0.12
"""Words of a notice of consent at most; how many of them, and what share, are words of which such notices are made."""


def mail_heads(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Heads of mails and crawled pages: words of three lines or more in a row such as `From: ...` and `Subject: ...`.

    Of a crawled page, a feed or a repository they are fields such as `url: ...`, `dc.creator: ...` and `author: ...`,
    one of them of a kind that nobody but a machine writes, or a tag, `<link>...` of a feed. What stands between
    two rules at the beginning of a text is a head if two lines of it are such fields.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    found = np.zeros(len(words.end), np.bool_)
    fields = Fields(
        *map(listed_words, ("mail_fields", "machine_fields", "key_prefixes", "page_fields", "markup_fields"))
    )
    texts = normalised.pointers, normalised.codes
    rows = words.start, words.end, words.hash, words.line, words.pointers, fields, found
    _mark_heads(*texts, *rows)
    _mark_front_matter(*texts, *rows)
    return found


def mail_frames(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Frames of mails: the words of their heads (`mail_heads`) and footers.

    A footer stands at the end behind a rule or the two hyphens of a signature, and names an address. So may the last
    section of a page, under its heading: what is taken for a footer may be the only copy of something.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    return mail_heads(normalised, words) | _footers(normalised, words, by_list=False)


def list_footers(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Footers of mailing lists: behind a rule at the end a line that begins with the name of the list, and its address.

    Unlike other footers these are no last section of a page: the address begins with the same name.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w].
    """
    return _footers(normalised, words, by_list=True)


def beside_quotes(normalised: Normalised, words: Words) -> NDArray[np.bool_]:
    """Words beside a mail that is quoted with a mark before every line, but for the line that introduces it.

    Args:
        normalised: n texts.
        words: their w words.

    Returns:
        bool[w], False in texts that quote less than they say.
    """
    found = np.zeros(len(words.end), np.bool_)
    _mark_beside(normalised.codes, normalised.pointers, words.start, words.end, words.line, words.pointers, found)
    return found


def _footers(normalised: Normalised, words: Words, *, by_list: bool) -> NDArray[np.bool_]:
    found = np.zeros(len(words.end), np.bool_)
    _mark_footers(
        normalised.codes, normalised.pointers, words.start, words.end, words.hash, words.line, words.pointers, by_list,
        found,
    )  # fmt: skip
    return found


class Fields(NamedTuple):
    """Words by which the lines of a head are known, each a `hash_set`.

    Attributes:
        mail: fields of mails, such as "from".
        machine: those that only a machine writes, such as "guid".
        prefixes: words before a hyphen or stop in such a field, such as "dc" in "dc.title".
        page: fields of pages, such as "author", which people write, too.
        markup: those that are fields in markup only, such as "title".
    """

    mail: NDArray[np.uint64]
    machine: NDArray[np.uint64]
    prefixes: NDArray[np.uint64]
    page: NDArray[np.uint64]
    markup: NDArray[np.uint64]


@kernel
def _mark_heads(
    code_pointers: NDArray[np.int64],
    codes: NDArray[np.uint32],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    line: NDArray[np.int32],
    pointers: NDArray[np.int64],
    fields: Fields,
    found: NDArray[np.bool_],
) -> None:
    for document in range(len(pointers) - 1):
        word, stop = pointers[document], pointers[document + 1]
        head, lines, machine = word, 0, False  # lines of any field in a row
        mail_head, mail = word, 0  # and of mails
        while word < stop:
            begin, key = word, word
            while word < stop and line[word] == line[begin]:
                word += 1
            prefixed = holds(fields.prefixes, hashes[begin])
            while prefixed and key + 1 < word and start[key + 1] == end[key] + 1 and codes[end[key]] in _IN_KEY:
                key += 1
            if prefixed and key == begin and key + 1 < word and codes[end[key]] == _BLANK:
                key += 1
            prefixed = prefixed and key > begin
            of_mail, of_machine = holds(fields.mail, hashes[begin]), prefixed or holds(fields.machine, hashes[begin])
            field = of_mail or of_machine or holds(fields.page, hashes[begin])
            marked_up = (field or holds(fields.markup, hashes[begin])) and _is_tag(
                codes, code_pointers[document], start[begin], end[key]
            )
            of_machine |= marked_up
            if not (marked_up or (field and end[key] < len(codes) and codes[end[key]] == _COLON)):
                lines, mail, machine = 0, 0, False
                continue
            head, mail_head = begin if lines == 0 else head, begin if mail == 0 else mail_head
            lines, mail, machine = lines + 1, mail + 1 if of_mail else 0, machine or of_machine
            if machine and lines >= _HEAD_LINES:
                found[head:word] = True
            elif mail >= _HEAD_LINES:
                found[mail_head:word] = True


@inner
def _is_tag(codes: NDArray[np.uint32], first: int, start: int, end: int) -> bool:
    """Is the name of a field written as a tag, `<link>`? The text begins with the code point `first`."""
    return bool(start > first and end < len(codes) and codes[start - 1] == _TAG and codes[end] == _END_TAG)


@kernel
def _mark_front_matter(
    code_pointers: NDArray[np.int64],
    codes: NDArray[np.uint32],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    line: NDArray[np.int32],
    pointers: NDArray[np.int64],
    fields: Fields,
    found: NDArray[np.bool_],
) -> None:
    for document in range(len(pointers) - 1):
        first, stop = pointers[document], pointers[document + 1]
        if first == stop or not _holds_rule(codes[code_pointers[document] : start[first]]):
            continue
        word, lines, known = first, 0, 0
        while word < stop and lines < _MATTER_LINES:
            begin = word
            while word < stop and line[word] == line[begin]:
                word += 1
            key = hashes[begin]
            field = holds(fields.mail, key) or holds(fields.machine, key)
            field = field or holds(fields.page, key) or holds(fields.markup, key)
            lines, known = lines + 1, known + (field and end[begin] < len(codes) and codes[end[begin]] == _COLON)
            if word < stop and _holds_rule(codes[end[word - 1] : start[word]]):
                found[first:word] |= known >= _MATTER_FIELDS
                break


@inner
def _holds_rule(signs: NDArray[np.uint32]) -> bool:
    """Is among the signs between two words a rule of front matter, three hyphens or three plus signs?"""
    run = 0
    for at in range(len(signs)):
        run = run + 1 if signs[at] in (_HYPHEN, _PLUS) else 0
        if run >= _MATTER_RULE:
            return True
    return False


@kernel
def _mark_beside(
    codes: NDArray[np.uint32],
    code_pointers: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    line: NDArray[np.int32],
    pointers: NDArray[np.int64],
    found: NDArray[np.bool_],
) -> None:
    for document in range(len(pointers) - 1):
        first, stop = pointers[document], pointers[document + 1]
        word, lines, before, quoted = first, 0, first, 0
        while word < stop:
            begin, depth = word, 0
            for at in range(end[word - 1] if word > first else code_pointers[document], start[word]):
                depth += codes[at] == _QUOTE
            while word < stop and line[word] == line[begin]:
                word += 1
            if not depth:
                before = begin
                found[begin:word] = True
                continue
            if begin > first and found[begin - 1] and codes[end[begin - 1]] == _COLON:
                found[before:begin] = False
            lines, quoted = lines + (depth != _PROMPT), quoted + word - begin
        if lines < _QUOTED_LINES or quoted < _QUOTED * (stop - first):
            found[first:stop] = False


@kernel
def _mark_footers(
    codes: NDArray[np.uint32],
    code_pointers: NDArray[np.int64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    line: NDArray[np.int32],
    pointers: NDArray[np.int64],
    by_list: bool,
    found: NDArray[np.bool_],
) -> None:
    most = _LIST_WORDS if by_list else _FOOTER_WORDS
    for document in range(len(pointers) - 1):
        first, stop = pointers[document], pointers[document + 1]
        address, behind = False, code_pointers[document + 1]
        for word in range(stop - 1, max(first, stop - most - 1), -1):
            for at in range(start[word], behind):
                address |= codes[at] == _AT or (codes[at] == _SLASH and codes[at - 1] == _SLASH)
            behind = start[word]
            if line[word] > line[word - 1] + 1 and _is_rule(codes[end[word - 1] : behind]):
                found[word:stop] |= address and (
                    not by_list or _is_of_list(codes, start, end, hashes, line, word, stop)
                )
                break


@inner
def _is_of_list(
    codes: NDArray[np.uint32],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    hashes: NDArray[np.uint64],
    line: NDArray[np.int32],
    first: int,
    stop: int,
) -> bool:
    """Does a later line of these words begin like the first one, and hold an address of mail?"""
    named = False
    for word in range(first + 1, stop):
        if line[word] != line[word - 1]:
            named = hashes[word] == hashes[first]
        for at in range(end[word - 1], start[word]):
            if named and line[word] == line[word - 1] and codes[at] == _AT:
                return True
    return False


@inner
def _is_rule(signs: NDArray[np.uint32]) -> bool:
    """Do the signs between two words end with hyphens or the like, as a line of them does?"""
    held, at = 0, len(signs) - 1
    while at >= 0 and signs[at] == _BLANK:
        at -= 1
    while at >= 0 and signs[at] in (_HYPHEN, _UNDERSCORE, _EQUALS):
        held, at = held + 1, at - 1
    return held >= _RULE_SIGNS or (held == 2 and signs[at + 1] == _HYPHEN)


def consent(words: Words) -> NDArray[np.bool_]:
    """Notices of consent: lines that are made of words such as "cookies", "partners", "accept", "policy".

    Args:
        words: w words of n texts.

    Returns:
        bool[w].
    """
    found: NDArray[np.bool_] = _consent(words.hash, words.line, words.pointers, listed_words("consent"))
    return found


@kernel
def _consent(
    hashes: NDArray[np.uint64], line: NDArray[np.int32], pointers: NDArray[np.int64], asking: NDArray[np.uint64]
) -> NDArray[np.bool_]:
    """Mark lines, and lines in a row, that ask for consent."""
    found = np.zeros(len(hashes), np.bool_)
    for document in range(len(pointers) - 1):
        word, stop = pointers[document], pointers[document + 1]
        while word < stop:
            block, told = word, 0
            while word < stop and (word == block or line[word] <= line[word - 1] + 1):
                begin, before = word, told
                while word < stop and line[word] == line[begin]:
                    told += holds(asking, hashes[word])
                    word += 1
                found[begin:word] = _asks(told - before, word - begin)
            found[block:word] |= _asks(told, word - block)
    return found


@inner
def _asks(told: int, size: int) -> bool:
    return size <= _CONSENT_WORDS and told >= max(_CONSENT_TOLD, _CONSENT_SHARE * size)
