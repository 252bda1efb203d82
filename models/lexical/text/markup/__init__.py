"""Markup and layout in raw text: escapes, references, bullets, pages, source code, words that are layout."""
