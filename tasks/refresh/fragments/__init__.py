"""Viral fragments of a refresh: candidates, counts, cuts made and taken back."""
