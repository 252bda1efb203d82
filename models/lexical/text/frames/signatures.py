"""Signatures of mail and news: few lines behind one of two hyphens (RFC 3676), and the line of a telephone."""

from models.kernels.jit import inner
from models.lexical.text.frames.scanning import (
    BLANK,
    HYPHEN,
    LINE_FEED,
    RETURN,
    Array,
    is_name,
    last_line,
    line_end,
    one_of,
    rows_of,
    short_last_line,
)

_SIGNED_LINES, _SIGNED = 4, 160
"""Lines and bytes of a signature behind its two hyphens, at most."""


_DEVICE = 48
"""Bytes of the line that a telephone or its program signs with, at most."""
_SENT_FROM = rows_of(
    "Sent from my ", "sent from my ", "Sent from Mail for ", "Get Outlook for ", "Gesendet von meinem ",
    "Von meinem iPhone gesendet", "Envoyé de mon ", "Enviado desde mi ", "Enviado do meu ", "Inviato da iPhone",
    "Inviato dal mio ", "Verzonden vanaf mijn ", "Skickat från min ", "Sendt fra min ", "Wysłane z iPhone",
    "Отправлено с iPhone", "发自我的", "發自我的", "iPhoneから送信",
)  # fmt: skip
_RULES = tuple("-–—".encode())


@inner
def signature(data: Array, at: int, stop: int) -> int:
    """Where the line of two hyphens begins that parts a text from few lines of signature; `stop` if none does.

    With another such line before it the text is one of several parts.
    """
    place: int = short_last_line(data, at, stop)
    if at < place and stop - place <= _DEVICE and _is_of_device(data, place, stop):
        return place
    for _ in range(_SIGNED_LINES):
        if place <= at or stop - place > _SIGNED:
            return stop
        place = last_line(data, at, place - 1)
        rest = _behind_hyphens(data, place, stop)
        if rest > place:
            # What has neither a name alone nor an address may be the only copy of something.
            signed = place > at and _is_signed(data, rest + 1, stop)
            return place if signed and not _is_parted(data, at, place, stop) else stop
    return stop


@inner
def _is_of_device(data: Array, at: int, stop: int) -> bool:
    """Whether a line says from what device or program a mail was sent, behind dashes or not."""
    while at < stop and (data[at] == BLANK or data[at] in _RULES):
        at += 1
    return bool(one_of(data, at, stop, _SENT_FROM) > at)


@inner
def _behind_hyphens(data: Array, at: int, stop: int) -> int:
    """Where a line of two hyphens ends, with or without a blank behind them; `at` for another line."""
    rest = at + 2 + (at + 2 < stop and data[at + 2] == BLANK)
    hyphens = rest < stop and data[at] == data[at + 1] == HYPHEN and data[rest] in (LINE_FEED, RETURN)
    return rest if hyphens else at


@inner
def _is_parted(data: Array, at: int, place: int, stop: int) -> bool:
    """Whether a line of two hyphens stands before a place."""
    while place > at:
        place = last_line(data, at, place - 1)
        if _behind_hyphens(data, place, stop) > place:
            return True
    return False


@inner
def _is_signed(data: Array, at: int, stop: int) -> bool:
    """Whether what stands here is a name, or holds an address."""
    end = line_end(data, at, stop)
    if is_name(data, at, end) and end == stop:
        return True
    for place in range(at, stop):  # noqa: SIM110, numba has no generators
        if data[place] == ord("@"):
            return True
    return False
