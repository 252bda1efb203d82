"""Candidate pairs: Hamming blocks, LSH bands, containment samples, and their merge."""
