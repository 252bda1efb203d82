r"""Differences of spelling that are no differences of content: spacing, look-alikes, leet and slips of the keyboard.

The rule errs on the side of a difference. Digits are compared as written, except digits inside a word of mostly
letters that spell a word of the other text ("f1gur3"). A slip of one letter is forgiven only where the corpus shows
one of the two spellings to be rare, or where the slip is one that hands make and languages do not. So are British and
American spelling, letters held down ("womennnn") and vowels left out until no language would write the word so
("bttlgrnd"); and letters that were lost with their bytes ("ve\ufffdji" for "večji").
"""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.spelling.keyboard_slips import is_series, is_unsayable, may_deny, wear
from models.decision.evidence.spelling.letters import BARE, DISGUISED, FROM_DIGIT, LOST
from models.decision.evidence.spelling.regional import is_regional
from models.kernels.bits import popcount
from models.kernels.jit import counted, lean, lean_kernel
from models.lexical.text.canonical.lookalikes import LEET
from models.lexical.text.words import CAPITAL, HAS_DIGIT, MIXED, SENTENCE

EQUAL, TYPOGRAPHIC = 0, 1
"""Kinds of matched run."""
RARE_DOCUMENTS = 2
"""A spelling found in at most this many documents may be a slip."""
COMMON_FACTOR, COMMON_DOCUMENTS = 8, 10
"""How many times as many documents, and how many, the other spelling must be found in to prove a slip."""
SLIP_BITS = 2
"""Bits of their skeletons in which two spellings of a word may differ: a slip puts one letter in place of another."""

SPELT_LETTERS = 300
"""Letters of a word, or of several run together, whose spelling is looked at: keys and streams of data have more, and
every word of a gap is laid beside every other."""
_MATCH_CELLS = 2500
_JOINED_WORDS = 6
SPELLING_ROOM = 2 * (_MATCH_CELLS + 1)
"""Cells of the largest gap that `match_spelling` looks into, with their borders."""
_NONE = -1
_S, _BEYOND = np.uint32(ord("s")), np.uint32(0x80)
NO_EDIT, TRANSPOSED, DOUBLED, INNER, _FIRST = range(5)
"""What single slip leads from one word to another, see `one_edit`."""
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


@lean
def match_spelling(
    hashes: NDArray[np.uint64],
    letters: NDArray[np.uint32],
    words: np.ndarray,
    a0: int,
    a1: int,
    b0: int,
    b1: int,
    best: NDArray[np.int32],
    step: NDArray[np.int8],
    found: NDArray[np.int32],
    k: int,
) -> int:
    """Pair the words of one gap that differ in typography only.

    Among all ways to pair words in order, one word with one or several that were run together or torn apart, the one
    that pairs the most letters is taken.

    Args:
        hashes: uint64[w], of the words of a `Script`.
        letters: uint32[t], of the same.
        words: `WORD`[w], of the same.
        a0: first word of the gap in the first text; a1 is the word behind its last.
        a1: see a0.
        b0: the same in the second text.
        b1: see b0.
        best: int32[SPELLING_ROOM], overwritten.
        step: int8[SPELLING_ROOM], overwritten.
        found: int32[.., 5], receives rows (a0, a1, b0, b1, kind), with room for the rows.
        k: rows in `found` so far.

    Returns:
        Rows in `found` now.
    """
    n, m = a1 - a0, b1 - b0
    if n * m > _MATCH_CELLS:
        return k
    wide = m + 1
    best[n * wide : (n + 1) * wide] = 0
    for a in range(a1 - 1, a0 - 1, -1):
        row = (a - a0) * wide
        best[row + m] = 0
        ours = words[a]
        a_letter, a_size = letters[ours.first], _letters_of(words, a, 1, a1)
        for b in range(b1 - 1, b0 - 1, -1):
            theirs, cell = words[b], row + b - b0
            most, chosen = max(best[cell + wide], best[cell + 1]), _NONE
            # Words run together or torn apart are forgiven no slip at their beginning.
            led = a_letter == LOST or letters[theirs.first] == LOST
            if led or _alike(a_letter, letters[theirs.first]):
                for choice in range(len(_JOINS)):
                    p, q = _JOINS[choice, 0], _JOINS[choice, 1]
                    if a + p > a1 or b + q > b1:
                        continue
                    size, across = _letters_of(words, a, p, a1), _letters_of(words, b, q, b1)
                    gain, single = min(size, across) + best[cell + p * wide + q], choice == 0
                    near = single or abs(size - across) <= 1 or ours.lost or theirs.lost
                    if gain <= most or not near:
                        continue
                    if max(size, across) > SPELT_LETTERS:
                        same = single and hashes[a] == hashes[b]
                    elif not _may_be_slip(words, a, p, b, q):
                        same = False
                    elif single:
                        same = _same_word(letters, words, a, size, b, across)
                    else:
                        same = _same_run(letters, words, a, p, size, b, q, across)
                    if same:
                        most, chosen = gain, choice
            elif min(ours.df, theirs.df) <= RARE_DOCUMENTS:
                # Without a first letter in common a slip has to be proven by a rare spelling.
                across = _letters_of(words, b, 1, b1)
                gain = min(a_size, across) + best[cell + wide + 1]
                near = gain > most and abs(a_size - across) <= 1 and max(a_size, across) <= SPELT_LETTERS
                near = near and _may_be_slip(words, a, 1, b, 1)
                if near and _same_word(letters, words, a, a_size, b, across):
                    most, chosen = gain, 0
            best[cell], step[cell] = most, chosen
    a, b = a0, b0
    cell = 0
    while a < a1 and b < b1 and best[cell]:
        choice = step[cell]
        if choice != _NONE:
            p, q = _JOINS[choice, 0], _JOINS[choice, 1]
            equal = choice == 0 and hashes[a] == hashes[b]
            found[k, 0], found[k, 1], found[k, 2], found[k, 3] = a, a + p, b, b + q
            found[k, 4] = EQUAL if equal else TYPOGRAPHIC
            k += 1
        else:
            down = best[cell + wide] == best[cell]
            p, q = (1, 0) if down else (0, 1)
        a, b, cell = a + p, b + q, cell + p * wide + q
    return k


@lean
def _letters_of(words: np.ndarray, word: int, size: int, stop: int) -> int:
    """Letters of `size` words of a gap that ends before the word `stop`."""
    last = words[word + size - 1]
    return int((last.behind if word + size == stop else last.next) - words[word].first)


@lean_kernel
def _may_be_slip(words: np.ndarray, a: int, p: int, b: int, q: int) -> bool:
    """False only for runs of p and q words that no rule of this file takes for the same."""
    ours, theirs, lost = words[a].skeleton, words[b].skeleton, words[a].lost or words[b].lost
    for word in range(a + 1, a + p):
        ours |= words[word].skeleton
        lost |= words[word].lost
    for word in range(b + 1, b + q):
        theirs |= words[word].skeleton
        lost |= words[word].lost
    return bool(lost or popcount(ours ^ theirs) <= SLIP_BITS)


@lean
def _same_letter(x: np.uint32, y: np.uint32) -> bool:
    x_bare, y_bare = x & BARE, y & BARE
    if x_bare == y_bare:
        return bool(x & y & FROM_DIGIT == 0 or x == y)
    # The digit 1 and some look-alikes stand for i and for l alike.
    either = (x | y) & DISGUISED
    return bool(either != 0 and (x_bare == 105 or x_bare == 108) and (y_bare == 105 or y_bare == 108))


@counted
def _same_word(letters: NDArray[np.uint32], words: np.ndarray, a: int, size: int, b: int, across: int) -> bool:
    """Whether two words, of so many letters where they stand, are the same but for a slip."""
    one, other = words[a], words[b]
    x0, y0 = one.first, other.first
    x1, y1 = x0 + size, y0 + across
    either, both = one.flags | other.flags, one.flags & other.flags
    edit, length = one_edit(letters, x0, x1, y0, y1)
    if not either & HAS_DIGIT and is_regional(letters, np.int64(x0), x1, letters, np.int64(y0), y1):
        return True
    if edit == NO_EDIT and (length >= 0 or _digits_spell(letters, one.flags, x0, x1, other.flags, y0, y1)):
        return True
    if _is_restored(letters, x0, x1, y0, y1):
        return True
    # Wear takes and gives no letter that a skeleton shows.
    if not either & HAS_DIGIT and (letters[x0] ^ letters[y0]) & BARE == 0 and one.skeleton == other.skeleton:
        x_bare, y_bare = letters[x0:x1] & BARE, letters[y0:y1] & BARE
        if _is_worn(words, a, b, x_bare, y_bare) or _is_worn(words, b, a, y_bare, x_bare):
            return True
    if edit == NO_EDIT or both & HAS_DIGIT or (either & HAS_DIGIT and not either & MIXED):
        return False
    rare, common = min(one.df, other.df), max(one.df, other.df)
    plausible = rare <= RARE_DOCUMENTS
    proven = plausible and common >= max(COMMON_DOCUMENTS, COMMON_FACTOR * rare)
    if edit == TRANSPOSED:
        # TIC and TCI are two services.
        return bool((length >= 4 and plausible) or (length >= 3 and proven))
    if one.exact or other.exact:
        return False
    if edit == DOUBLED:
        return bool((length >= 4 and plausible) or (length >= 3 and proven))
    if edit == INNER:
        # Petersen and Peterson are two people, Iran and Iraq two countries, and either name may be rare.
        if both & CAPITAL:
            return bool(length >= 8 and proven)
        return bool((length >= 8 and plausible) or (length >= 4 and proven))
    return bool(length >= 6 and proven)


@lean
def _is_worn(words: np.ndarray, a: int, b: int, x: NDArray[np.uint32], y: NDArray[np.uint32]) -> bool:
    """Whether the corpus shows word a to be rare, and its bare letters x are y with slips that make no other word."""
    rare, common = words[a].df, words[b].df
    held, dropped = wear(x, y)
    if dropped == 0:
        return bool(held and rare <= max(RARE_DOCUMENTS, common // COMMON_FACTOR) and not is_series(x))
    proven = common >= COMMON_DOCUMENTS and rare <= max(RARE_DOCUMENTS, common // COMMON_FACTOR**2)
    if not proven or words[a].exact or words[b].exact or may_deny(x) or not is_unsayable(x, y):
        return False
    # DVD is not David: capitals of their own make another word.
    return bool(words[a].second == words[b].second)


@lean
def _digits_spell(letters: NDArray[np.uint32], a_flags: int, x0: int, x1: int, b_flags: int, y0: int, y1: int) -> bool:
    """Whether one word is of letters only and the other spells just that with some digits, as "1s" and "15" do "is"."""
    if (a_flags & HAS_DIGIT) == (b_flags & HAS_DIGIT):
        return False
    if x1 - x0 == y1 - y0 == 1:
        # Of single letters only the words "a" and "I" are taken for leet: "Schedule A" is not "Schedule 4".
        letter, flags = (letters[y0], b_flags) if a_flags & HAS_DIGIT else (letters[x0], a_flags)
        named = flags & (CAPITAL | SENTENCE) == CAPITAL
        if letter != 105 and (letter != 97 or named):
            return False
    return bool(_all_alike(letters, x0, x1, y0, y1))


@lean
def _all_alike(letters: NDArray[np.uint32], x0: int, x1: int, y0: int, y1: int) -> bool:
    if x1 - x0 != y1 - y0:
        return False
    for offset in range(x1 - x0):  # noqa: SIM110, numba has no generators
        if not _alike(letters[x0 + offset], letters[y0 + offset]):
            return False
    return True


@lean
def _alike(x: np.uint32, y: np.uint32) -> bool:
    """Whether two letters are the same, or one is a digit that stands for the other."""
    if 48 <= x < 58 and not 48 <= y < 58:
        x = np.uint32(LEET[x - 48]) | DISGUISED
    elif 48 <= y < 58 and not 48 <= x < 58:
        y = np.uint32(LEET[y - 48]) | DISGUISED
    return bool(_same_letter(x, y))


@lean
def one_edit(letters: NDArray[np.uint32], x0: int, x1: int, y0: int, y1: int) -> tuple[int, int]:
    """What single slip leads from one word to the other, and the longer length.

    (`NO_EDIT`, length) if they are equal, (`NO_EDIT`, -1) if they are too far apart.
    A slip that touches a digit is too far: the digit may be the point ("iphone7").
    """
    longer = max(x1 - x0, y1 - y0)
    head = 0
    while x0 + head < x1 and y0 + head < y1 and _same_letter(letters[x0 + head], letters[y0 + head]):
        head += 1
    if x0 + head == x1 and y0 + head == y1:
        return NO_EDIT, longer
    tail = 0
    most = min(x1 - x0, y1 - y0) - head
    while tail < most and _same_letter(letters[x1 - 1 - tail], letters[y1 - 1 - tail]):
        tail += 1
    left, right = x1 - x0 - head - tail, y1 - y0 - head - tail
    for at in range(x0 + head, x1 - tail):
        if letters[at] & FROM_DIGIT or 48 <= letters[at] < 58:
            return NO_EDIT, -1
    for at in range(y0 + head, y1 - tail):
        if letters[at] & FROM_DIGIT or 48 <= letters[at] < 58:
            return NO_EDIT, -1
    if left == 2 and right == 2:
        i, j = x0 + head, y0 + head
        if _same_letter(letters[i], letters[j + 1]) and _same_letter(letters[i + 1], letters[j]):
            return TRANSPOSED, longer
        return NO_EDIT, -1
    if left + right == 1 or (left == 1 and right == 1):
        more = x0 + head if left else y0 + head
        if left != right and head and letters[more] == letters[more - 1]:
            return DOUBLED, longer
        return (INNER if head else _FIRST), longer
    return NO_EDIT, -1


@lean_kernel
def _same_run(
    letters: NDArray[np.uint32], words: np.ndarray, a: int, p: int, size: int, b: int, q: int, across: int
) -> bool:
    """Whether p words and q words, of so many letters where they stand, are the same letters with other spaces."""
    x0, y0 = words[a].first, words[b].first
    x1, y1 = x0 + size, y0 + across
    if _all_alike(letters, x0, x1, y0, y1) or _is_restored(letters, x0, x1, y0, y1):
        return bool(_signs_agree(words, a, p, b, q) and _signs_agree(words, b, q, a, p))
    if p > 1 and q > 1:
        return False
    if words[a if p == 1 else b].df > RARE_DOCUMENTS:
        return False
    for word in range(a, a + p):
        if words[word].exact:
            return False
    for word in range(b, b + q):
        if words[word].exact:
            return False
    edit, length = one_edit(letters, x0, x1, y0, y1)
    return bool(length >= 8 and edit != NO_EDIT)


@lean
def _is_restored(letters: NDArray[np.uint32], x0: int, x1: int, y0: int, y1: int) -> bool:
    """Whether two spellings are the same but for lost letters or marks, where the other has letters beyond ASCII."""
    i, j, lost = x0, y0, False
    while i < x1 or j < y1:
        x_lost, y_lost = i < x1 and letters[i] == LOST, j < y1 and letters[j] == LOST
        if x_lost or y_lost:
            lost |= x_lost != y_lost
            if not x_lost:
                i += _losable(letters, i, x1, j + 1 < y1 and letters[j + 1] == _S)
            elif not y_lost:
                j += _losable(letters, j, y1, i + 1 < x1 and letters[i + 1] == _S)
            i, j = i + x_lost, j + y_lost
        elif i == x1 or j == y1 or not _same_letter(letters[i], letters[j]):
            return False
        else:
            i, j = i + 1, j + 1
    return lost


@lean
def _losable(letters: NDArray[np.uint32], at: int, stop: int, followed: bool) -> int:
    """Letters from `at` on that lost bytes can have been: those beyond ASCII; and "ss" for ß unless an s `followed`."""
    first, sharp = at, True
    while at < stop and sharp:
        sharp = not followed and at + 1 < stop and letters[at] == _S and letters[at + 1] == _S
        at += 2 * sharp
        while at < stop and letters[at] & FROM_DIGIT == 0 and (letters[at] & DISGUISED or letters[at] >= _BEYOND):
            at += 1
            sharp = True
    return at - first


@lean
def _signs_agree(words: np.ndarray, a: int, p: int, b: int, q: int) -> bool:
    """Whether every sign between digits of the p words from a stands at the same place in the q words from b."""
    for word in range(a, a + p - 1):
        if words[word].sign == 0:
            continue
        place = words[word].next - words[a].first
        agrees = False
        for other in range(b, b + q - 1):
            agrees |= words[other].next - words[b].first == place and words[other].sign == words[word].sign
        if not agrees:
            return False
    return True
