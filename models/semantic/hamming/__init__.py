"""Hamming join: all pairs of codes within a radius, stars where they are too many."""
