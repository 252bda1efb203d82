"""Edges of texts: what a site puts around its pages, as teasers, stamps of time and templates, and where it ends."""
