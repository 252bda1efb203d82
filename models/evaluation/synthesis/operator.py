"""What makes a labelled pair, and the edits that several of them share."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from models.evaluation.synthesis.material.material import Material, Source


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
        family: of operators that go together; whoever leaves a family out leaves all of them out.
        source: what it works on: a document in prose, any document from 300 characters, a short text.
        make: makes the pair.
    """

    type: str
    name: str
    family: str
    source: Source
    make: Make

    @property
    def duplicate(self) -> bool:
        """May one text of the pair go?"""
        return self.type in "ABCD"


class Edit(NamedTuple):
    """One change that leaves every statement of a long text as it is.

    Attributes:
        name: unique among all edits.
        family: as of an operator.
        stage: edits are applied in rising order, so that what wraps a text comes after what changes its words.
        change: from a text, the corpus and random numbers to the changed text; the text itself where it does not suit.
        volatile: does it add what differs from one copy of a text to the next (a stamp, a counter)?
    """

    name: str
    family: str
    stage: int
    change: Callable[[str, Material, Random], str]
    volatile: bool = False


WORDS, SENTENCES, LAYOUT, AROUND, CARRIER = range(5)
"""Stages of edits."""
