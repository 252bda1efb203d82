"""Somebody at a terminal who answers questions."""

from collections.abc import Callable


def typing(*answers: str) -> Callable[[str], str]:
    """Somebody who types these, then ends the input."""
    left = iter(answers)

    def ask(_: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return ask
