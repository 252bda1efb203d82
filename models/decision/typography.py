"""Differences of spelling that are no differences of content: spacing, look-alikes, leet and slips of the keyboard.

The rule errs on the side of a difference. Digits are compared as written, except digits inside a word of mostly
letters that spell a word of the other text ("f1gur3"). A slip of one letter is forgiven only where the corpus shows
one of the two spellings to be rare, or where the slip is one that hands make and languages do not. So are letters
held down ("womennnn") and vowels left out until no language would write the word so ("bttlgrnd").
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from models.bits import popcount
from models.decision.script import BARE, DISGUISED, FROM_DIGIT, Script
from models.decision.wear import is_series, is_unsayable, may_deny, wear
from models.lexical.unicode_table import UPPER
from models.lexical.words import CAPITAL, HAS_DIGIT, MIXED, SENTENCE

EQUAL, TYPOGRAPHIC = 0, 1
"""Kinds of matched run."""
RARE_DOCUMENTS = 2
"""A spelling found in at most this many documents may be a slip."""
COMMON_FACTOR, COMMON_DOCUMENTS = 8, 10
"""How many times as many documents, and how many, the other spelling must be found in to prove a slip."""
SLIP_BITS = 2
"""Bits of their skeletons in which two spellings of a word may differ: a slip puts one letter in place of another."""

_MATCH_CELLS = 2500
_JOINED_WORDS = 6
_NO_EDIT, _TRANSPOSED, _DOUBLED, _INNER, _FIRST = range(5)
_JOINS = np.array(
    [
        (1, 1),
        *((1, q) for q in range(2, _JOINED_WORDS + 1)),
        *((p, 1) for p in range(2, _JOINED_WORDS + 1)),
        (2, 2),
        (2, 3),
        (3, 2),
    ],
    np.int64,
)


@njit(cache=True, nogil=True)
def match_spelling(
    text: Script, a0: int, a1: int, b0: int, b1: int, found: NDArray[np.int32], k: int, a_base: int, b_base: int
) -> int:
    """Pair the words of one gap that differ in typography only.

    Among all ways to pair words in order, one word with one or several that were run together or torn apart, the one
    that pairs the most letters is taken.

    Args:
        text: the batch.
        a0: first word of the gap in the first text, in the batch; a1 is the word behind its last.
        a1: see a0.
        b0: the same in the second text.
        b1: see b0.
        found: int32[.., 5], receives rows (a0, a1, b0, b1, kind) counted from the bases, with room for the rows.
        k: rows in `found` so far.
        a_base: first word of the first text in the batch.
        b_base: first word of the second text in the batch.

    Returns:
        Rows in `found` now.
    """
    n, m = a1 - a0, b1 - b0
    if n == 0 or m == 0 or n * m > _MATCH_CELLS:
        return k
    x_begin, y_begin = _begins(text, a0, a1), _begins(text, b0, b1)
    x = y = text.letters
    x_sign, y_sign = text.sign[a0:a1], text.sign[b0:b1]
    df, other_df, skeleton, leet = text.df[a0:a1], text.df[b0:b1], text.skeleton, text.leet
    best = np.zeros((n + 1, m + 1), np.int32)
    step = np.full((n + 1, m + 1), -1, np.int8)
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            best[i, j] = max(best[i + 1, j], best[i, j + 1])
            # Words run together or torn apart are forgiven no slip at their beginning.
            alike = _alike(leet, x[x_begin[i]], y[y_begin[j]])
            for choice in range(len(_JOINS) if alike else 1):
                p, q = _JOINS[choice, 0], _JOINS[choice, 1]
                if i + p > n or j + q > m:
                    continue
                long, wide = x_begin[i + p] - x_begin[i], y_begin[j + q] - y_begin[j]
                gain = min(long, wide) + best[i + p, j + q]
                single = p == 1 and q == 1
                if gain <= best[i, j] or (abs(long - wide) > 1 and not (single and alike)):
                    continue
                # Without a first letter in common a slip has to be proven by a rare spelling.
                if not alike and min(df[i], other_df[j]) > RARE_DOCUMENTS:
                    continue
                if not _may_be_slip(skeleton, a0 + i, p, b0 + j, q):
                    continue
                if single:
                    same = _same_word(
                        text, a0 + i, b0 + j, x, x_begin[i], x_begin[i + 1], y, y_begin[j], y_begin[j + 1]
                    )
                else:
                    same = _same_run(text, x, x_begin, x_sign, a0, i, p, y, y_begin, y_sign, b0, j, q)
                if same:
                    best[i, j], step[i, j] = gain, choice
    i = j = 0
    while best[i, j]:
        choice = step[i, j]
        if choice >= 0:
            p, q = _JOINS[choice, 0], _JOINS[choice, 1]
            equal = p == 1 and q == 1 and text.hash[a0 + i] == text.hash[b0 + j]
            found[k, 0], found[k, 1] = a0 + i - a_base, a0 + i + p - a_base
            found[k, 2], found[k, 3] = b0 + j - b_base, b0 + j + q - b_base
            found[k, 4] = EQUAL if equal else TYPOGRAPHIC
            k += 1
            i += p
            j += q
        elif best[i + 1, j] == best[i, j]:
            i += 1
        else:
            j += 1
    return k


@njit(cache=True, nogil=True)
def _begins(text: Script, start: int, stop: int) -> NDArray[np.int64]:
    """Where the letters of the words start ... stop - 1 begin, and where the last ends."""
    begins = text.first[start : stop + 1].copy()
    begins[-1] = text.behind[stop - 1]
    return begins


@njit(cache=True, nogil=True)
def _may_be_slip(skeleton: NDArray[np.uint64], a: int, p: int, b: int, q: int) -> bool:
    """False only for runs of p and q words that no rule of this file takes for the same."""
    ours, theirs = skeleton[a], skeleton[b]
    for word in range(1, p):
        ours |= skeleton[a + word]
    for word in range(1, q):
        theirs |= skeleton[b + word]
    return bool(popcount(ours ^ theirs) <= SLIP_BITS)


@njit(cache=True, nogil=True)
def _same_letter(x: np.uint32, y: np.uint32) -> bool:
    x_bare, y_bare = x & BARE, y & BARE
    if x_bare == y_bare:
        return True
    # The digit 1 and some look-alikes stand for i and for l alike.
    either = (x | y) & DISGUISED
    return bool(either != 0 and (x_bare == 105 or x_bare == 108) and (y_bare == 105 or y_bare == 108))


@njit(cache=True, nogil=True)
def _same_word(
    text: Script,
    a: int,
    b: int,
    x: NDArray[np.uint32],
    x0: int,
    x1: int,
    y: NDArray[np.uint32],
    y0: int,
    y1: int,
) -> bool:
    either, both = text.flags[a] | text.flags[b], text.flags[a] & text.flags[b]
    edit, length = _one_edit(x, x0, x1, y, y0, y1)
    if edit == _NO_EDIT and (length >= 0 or _digits_spell(text, a, b, x, x0, x1, y, y0, y1)):
        return True
    # Wear takes and gives no letter that a skeleton shows.
    if not either & HAS_DIGIT and (x[x0] ^ y[y0]) & BARE == 0 and text.skeleton[a] == text.skeleton[b]:
        x_bare, y_bare = x[x0:x1] & BARE, y[y0:y1] & BARE
        if _is_worn(text, a, b, x_bare, y_bare) or _is_worn(text, b, a, y_bare, x_bare):
            return True
    if edit == _NO_EDIT or both & HAS_DIGIT or (either & HAS_DIGIT and not either & MIXED):
        return False
    rare, common = min(text.df[a], text.df[b]), max(text.df[a], text.df[b])
    plausible = rare <= RARE_DOCUMENTS
    proven = plausible and common >= max(COMMON_DOCUMENTS, COMMON_FACTOR * rare)
    if edit == _TRANSPOSED:
        return bool(length >= 3 and plausible)
    if text.exact[a] or text.exact[b]:
        return False
    if edit == _DOUBLED:
        return bool((length >= 4 and plausible) or (length >= 3 and proven))
    if edit == _INNER:
        # Petersen and Peterson are two people, Iran and Iraq two countries, and either name may be rare.
        if both & CAPITAL:
            return bool(length >= 8 and proven)
        return bool((length >= 8 and plausible) or (length >= 4 and proven))
    return bool(length >= 6 and proven)


@njit(cache=True, nogil=True)
def _is_worn(text: Script, a: int, b: int, x: NDArray[np.uint32], y: NDArray[np.uint32]) -> bool:
    """Whether the corpus shows word a to be rare, and its bare letters x are y with slips that make no other word."""
    rare, common = text.df[a], text.df[b]
    held, dropped = wear(x, y)
    if dropped == 0:
        return bool(held and rare <= max(RARE_DOCUMENTS, common // COMMON_FACTOR) and not is_series(x))
    proven = common >= COMMON_DOCUMENTS and rare <= max(RARE_DOCUMENTS, common // COMMON_FACTOR**2)
    if not proven or text.exact[a] or text.exact[b] or may_deny(x) or not is_unsayable(x, y):
        return False
    # DVD is not David: capitals of their own make another word.
    return bool((text.marks[text.start[a] + 1] ^ text.marks[text.start[b] + 1]) & UPPER == 0)


@njit(cache=True, nogil=True)
def _digits_spell(
    text: Script,
    a: int,
    b: int,
    x: NDArray[np.uint32],
    x0: int,
    x1: int,
    y: NDArray[np.uint32],
    y0: int,
    y1: int,
) -> bool:
    """Whether one word is of letters only and the other spells just that with some digits, as "1s" and "15" do "is"."""
    if (text.flags[a] & HAS_DIGIT) == (text.flags[b] & HAS_DIGIT):
        return False
    if x1 - x0 == y1 - y0 == 1:
        # Of single letters only the words "a" and "I" are taken for leet: "Schedule A" is not "Schedule 4".
        letter, word = (y[y0], b) if text.flags[a] & HAS_DIGIT else (x[x0], a)
        named = text.flags[word] & (CAPITAL | SENTENCE) == CAPITAL
        if letter != 105 and (letter != 97 or named):
            return False
    return bool(_all_alike(text.leet, x, x0, x1, y, y0, y1))


@njit(cache=True, nogil=True)
def _all_alike(
    leet: NDArray[np.uint8], x: NDArray[np.uint32], x0: int, x1: int, y: NDArray[np.uint32], y0: int, y1: int
) -> bool:
    if x1 - x0 != y1 - y0:
        return False
    for offset in range(x1 - x0):  # noqa: SIM110, numba has no generators
        if not _alike(leet, x[x0 + offset], y[y0 + offset]):
            return False
    return True


@njit(cache=True, nogil=True)
def _alike(leet: NDArray[np.uint8], x: np.uint32, y: np.uint32) -> bool:
    """Whether two letters are the same, or one is a digit that stands for the other."""
    if 48 <= x < 58 and not 48 <= y < 58:
        x = np.uint32(leet[x - 48]) | DISGUISED
    elif 48 <= y < 58 and not 48 <= x < 58:
        y = np.uint32(leet[y - 48]) | DISGUISED
    return bool(_same_letter(x, y))


@njit(cache=True, nogil=True)
def _one_edit(x: NDArray[np.uint32], x0: int, x1: int, y: NDArray[np.uint32], y0: int, y1: int) -> tuple[int, int]:
    """What single slip leads from x to y, and the longer length; (`_NO_EDIT`, length) if equal, length -1 if too far.

    A slip that touches a digit is too far: the digit may be the point ("iphone7").
    """
    longer = max(x1 - x0, y1 - y0)
    head = 0
    while x0 + head < x1 and y0 + head < y1 and _same_letter(x[x0 + head], y[y0 + head]):
        head += 1
    if x0 + head == x1 and y0 + head == y1:
        return _NO_EDIT, longer
    tail = 0
    while x1 - tail > x0 + head and y1 - tail > y0 + head and _same_letter(x[x1 - 1 - tail], y[y1 - 1 - tail]):
        tail += 1
    left, right = x1 - x0 - head - tail, y1 - y0 - head - tail
    for at in range(x0 + head, x1 - tail):
        if x[at] & FROM_DIGIT or 48 <= x[at] < 58:
            return _NO_EDIT, -1
    for at in range(y0 + head, y1 - tail):
        if y[at] & FROM_DIGIT or 48 <= y[at] < 58:
            return _NO_EDIT, -1
    if left == 2 and right == 2:
        i, j = x0 + head, y0 + head
        if _same_letter(x[i], y[j + 1]) and _same_letter(x[i + 1], y[j]):
            return _TRANSPOSED, longer
        return _NO_EDIT, -1
    if left + right == 1 or (left == 1 and right == 1):
        if left != right and head and (x[x0 + head] == x[x0 + head - 1] if left else y[y0 + head] == y[y0 + head - 1]):
            return _DOUBLED, longer
        return (_INNER if head else _FIRST), longer
    return _NO_EDIT, -1


@njit(cache=True, nogil=True)
def _same_run(
    text: Script,
    x: NDArray[np.uint32],
    x_begin: NDArray[np.int32],
    x_sign: NDArray[np.uint32],
    a: int,
    i: int,
    p: int,
    y: NDArray[np.uint32],
    y_begin: NDArray[np.int32],
    y_sign: NDArray[np.uint32],
    b: int,
    j: int,
    q: int,
) -> bool:
    """Whether p words of x and q words of y are the same letters with other spaces."""
    x0, x1, y0, y1 = x_begin[i], x_begin[i + p], y_begin[j], y_begin[j + q]
    if _all_alike(text.leet, x, x0, x1, y, y0, y1):
        one = _signs_agree(x_begin, x_sign, i, p, y_begin, y_sign, j, q)
        return bool(one and _signs_agree(y_begin, y_sign, j, q, x_begin, x_sign, i, p))
    if p > 1 and q > 1:
        return False
    whole = a + i if p == 1 else b + j
    if text.df[whole] > RARE_DOCUMENTS:
        return False
    for word in range(p):
        if text.exact[a + i + word]:
            return False
    for word in range(q):
        if text.exact[b + j + word]:
            return False
    edit, length = _one_edit(x, x0, x1, y, y0, y1)
    return bool(length >= 8 and edit != _NO_EDIT)


@njit(cache=True, nogil=True)
def _signs_agree(
    x_begin: NDArray[np.int32],
    x_sign: NDArray[np.uint32],
    i: int,
    p: int,
    y_begin: NDArray[np.int32],
    y_sign: NDArray[np.uint32],
    j: int,
    q: int,
) -> bool:
    """Whether every sign between digits of x stands at the same place in y."""
    for word in range(i, i + p - 1):
        if x_sign[word] == 0:
            continue
        place = x_begin[word + 1] - x_begin[i]
        agrees = False
        for other in range(j, j + q - 1):
            agrees |= y_begin[other + 1] - y_begin[j] == place and y_sign[other] == x_sign[word]
        if not agrees:
            return False
    return True
