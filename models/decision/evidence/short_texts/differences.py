"""Differences of two short texts, as bits: what makes two texts of them, and which of them says more."""

REPLACED, SIGN, ADDED_FACT, ADDED_INSIDE, ADDED_OUTSIDE, ADDED_BOTH, ADDED_MOST, DIGIT, FACT_CHANGED, CHANGED = (
    1 << bit for bit in range(10)
)
"""What makes two texts of two: a word in place of another; the sign of a number or within one; words that one side has
by itself, which state a fact, or are too many inside or around the text, or on both sides, or too much; in a word
that both have, a digit, a fact, or letters that make another word."""

ONLY_A, ONLY_B = 1, 2
"""Which of two texts says something by itself, beyond tags and fillers, so that it is the one to stay."""
