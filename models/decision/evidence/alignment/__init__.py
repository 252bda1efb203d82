"""Alignment of two texts word by word: equal runs, what differs between them, and the places where it does."""
