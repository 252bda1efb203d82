"""Edits of short texts: disguises, decoration, slips of the keyboard, and facts changed."""
