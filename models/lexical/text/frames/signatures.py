"""Signatures of mail and news: few lines behind one of two hyphens (RFC 3676)."""

from models.kernels.jit import kernel
from models.lexical.text.frames.scanning import BLANK, HYPHEN, LINE_FEED, RETURN, Array, is_name, last_line, line_end

_SIGNED_LINES, _SIGNED = 4, 160
"""Lines and bytes of a signature behind its two hyphens, at most."""


@kernel
def signature(data: Array, at: int, stop: int) -> int:
    """Where the line of two hyphens begins that parts a text from few lines of signature; `stop` if none does."""
    lines, place, found = 0, stop, stop
    while place > at:
        place = last_line(data, at, place)
        rest = place + 2 + (place + 2 < stop and data[place + 2] == BLANK)
        parts = rest < stop and data[place] == data[place + 1] == HYPHEN and data[rest] in (LINE_FEED, RETURN)
        if parts and (found < stop or lines > _SIGNED_LINES or stop - place > _SIGNED):
            return stop
        # Without a blank behind the hyphens it may be any line.
        parts = parts and (rest > place + 2 or _is_signed(data, rest + 1, stop))
        if parts and lines and place > at:
            found = place
        lines, place = lines + 1, place - 1
    return found


@kernel
def _is_signed(data: Array, at: int, stop: int) -> bool:
    """Whether what stands here is a name, or holds an address."""
    end = line_end(data, at, stop)
    if is_name(data, at, end) and end == stop:
        return True
    for place in range(at, stop):  # noqa: SIM110, numba has no generators
        if data[place] == ord("@"):
            return True
    return False
