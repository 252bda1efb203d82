"""Sketches: shingles, their weights, MinHash, bands, Bloom filter, containment samples, exact Jaccard."""
