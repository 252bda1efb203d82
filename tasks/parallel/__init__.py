"""Parallel work: parts of a table over threads, processes or a cluster."""
