"""Wording: normalised text, shingles, sketches, bands, containment, fragments."""
