"""Boundaries at which a text may be cut so that what is left reads well: of blocks, lines and sentences."""
