"""What makes a labelled pair."""

from collections.abc import Callable
from random import Random
from typing import Literal, NamedTuple

from models.evaluation.synthesis.material import Material

Source = Literal["prose", "long", "short"]


class Made(NamedTuple):
    """Two texts and how they came about: names of operators joined by "+", or None for the operator's own name."""

    text_a: str
    text_b: str
    how: str | None = None


Make = Callable[[str, int, Material, Random], Made | None]
"""From a text, the document that it comes from, the corpus and a stream of random numbers; None where it does not
suit."""


class Operator(NamedTuple):
    """One way to make pairs of one type.

    Attributes:
        type: A to F, N.
        name: of the operator, unique within its type.
        source: what it works on: a document in prose, any document from 300 characters, a short text.
        make: makes the pair.
    """

    type: str
    name: str
    source: Source
    make: Make

    @property
    def duplicate(self) -> bool:
        """May one text of the pair go?"""
        return self.type in "ABCD"
