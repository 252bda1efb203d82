"""Volatile places by kind: the only facts that may differ between two copies of one text."""
