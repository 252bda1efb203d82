"""Measures of a pair of documents: what their texts share, and what differs."""
