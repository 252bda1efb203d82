"""Roles of reStructuredText, of which the label stays: "DatabaseError" of :exc:`~django.db.DatabaseError`.

A page that is made of such a text shows the label alone, without the target in :ref:`label <target>`. Of :rfc:`2822` it
shows the role, too, so one before a number stays. MyST writes roles in Markdown: {exc}`~django.db.DatabaseError`.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner

_COLON, _TICK, _TILDE, _DOT, _LESS, _GREATER, _BLANK, _LINE_FEED, _SHOUT = (ord(sign) for sign in ":`~.<> \n!")
_OPEN, _CLOSE, _ROUND = (ord(sign) for sign in "{}(")
_NAME = np.array([chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in ":-_+.") for byte in range(256)])
_LONGEST, _TARGET = 32, 200
"""Bytes of a role, and of what stands within its ticks, at most."""


@inner
def role_begin(data: NDArray[np.uint8], tick: int, low: int, stop: int) -> int:
    """Where the role begins that stands before a tick; `tick` for none.

    Args:
        data: UTF-8 of the text.
        tick: where the tick stands.
        low: first byte that may be part of the role.
        stop: where the text ends.
    """
    braced = tick > low and data[tick - 1] == _CLOSE
    begin = tick - braced
    while begin > max(low, tick - _LONGEST) and _NAME[data[begin - 1]]:
        begin -= 1
    if braced:
        begin -= 1
        # what ends with "/{id}`" is code
        apart = begin == low or (begin > low and (data[begin - 1] <= _BLANK or data[begin - 1] == _ROUND))
        written = apart and data[begin] == _OPEN
    else:
        written = data[begin] == _COLON and data[tick - 1] == _COLON
    if not written or tick - begin < 3 or tick + 1 >= stop:
        return tick
    label = data[tick + 1]
    labelled = label > _BLANK and label != _TICK and not 48 <= label < 58
    return begin if labelled else tick


@inner
def label_begin(data: NDArray[np.uint8], at: int, stop: int) -> int:
    """Where the label begins behind the tick of a role: "~" leaves the last part of a name with dots, "!" all of it."""
    if at >= stop or data[at] not in (_TILDE, _SHOUT):
        return at
    behind = at + 1
    if data[at] == _TILDE:
        for place in range(at + 1, min(at + _TARGET, stop)):
            if data[place] in (_TICK, _LESS, _BLANK, _LINE_FEED):
                break
            if data[place] == _DOT:
                behind = place + 1
    return behind


@inner
def target_end(data: NDArray[np.uint8], at: int, stop: int) -> int:
    """Where "<target>`" ends behind the label of a role; `at` if it does not stand there."""
    for place in range(at + 1, min(at + _TARGET, stop - 1)):
        if data[place] == _GREATER:
            return place + 2 if data[place + 1] == _TICK else at
        if data[place] in (_LESS, _TICK):
            break
    return at
