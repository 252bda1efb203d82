"""Alignment of two short texts letter by letter, as they are read."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inlined, inner, lean
from models.lexical.text.canonical.reading import ANY, BREAK, CODE, DISGUISED, FIGURE, LINK, OPTIONAL, is_vowel

SAME, SLIP, SWAPPED = 1, 2, 3
"""How a letter meets its mate: it is the same, another one, or the next one, which changed places with it."""

_OPEN, _LETTER, _VOWEL, _NUMBER, _OTHER, _OTHER_NUMBER, _SWAP = 1, 2, 1, 4, 3, 6, 2
"""Costs: of a gap, of what is left out, of a letter or digit in place of another, of two that changed places."""
_DIAGONAL, _LEFT_OUT, _PUT_IN, _TURNED = range(4)
_LONGER_A, _LONGER_B = 4, 8
_I, _L, _A, _Z = 105, 108, 97, 122


@inlined
def same_letter(x: np.uint32, y: np.uint32, stands_for: NDArray[np.uint32]) -> bool:
    """Do two letters read alike, a digit being any letter that it may stand for? Links are no words."""
    one, other = x & CODE, y & CODE
    if (x ^ y) & LINK:
        return False
    if one == other:
        return True
    if (x ^ y) & FIGURE:
        digit, letter = (one, other) if x & FIGURE else (other, one)
        return bool(_A <= letter <= _Z and (stands_for[digit - 48] >> (letter - _A)) & 1)
    if (x | y) & FIGURE:
        return False
    if one == ANY or other == ANY:
        return True
    return bool((x | y) & DISGUISED and one in (_I, _L) and other in (_I, _L))


@inlined
def _is_any(x: np.uint32, y: np.uint32) -> bool:
    """Does just one of them stand for any letter?"""
    return bool((x & CODE == ANY) != (y & CODE == ANY))


@inlined
def _surely_same(x: np.uint32, y: np.uint32, stands_for: NDArray[np.uint32]) -> bool:
    return same_letter(x, y, stands_for) and not _is_any(x, y)


@inlined
def _gap(x: np.uint32) -> int:
    if x & OPTIONAL:
        return 0
    if x & FIGURE and not x & LINK:
        return _NUMBER
    return _VOWEL if x & LINK or is_vowel(x) or x & CODE == ANY else _LETTER


@inner
def align_letters(
    a: NDArray[np.uint32], b: NDArray[np.uint32], stands_for: NDArray[np.uint32], room: NDArray[np.uint8]
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Align the letters of two texts at the least cost (Gotoh 1982, with neighbours that change places).

    Args:
        a: uint32[n], letters of a `Reading`.
        b: uint32[m], the same of the other text.
        stands_for: `models.lexical.text.canonical.lookalikes.readings()`.
        room: uint8[(n + 1) * (m + 1)] or more, overwritten.

    Returns:
        For every letter of a the place of its mate in b, int32[n], -1 for none; and uint8[n], `SAME`, `SLIP` or
        `SWAPPED`, 0 for none.
    """
    mate, how = np.full(a.size, -1, np.int32), np.zeros(a.size, np.uint8)
    head = 0
    while head < min(a.size, b.size) and _surely_same(a[head], b[head], stands_for):
        mate[head], how[head] = head, SAME
        head += 1
    tail = 0
    while tail < min(a.size, b.size) - head and _surely_same(a[a.size - 1 - tail], b[b.size - 1 - tail], stands_for):
        tail += 1
        mate[a.size - tail], how[a.size - tail] = b.size - tail, SAME
    n, m = a.size - head - tail, b.size - head - tail
    if n and m:
        _fill(a[head : head + n], b[head : head + m], stands_for, room)
        _trace(a, b, head, n, m, stands_for, room, mate, how)
    return mate, how


@inner
def _fill(
    a: NDArray[np.uint32], b: NDArray[np.uint32], stands_for: NDArray[np.uint32], step: NDArray[np.uint8]
) -> None:
    """Write what each cell comes from."""
    n, m = a.size, b.size
    wide = m + 1
    far = np.int32(1 << 28)
    before, last, row = np.empty(wide, np.int32), np.empty(wide, np.int32), np.empty(wide, np.int32)
    out, gaps = np.empty(wide, np.int32), np.empty(wide, np.int32)
    before[:] = far
    last[0] = 0
    cost = np.int32(_OPEN)
    for j in range(1, wide):
        gaps[j] = _gap(b[j - 1])
        cost += gaps[j]
        last[j] = cost
        step[j] = _PUT_IN | _LONGER_B
    out[:] = far
    for i in range(1, n + 1):
        gap = np.int32(_gap(a[i - 1]))
        row[0] = (last[0] if i > 1 else np.int32(_OPEN)) + gap
        step[i * wide] = _LEFT_OUT | _LONGER_A
        _fill_row(a, b, i, gap, gaps, stands_for, before, last, row, out, step[i * wide : (i + 1) * wide])
        before, last, row = last, row, before


@lean
def _fill_row(
    a: NDArray[np.uint32],
    b: NDArray[np.uint32],
    i: int,
    gap: np.int32,
    gaps: NDArray[np.int32],
    stands_for: NDArray[np.uint32],
    before: NDArray[np.int32],
    last: NDArray[np.int32],
    row: NDArray[np.int32],
    out: NDArray[np.int32],
    step: NDArray[np.uint8],
) -> None:
    """Write the costs and steps of row `i`, behind its first cell."""
    letter, turned = a[i - 1], a[i - 2] if i > 1 else np.uint32(0)
    may_turn = i > 1 and not (letter | turned) & FIGURE and letter & CODE != turned & CODE
    put_in, cell = np.int32(1 << 28), row[0]
    open_cost = np.int32(_OPEN)
    for j in range(1, row.size):
        other, bits = b[j - 1], 0
        longer, begun = out[j] + gap, last[j] + open_cost + gap
        if longer <= begun:
            bits = _LONGER_A
        left_out = min(longer, begun)
        out[j] = left_out
        longer, begun = put_in + gaps[j], cell + open_cost + gaps[j]
        if longer <= begun:
            bits |= _LONGER_B
        put_in = min(longer, begun)
        if same_letter(letter, other, stands_for):
            best = last[j - 1] + np.int32(_is_any(letter, other))
        else:
            best = last[j - 1] + np.int32(_OTHER_NUMBER if (letter | other) & FIGURE else _OTHER)
        chosen = _DIAGONAL
        if left_out < best:
            best, chosen = left_out, _LEFT_OUT
        if put_in < best:
            best, chosen = put_in, _PUT_IN
        crossed = may_turn and j > 1 and letter & CODE == b[j - 2] & CODE and turned & CODE == other & CODE
        if crossed and before[j - 2] + _SWAP < best:
            best, chosen = before[j - 2] + np.int32(_SWAP), _TURNED
        row[j], step[j] = best, bits | chosen
        cell = best


@lean
def _trace(
    a: NDArray[np.uint32],
    b: NDArray[np.uint32],
    head: int,
    n: int,
    m: int,
    stands_for: NDArray[np.uint32],
    step: NDArray[np.uint8],
    mate: NDArray[np.int32],
    how: NDArray[np.uint8],
) -> None:
    i, j, wide = n, m, m + 1
    state = 0
    while i > 0 or j > 0:
        bits = step[i * wide + j]
        chosen = bits & 3 if state == _DIAGONAL else state
        if chosen == _LEFT_OUT:
            state = _LEFT_OUT if bits & _LONGER_A and i > 1 else _DIAGONAL
            i -= 1
        elif chosen == _PUT_IN:
            state = _PUT_IN if bits & _LONGER_B and j > 1 else _DIAGONAL
            j -= 1
        elif chosen == _TURNED:
            mate[head + i - 1], mate[head + i - 2] = head + j - 2, head + j - 1
            how[head + i - 1] = how[head + i - 2] = SWAPPED
            i, j = i - 2, j - 2
        else:
            mate[head + i - 1] = head + j - 1
            alike = same_letter(a[head + i - 1], b[head + j - 1], stands_for)
            how[head + i - 1] = SAME if alike else SLIP
            i, j = i - 1, j - 1


@inner
def reversed_alignment(
    mate: NDArray[np.int32], how: NDArray[np.uint8], size: int
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """The alignment as the other text, of `size` letters, sees it."""
    back, how_back = np.full(size, -1, np.int32), np.zeros(size, np.uint8)
    for at in range(mate.size):
        if mate[at] >= 0:
            back[mate[at]], how_back[mate[at]] = at, how[at]
    return back, how_back


@lean
def slide(a: NDArray[np.uint32], b: NDArray[np.uint32], mate: NDArray[np.int32], how: NDArray[np.uint8]) -> None:
    """Move what only a has to where its words begin, as far as the letters around it allow.

    Of a letter that was held down, the first is the letter.
    """
    for at in range(a.size - 1, 0, -1):
        if not a[at] & OPTIONAL or not _equal(a, at - 1, at):
            continue
        if a[at] & BREAK:
            # The word that begins with the letter has it, not the one that ends with it.
            if mate[at] < 0 and how[at - 1] == SAME and not a[at - 1] & BREAK and b[mate[at - 1]] & BREAK:
                mate[at], how[at] = mate[at - 1], SAME
                mate[at - 1], how[at - 1] = -1, 0
        elif mate[at] >= 0 and mate[at - 1] < 0:
            mate[at - 1], how[at - 1] = mate[at], how[at]
            mate[at], how[at] = -1, 0
    start = 0
    while start < a.size:
        if mate[start] >= 0:
            start += 1
            continue
        stop, letters = start, 0
        while stop < a.size and mate[stop] < 0:
            letters += a[stop] & OPTIONAL == 0
            stop += 1
        if letters == 0:
            start = stop
            continue
        size = stop - start
        least, most = 0, 0
        while start + least > 0 and how[start + least - 1] == SAME and _equal(a, start + least - 1, stop + least - 1):
            least -= 1
        while stop + most < a.size and how[stop + most] == SAME and _equal(a, start + most, stop + most):
            most += 1
        if not a[start] & BREAK or not (stop == a.size or a[stop] & BREAK):
            for shift in range(least, most + 1):
                behind = stop + shift
                if a[start + shift] & BREAK and (behind == a.size or a[behind] & BREAK):
                    for _ in range(-shift):
                        start, stop = start - 1, stop - 1
                        mate[stop], how[stop] = mate[start], how[start]
                        mate[start], how[start] = -1, 0
                    for _ in range(shift):
                        mate[start], how[start] = mate[stop], how[stop]
                        mate[stop], how[stop] = -1, 0
                        start, stop = start + 1, stop + 1
                    break
        start = max(stop, start + size)


@lean
def _equal(a: NDArray[np.uint32], one: int, other: int) -> bool:
    return bool(a[one] & CODE == a[other] & CODE)
