"""Phrases: clauses, stock phrases and translated lines that make a text another form of what the other one says."""
