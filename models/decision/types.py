"""Redundancy types and verdicts: what a pair of documents is, and which of the two may go."""

from enum import StrEnum


class RedundancyType(StrEnum):
    """Redundancy type of a pair."""

    A = "A"
    """The same content in another template."""
    B = "B"
    """A lightly edited copy."""
    C = "C"
    """A short text with changed characters."""
    D = "D"
    """One contained in the other."""
    F = "F"
    """Look-alikes with other facts, to be kept."""
    P = "P"
    """A rewrite: the same said in other words, found by meaning alone."""
    VARIANT = "variant"
    """As close in meaning as a duplicate among the pairs that share wording."""
    NONE = "none"


class Verdict(StrEnum):
    """Which document of a pair a < b may go."""

    EITHER = "either"
    IN_A = "b_in_a"
    """b may go: a holds what it says."""
    IN_B = "a_in_b"
    """a may go: b holds what it says."""
    VARIANT = "variant"
    """Neither, for they say the same in other words."""
    DISTINCT = "distinct"


COPIES = (RedundancyType.A, RedundancyType.B, RedundancyType.C)
"""Types of which either document may go."""
DUPLICATES = (*COPIES, RedundancyType.D)
"""Types of which one document may go."""
REMOVES = (Verdict.EITHER, Verdict.IN_A, Verdict.IN_B)
"""Verdicts by which a document may go."""
KNOWN_OF_PAIRS = {"types": [*map(str, RedundancyType)], "verdicts": [*map(str, Verdict)]}
"""Words that columns of a pair may hold, as parameters of contracts."""
KNOWN_OF_DECISIONS = {"types": ["exact", *map(str, DUPLICATES), "E", str(RedundancyType.P)]}
"""The same of a decision: beside types of pairs, equal texts and viral fragments."""
