"""Spelling: the same word in other letters, spaced apart, or with slips of the keyboard."""
