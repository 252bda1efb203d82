"""Semantic projection hashing: hyperplanes, how they are learned, how good they are."""
