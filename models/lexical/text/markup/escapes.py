r"""Escapes of JSON and of mail, and letters read in a wrong encoding: where they end, and what they stand for.

In a text without line ends, or in a record as JSON writes it, `\n` is one, `\"` a quotation mark and `\u00e9` an é.
Where lines were broken for mail (quoted-printable, RFC 2045), `=` at a line's end joins it with the next, and `=C3=A9`
is an é. `â€™` is an apostrophe whose UTF-8 was read as Windows-1252, and `Ð¿` is п. In a text without blanks `%20` is
one, and `%C3%A9` an é, as in the address of a search.
"""

import numpy as np

from models.kernels.jit import inner

Array = np.ndarray

_BACKSLASH, _EQUALS, _LINE_FEED, _RETURN, _U, _BRACE, _QUOTE, _APOSTROPHE, _BLANK = (
    ord(sign) for sign in "\\=\n\ru{\"' "
)
_ESCAPED = np.array([chr(byte) in 'nrt"\\/' for byte in range(256)])
_HEXADECIMAL = np.array([chr(byte) in "0123456789abcdefABCDEF" for byte in range(256)])
_ESCAPES, _CODE_UNIT = 2, 6
"""Escapes of a text without line ends from which it is one of JSON, and bytes of one by number: it is enough alone."""
_CAPITAL_HEXADECIMAL = np.array([chr(byte) in "0123456789ABCDEF" for byte in range(256)])
_LONGEST, _FULL, _ESCAPED_BLANK = 76, 70, 2
"""Bytes of a line of mail with its `=`: at most, and those from which it had to be broken, if no word is too long; and
those by which it may be longer for the blank at its end, `=20`."""
_PERCENT, _BLANKS = ord("%"), 3
"""Before an escaped byte of an address, and escaped blanks of a text that was put into one, at least."""
_OCTET = 3
"""Bytes of an escaped one."""
_WORDY, _TWO, _ZERO = 40, ord("2"), ord("0")
"""Bytes of a line that is no assignment, as "width=20" is, at least; the digits of an escaped blank."""
_SOFT = 2
"""Lines broken so from which a text is one of mail."""
_EURO = "€".encode()[-1]
"""Last byte of the sign that stands for the second one of marks such as quotation marks."""
_LOST, _CLOSING = "\ufffd", "\x9d"
"""What stands for a byte that Windows-1252 has not, as the last one of a closing quotation mark: of those it has not,
the only one that is common behind "â€"."""
_WRONG = 2
"""Letters of a text in a wrong encoding from which what may be more of them is."""
TWO_BYTES = 0xC3
"""The first byte of a letter from U+00C0 to U+00FF, which may have been the first byte of another one."""
FIRST_LETTER, _LATIN, _THREE_BYTES, _SIGNS, _KANA, LAST_LETTER = (letter.encode()[1] for letter in "ÂÃàâãð")
"""The second bytes of some: the first that is looked at and the last; of the two that stand for Latin letters the
second; the first that three bytes begin with; and those of punctuation and of kana."""


def _sets(characters: str, before: bytes) -> Array:
    """Mask of the bytes that follow `before` in the UTF-8 of some characters."""
    mask = np.zeros(256, np.bool_)
    mask[[character.encode()[-1] for character in characters if character.encode()[:-1] == before]] = True
    return mask


_HIGH_BYTES = "".join(bytes([byte]).decode("cp1252", "ignore") for byte in range(0x80, 0xC0))
_BEHIND_C5, _BEHIND_CB, _BEHIND_E280 = (_sets(_HIGH_BYTES, before) for before in (b"\xc5", b"\xcb", b"\xe2\x80"))
_COMMON_C2, _COMMON_E280 = (_sets("\xa0\xad«»©®²³–—‘’‚“”„…‹›", before) for before in (b"\xc2", b"\xe2\x80"))
"""Which of them stand behind letters in any text: quotation marks, blanks, dashes, and powers of "Å". So do the
letters behind 0xC5."""


@inner
def is_json(data: Array, at: int, stop: int) -> bool:
    """Whether a text has escapes and no line end, as a string of JSON taken for its text, or is a record with one."""
    count, record = 0, _opens_record(data, at, stop)
    while at < stop:
        if data[at] == _LINE_FEED and not record:
            return False
        behind = json_escape(data, at, stop) if data[at] == _BACKSLASH else at
        # A number of hexadecimal digits is nothing else.
        count, at = count + (behind > at) * (_ESCAPES if behind >= at + _CODE_UNIT else 1), max(behind, at + 1)
    return count >= (1 if record else _ESCAPES)


@inner
def _opens_record(data: Array, at: int, stop: int) -> bool:
    """Whether a text begins with a brace and a quotation mark, in JSON or as Python prints it, or is in such marks."""
    if at == stop or data[at] != _BRACE:
        return bool(stop - at > 1 and data[at] == data[stop - 1] and data[at] in (_QUOTE, _APOSTROPHE))
    at += 1
    while at < stop and (data[at] == _BLANK or data[at] == _LINE_FEED):
        at += 1
    return bool(at < stop and (data[at] == _QUOTE or data[at] == _APOSTROPHE))


@inner
def json_escape(data: Array, at: int, stop: int) -> int:
    """Where the escape ends that begins with a backslash; of a pair of surrogates, that of both; `at` if it is none."""
    if at + 1 < stop and _ESCAPED[data[at + 1]]:
        return at + 2
    behind: int = _code_unit(data, at, stop)
    if behind > at and (data[at + 2] | 0x20) == ord("d") and data[at + 3] >= ord("8"):
        behind = max(_code_unit(data, behind, stop), behind)
    return behind


@inner
def _code_unit(data: Array, at: int, stop: int) -> int:
    r"""Where `\u` and four hexadecimal digits end; `at` if they do not stand there."""
    if at + _CODE_UNIT > stop or data[at] != _BACKSLASH or data[at + 1] != _U:
        return at
    for place in range(at + 2, at + _CODE_UNIT):
        if not _HEXADECIMAL[data[place]]:
            return at
    return at + _CODE_UNIT


@inner
def is_mail(data: Array, at: int, stop: int) -> bool:
    """Whether lines of a text are broken with `=` where those of mail are, and more of them than are longer.

    An escaped letter of several bytes, "=C3=A9", is nothing else and enough alone. Lines of `_WORDY` bytes that end
    with an escaped blank, "=20", are some of mail, too.
    """
    broken, longer, begin = 0, 0, at
    for at in range(begin, stop):
        if data[at] == _EQUALS and mail_escape(data, at, stop) > at + _OCTET:
            return True
        if data[at] == _LINE_FEED:
            last = at - 1 - (at > begin and data[at - 1] == _RETURN)
            size = last + 1 - begin
            longer += size > _LONGEST + _ESCAPED_BLANK
            blank = size >= _WORDY and data[last] == _ZERO and data[last - 1] == _TWO and data[last - 2] == _EQUALS
            broken += blank or (_FULL <= size <= _LONGEST and data[last] == _EQUALS)
            begin = at + 1
    longer += stop - begin > _LONGEST
    return bool(broken >= _SOFT and broken > longer)


@inner
def is_address_of_text(data: Array, at: int, stop: int) -> bool:
    """Whether a text without white space has `_BLANKS` escaped blanks, as where it was put into an address."""
    blanks = 0
    while at < stop:
        if data[at] <= _BLANK:
            return False
        blanks += at + 2 < stop and data[at] == _PERCENT and data[at + 1] == _TWO and data[at + 2] == _ZERO
        at += 1
    return blanks >= _BLANKS


@inner
def address_escape(data: Array, at: int, stop: int) -> int:
    """Where the escape of a character of UTF-8 in an address ends; `at` if none begins there."""
    first = _octet(data, at, stop, _PERCENT)
    if first < 0 or 0x80 <= first < 0xC2:
        return at
    behind = at + _OCTET
    for _ in range((first >= 0xC2) + (first >= 0xE0) + (first >= 0xF0)):
        if not 0x80 <= _octet(data, behind, stop, _PERCENT) < 0xC0:
            return at
        behind += _OCTET
    return behind


@inner
def mail_escape(data: Array, at: int, stop: int) -> int:
    """Where a soft line break or the escape of a character of UTF-8 or Windows-1252 ends; `at` if none begins there."""
    behind: int = _soft_break(data, at, stop)
    if behind > at:
        return behind
    first = _octet(data, at, stop, _EQUALS)
    if first < 0:
        return at
    once = behind = at + 3
    for _ in range((first >= 0xC2) + (first >= 0xE0) + (first >= 0xF0)):
        behind = _soft_break(data, behind, stop)
        if not 0x80 <= _octet(data, behind, stop, _EQUALS) < 0xC0:
            return once
        behind += 3
    return behind


@inner
def _soft_break(data: Array, at: int, stop: int) -> int:
    """Where `=` and a line end behind it end; `at` if they do not stand there."""
    behind = at + 1 + (at + 1 < stop and data[at + 1] == _RETURN)
    return behind + 1 if behind < stop and data[at] == _EQUALS and data[behind] == _LINE_FEED else at


@inner
def _octet(data: Array, at: int, stop: int, sign: int) -> int:
    """The byte that a sign and two hexadecimal digits stand for; -1 where they do not stand."""
    if at + 3 > stop or data[at] != sign:
        return -1
    value = 0
    for place in range(at + 1, at + 3):
        digit = data[place]
        if not _CAPITAL_HEXADECIMAL[digit]:
            return -1
        value = value * 16 + (digit - 48 if digit < 58 else digit - 55)
    return value


@inner
def is_wrong(data: Array, at: int, stop: int) -> bool:
    """Whether a text was read in a wrong encoding: `_WRONG` of its letters tell so, or bytes lost behind rare ones."""
    count, first = 0, at
    while at < stop and count < _WRONG:
        if data[at] == TWO_BYTES and at + 2 < stop:
            rare = _LATIN < data[at + 1] < _THREE_BYTES
            count += wrong_letter(data, first, at, stop, False) > at or (rare and _is_lost(data, at + 2, stop))
        at += 1
    return count == _WRONG


@inner
def wrong_letter(data: Array, first: int, at: int, stop: int, wrong: bool) -> int:
    """Where a letter ends whose UTF-8 was read as Windows-1252; `at` if none begins there.

    Args:
        data: uint8, UTF-8.
        first: beginning of the text.
        at: place of a two-byte letter that begins with `TWO_BYTES`.
        stop: end of the text.
        wrong: whether the text `is_wrong`. Else of a rare letter one of the signs behind it has to be one that stands
            behind no letter, and no byte may be lost but that of a closing quotation mark.
    """
    behind = at + 2
    if behind >= stop or not FIRST_LETTER <= data[at + 1] <= LAST_LETTER:
        return at
    lead = data[at + 1]
    sure = lead <= _LATIN or _SIGNS <= lead <= _KANA or lead == LAST_LETTER
    for place in range(1 if lead < _THREE_BYTES else 2 if lead < LAST_LETTER else 3):
        size = _high_byte(data, behind, stop)
        sure |= size > 0 and not _is_common(data, behind)
        if not size and _is_lost(data, behind, stop):
            closing = lead == _SIGNS and place == 1 and behind == at + 5 and data[behind - 1] == _EURO
            size = 3 if wrong or closing else 0
        # Of a closing quotation mark the last byte, which Windows-1252 has not, is often left out.
        glued = at > first and data[at - 1] > _BLANK
        if not size and glued and lead == _SIGNS and behind == at + 5 and data[behind - 1] == _EURO:
            return behind
        if not size:
            return at
        behind += size
    if lead == _LATIN:
        return int(_read_twice(data, at + 2, behind, stop))
    return behind if sure or wrong else at


@inner
def _read_twice(data: Array, second: int, behind: int, stop: int) -> int:
    r"""Where a letter ends that was read in a wrong encoding twice: "Ã\x83Â³" for "ó"; `behind` if it was so once.

    What its first two letters stand for is the first byte of one in UTF-8 then, and each of the others comes as "Â"
    with a sign or as "â" with two: "donÃ¢â‚¬â„¢t".
    """
    of_two = data[second] == 0xC2 and data[second + 1] in (0x82, 0x83)
    of_two |= data[second] == 0xC6 or (data[second] == 0xE2 and data[second + 1] == 0x80 and data[second + 2] == 0x9A)
    of_three = data[second] == 0xC2 and 0xA0 <= data[second + 1] < 0xB0
    end = behind
    for _ in range(1 if of_two else 2 if of_three else 0):
        size = 0
        if end + 2 < stop and data[end] == TWO_BYTES and data[end + 1] in (FIRST_LETTER, _SIGNS):
            size = _high_byte(data, end + 2, stop)
            more = _high_byte(data, end + 2 + size, stop) if size and data[end + 1] == _SIGNS else 0
            size = size + more if more or data[end + 1] == FIRST_LETTER else 0
        if not size:
            return behind
        end += 2 + size
    return end


@inner
def _is_lost(data: Array, at: int, stop: int) -> bool:
    """Whether `_LOST` stands there."""
    return bool(at + 3 <= stop and data[at] == 0xEF and data[at + 1] == 0xBF and data[at + 2] == 0xBD)


@inner
def _is_common(data: Array, at: int) -> bool:
    """Whether a character with a `_high_byte` may stand behind any letter, as "š" or a trade mark sign."""
    if data[at] == 0xC2:
        return bool(_COMMON_C2[data[at + 1]])
    if data[at] != 0xE2:
        return bool(data[at] == 0xC5)
    return bool(_COMMON_E280[data[at + 2]]) if data[at + 1] == 0x80 else bool(data[at + 1] == 0x84)


@inner
def _high_byte(data: Array, at: int, stop: int) -> int:
    """Bytes of a character that Windows-1252 has from 0x80 to 0xBF; 0 where another stands."""
    if at + 2 > stop:
        return 0
    first, second = data[at], data[at + 1]
    if first == 0xC2:
        return 2 if 0x80 <= second < 0xC0 else 0
    if first == 0xC5:
        return 2 if _BEHIND_C5[second] else 0
    if first == 0xCB:
        return 2 if _BEHIND_CB[second] else 0
    if first == 0xC6:
        return 2 if second == 0x92 else 0
    if first != 0xE2 or at + 3 > stop:
        return 0
    third = data[at + 2]
    sign = (second == 0x82 and third == 0xAC) or (second == 0x84 and third == 0xA2)
    return 3 if sign or (second == 0x80 and _BEHIND_E280[third]) else 0


def of_mail(octets: bytes) -> str:
    """The character of UTF-8 that they are; a single one may be of Windows-1252, or none."""
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return octets.decode("cp1252", "ignore")[:1]


def read_again(wrong: str) -> str:
    """What letters are whose UTF-8 was read as Windows-1252; U+FFFD for a lost one, empty where they are none."""
    whole = wrong + _CLOSING if wrong == "â€" else wrong.replace(_LOST, _CLOSING)
    try:
        read = b"".join(bytes([ord(one)]) if 0x80 <= ord(one) < 0x100 else one.encode("cp1252") for one in whole)
        letter = read.decode()
    except UnicodeError:
        letter = ""
    if len(letter) > 1:
        letter = read_again(letter)
        return letter if len(letter) == 1 else ""
    return _LOST if _LOST in wrong and letter != "”" else letter
