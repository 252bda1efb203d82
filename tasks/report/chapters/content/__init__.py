"""Chapters on the text: what went, what was lost, beside what stayed."""
