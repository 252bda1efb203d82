"""Semantic similarity: encoder, projection hash, Hamming join."""
