"""Fragments: passages that many unrelated documents hold, from their search to what is cut out of whom."""
