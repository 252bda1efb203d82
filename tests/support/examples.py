"""Number of examples that a property is tried on."""

from hypothesis import settings

USUAL, FEWEST = 100, 10
"""Examples of a property in the default profile of hypothesis, and of any in a smaller one."""


def examples(number: int) -> settings:
    """So many examples, without a deadline; in a profile of fewer examples as large a share of them."""
    share = settings().max_examples / USUAL
    return settings(max_examples=max(FEWEST, round(number * share)), deadline=None)
