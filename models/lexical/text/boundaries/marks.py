"""Marks of positions of a text: bits that tell where it may be cut, and what must stay."""

BOUNDARY, BARRED, HEADS, LEADS, ASKS, CLOSED, BLOCK = 1, 2, 4, 8, 16, 32, 64
"""Marks of a position: a line, sentence or block begins here; it is part of what is never cut; a heading begins here;
what begins here leads to what follows, so is not cut without it; it ends with a colon, so that what comes next must
stay; what begins here belongs to no section before it; a block begins here, or a line in a text without blank lines."""
