"""Lexical similarity: normalised text, shingles, sketches, bands, containment, fragments."""
