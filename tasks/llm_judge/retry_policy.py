"""How long a service is asked again, and when it is no longer asked at all."""

import email.utils
import random
import time
from collections.abc import Mapping
from typing import NamedTuple


class Patience(NamedTuple):
    """Bounds on asking again, in number and time."""

    tries: int = 4
    """Calls for one question."""
    first: float = 0.5
    """Seconds before the second call; the pause doubles from then on."""
    longest: float = 8.0
    """Seconds of the longest pause that the server did not ask for."""
    total: float = 180.0
    """Seconds from the first call of a question in which another may begin."""
    failures: int = 20
    """Calls that fail one after the other until nothing is asked any more."""

    def pause(self, tried: int, asked_for: float | None) -> float:
        """Seconds until the next call: what the server asked for, else exponential, either with up to half added.

        The random part keeps those who were turned away together from coming back together.
        """
        alone = min(self.longest, self.first * 2 ** (tried - 1))
        return (alone if asked_for is None else asked_for) * random.uniform(1, 1.5)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that an answer asks to wait (`Retry-After`, as a number or a date); None where it does not say."""
    said = headers.get("retry-after", "")
    try:
        seconds = float(said)
    except ValueError:
        date = email.utils.parsedate_tz(said)
        seconds = email.utils.mktime_tz(date) - time.time() if date else -1.0
    return seconds if 0 <= seconds < float("inf") else None
