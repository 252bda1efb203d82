"""Differences of two texts, shown to people and to the language model."""
