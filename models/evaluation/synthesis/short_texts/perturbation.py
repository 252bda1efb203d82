"""What one disturbance of a short text is, and how words are chosen for it."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from models.evaluation.synthesis.material.splitting import open_words, splice

STRENGTH = 0.2
"""Share of the words that one perturbation touches at most, beyond the first."""


class Perturbation(NamedTuple):
    """One change of characters, or of what stands around a short text.

    Attributes:
        name: unique among all perturbations.
        family: as of an operator.
        change: from a text, the words known to the corpus and random numbers to the changed text.
        lossy: are letters lost that a reader has to guess? Such changes come first and are bounded together.
    """

    name: str
    family: str
    change: Callable[[str, Counter[str], Random], str]
    lossy: bool = False


def on_words(
    text: str, rng: Random, change: Callable[[str], str], shortest: int = 4, strength: float = STRENGTH
) -> str:
    """Change a few words, at least one."""
    words = open_words(text, shortest)
    most = 1 + int(strength * len(words))
    chosen = rng.sample(words, min(rng.randint(1, most), len(words)))
    return splice(text, [(*found.span(), change(found[0])) for found in chosen])
