"""Edits of long texts that leave every statement as it is, by family."""
