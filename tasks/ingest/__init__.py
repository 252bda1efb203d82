"""Ingest: input files to documents, exact duplicates, canaries, frequencies, Bloom pre-screen."""
