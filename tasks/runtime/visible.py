"""Words of strangers, shown where they must neither steer a terminal nor give a secret away."""

import re

# Escape sequences must not reach a terminal, and directional overrides must not reorder what stands around a quote.
OVERRIDES = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0x7F, 0xA0))
_UNSEEN = dict.fromkeys(OVERRIDES, "\N{REPLACEMENT CHARACTER}")
_UNSEEN |= {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n\r"}


def visible(text: str) -> str:
    """Text with control characters and directional overrides replaced by visible signs."""
    return text.translate(_UNSEEN)


_CREDENTIALS = re.compile(r"(?<=://)[^\s/@]{1,512}@")


def safe(text: str) -> str:
    """Text for a message: visible, and without the name and password that a URL in it may hold."""
    return _CREDENTIALS.sub("…@", visible(text))
