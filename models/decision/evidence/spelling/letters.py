"""Letters of words with their disguise taken off, once per document, as the spelling rules read them."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.spelling.one_phrase import one_phrases
from models.kernels.jit import lean, lean_kernel
from models.lexical.text.canonical.lookalikes import LEET, lookalikes
from models.lexical.text.canonical.reading import is_decoration
from models.lexical.text.normalisation import Normalised
from models.lexical.text.unicode_table import DIGIT, KIND, LETTER, SPACE, UPPER
from models.lexical.text.words import MIXED, Words

FROM_DIGIT, DISGUISED = np.uint32(1 << 31), np.uint32(1 << 30)
"""Marks of a letter that stood there as a digit, or as another code point."""
DIGIT_AT = 24
"""Bit from which on a letter that stood there as a digit holds it: 6 and 9 are read as "g", and are two numbers."""
BARE = np.uint32((1 << 21) - 1)
"""The code point of a letter without its marks."""

LOST = np.uint32(0xFFFD)
"""A letter that was lost with its bytes: "ve\ufffdji" for "večji"; or a mark, as in "don\ufffdt"."""

_ASKS, _BLANK = np.uint32(ord("?")), np.uint32(ord(" "))
_UNSTABLE = "aeiouls"
"""Letters that wear and signs put in or take away: vowels; i and l, which 1 stands for; a and s, for @ and $."""


WORD = np.dtype(
    [
        ("first", np.int32),
        ("next", np.int32),
        ("behind", np.int32),
        ("df", np.uint32),
        ("skeleton", np.uint64),
        ("sign", np.uint32),
        ("flags", np.uint8),
        ("exact", np.bool_),
        ("second", np.uint8),
        ("lost", np.bool_),
    ],
    align=True,
)
"""A word as the spelling rules read it, one record of 32 bytes, which kernels pass on without counting references.

- first, next: its first letter in `Script.letters`, and that of the word behind it in the text. A sign read as a letter
  ("@") ends the word before it, and so does a `LOST` letter between two words.
- behind: the letter behind it, without such a sign or letter.
- df: documents that hold the word; 0 where nobody counted.
- skeleton: one bit per stable letter, by hash: one slip changes two of them at most.
- sign: the sign that keeps the digits on either side of it from running together ("1.5" is not "15"), between this word
  and the next one; 0 where there is none.
- flags: see `Words`; exact: its spelling is content, as of "not" and "six": no slip is forgiven in it.
- second: not 0 where its second letter is a capital; lost: a `LOST` letter stands in it or ends it.
"""


class Script(NamedTuple):
    """A batch of texts, all flat over the batch.

    Attributes:
        codes: uint32[total], normalised code points.
        start: int64[w], first code of each word.
        end: int64[w], code behind each word.
        hash: uint64[w], of each word.
        flags: uint8[w], of each word.
        exact: bool[w], words whose spelling is content.
        letters: uint32[t], the words undisguised, with `DISGUISED` where another code point stood and `FROM_DIGIT`
            where that was a digit; and `LOST` for one or more that stand next to a letter.
        words: `WORD`[w].
        one: phrases that are one, see `one_phrases`.
    """

    codes: NDArray[np.uint32]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    hash: NDArray[np.uint64]
    flags: NDArray[np.uint8]
    exact: NDArray[np.bool_]
    letters: NDArray[np.uint32]
    words: np.ndarray
    one: NDArray[np.uint64]


def script(
    normalised: Normalised, words: Words, exact: NDArray[np.bool_], word_df: NDArray[np.uint32] | None
) -> Script:
    """Undisguise the words of a batch.

    Args:
        normalised: n texts.
        words: their words.
        exact: bool[w], words in which no slip is forgiven.
        word_df: uint32[w], documents of the corpus that hold each word, or None when nobody counted.

    Returns:
        The batch.

    Raises:
        ValueError: a column does not have one entry per word, or letters are more than `WORD` can number.
    """
    count = words.hash.size
    if count + normalised.codes.size > np.iinfo(np.int32).max:
        raise ValueError(f"{normalised.codes.size} characters in one batch: compared are texts of 2 billion at most")
    df = np.zeros(count, np.uint32) if word_df is None else word_df
    if not df.size == exact.size == count:
        raise ValueError(f"{count} words, {df.size} document frequencies, {exact.size} exact marks")
    spelt = np.zeros(count, WORD)
    spelt["df"], spelt["flags"], spelt["exact"] = df, words.flags, exact
    codes, start, end = normalised.codes, words.start, words.end
    letters = np.empty(codes.size + count, np.uint32)
    used = _spell(codes, normalised.marks, start, end, words.pointers, spelt, *_tables(), letters)
    return Script(codes, start, end, words.hash, words.flags, exact, letters[:used], spelt, one_phrases())


@cache
def _tables() -> tuple[NDArray[np.uint32], NDArray[np.uint8], NDArray[np.uint64]]:
    """Latin letters behind code points, letters behind digits, and bits of letters by `_fold`."""
    bits = np.uint64(1) << np.arange(64, dtype=np.uint64)
    bits[[_fold(ord(letter)) for letter in _UNSTABLE]] = 0
    for digit, letter in enumerate(LEET):
        bits[_fold(ord("0") + digit)] = bits[_fold(int(letter))]
    return lookalikes(), LEET, bits


@lean_kernel
def _fold(letter: int) -> int:
    """Six bits of a code point that tell Latin letters and digits apart."""
    return (letter + 26 * (letter >> 6)) & 63


@lean_kernel
def _spell(
    codes: NDArray[np.uint32],
    marks: NDArray[np.uint8],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    pointers: NDArray[np.int64],
    words: np.ndarray,
    plain: NDArray[np.uint32],
    leet: NDArray[np.uint8],
    bits: NDArray[np.uint64],
    letters: NDArray[np.uint32],
) -> int:
    """Fill in the words and their letters; the number of these."""
    out = 0
    for document in range(len(pointers) - 1):
        led = False
        for at_word in range(pointers[document], pointers[document + 1]):
            word = words[at_word]
            begin, stop = start[at_word], end[at_word]
            word.first, skeleton = out, np.uint64(0)
            word.lost = led
            if led:
                letters[out] = LOST
                out += 1
            unleet = word.flags & MIXED and _mostly_letters(marks, begin, stop)
            for at in range(begin, stop):
                code, kind = codes[at], marks[at] & KIND
                if kind < LETTER and is_decoration(code):
                    continue
                letter = code
                if code < plain.shape[1]:
                    letter = plain[1 if marks[at] & UPPER else 0, code]
                if unleet and kind == DIGIT and 48 <= code < 58:
                    letter = np.uint32(leet[code - 48])
                skeleton |= bits[_fold(letter)]
                if letter != code:
                    digit = np.uint32((code - 48) << DIGIT_AT) | FROM_DIGIT
                    letter |= DISGUISED | (digit if kind == DIGIT else np.uint32(0))
                letters[out] = letter
                out += 1
            last, led = at_word + 1 == pointers[document + 1], False
            between = not last and _is_lost(codes, marks, stop, start[at_word + 1])
            if not (last or between):
                after = start[at_word + 1]
                if marks[stop - 1] & KIND == LETTER and (codes[stop] == LOST or _goes_on(codes, marks, stop, after)):
                    letters[out], word.lost = LOST, True
                    out += 1
                led = codes[after - 1] == LOST or (codes[after - 1] == _ASKS and after - 1 > stop)
                led = led and marks[after] & KIND == LETTER
            word.behind, word.skeleton = out, skeleton
            word.second = marks[begin + 1] & UPPER if begin + 1 < len(marks) else 0
            if between:
                letters[out], word.lost = LOST, True
                out += 1
            elif not last:
                sign = _sign_between(codes, marks, stop - 1, start[at_word + 1], end[at_word + 1])
                if sign == 64 or sign == 36:
                    letters[out] = np.uint32(97 if sign == 64 else 115) | DISGUISED
                    out += 1
                else:
                    word.sign = sign
            word.next = out
    return out


@lean
def same_codes(text: Script, one: int, other: int, size: int) -> bool:
    """Whether `size` codes from `one` on are those from `other` on."""
    for at in range(size):  # noqa: SIM110, numba has no generators
        if text.codes[one + at] != text.codes[other + at]:
            return False
    return True


@lean
def _mostly_letters(marks: NDArray[np.uint8], start: int, end: int) -> bool:
    digits = 0
    for at in range(start, end):
        digits += (marks[at] & KIND) == DIGIT
    letters = end - start - digits
    return bool(letters >= 3 and letters > digits)


@lean
def _is_lost(codes: NDArray[np.uint32], marks: NDArray[np.uint8], stop: int, after: int) -> bool:
    """Whether between a word that ends at `stop` and the next one nothing stands but lost letters of one word."""
    if marks[stop - 1] & KIND != LETTER or marks[after] & KIND != LETTER:
        return False
    for at in range(stop, after):
        if codes[at] != LOST and codes[at] != _ASKS:
            return False
    return after > stop


@lean
def _goes_on(codes: NDArray[np.uint32], marks: NDArray[np.uint8], stop: int, after: int) -> bool:
    """Whether the sentence goes on behind a question mark, which then stands for a letter: "libert? di"."""
    small = marks[after] & (KIND | UPPER) == LETTER
    return bool(small and after == stop + 2 and codes[stop] == _ASKS and codes[stop + 1] == _BLANK)


@lean
def _sign_between(
    codes: NDArray[np.uint32], marks: NDArray[np.uint8], last: int, after: int, after_end: int
) -> np.uint32:
    """The sign between two words that matters when they are read as one, else 0."""
    sign = codes[last + 1] if after > last + 1 else np.uint32(32)
    left, right = marks[last] & KIND, marks[after] & KIND
    if left == LETTER and right == LETTER and after == last + 2 and (sign == 64 or sign == 36):
        return sign
    if left != DIGIT or right != DIGIT or marks[last + 1] & KIND == SPACE:
        return np.uint32(0)
    thousands = sign == 44 and after_end - after == 3
    return np.uint32(0) if thousands else sign
