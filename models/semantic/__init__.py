"""Meaning: encoder, projection hash, Hamming join."""
