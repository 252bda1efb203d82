"""Fragments: passages repeated across documents, found by suffix order, and how viral they are."""
