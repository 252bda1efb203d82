"""Bullets: signs before the items of a list."""

BULLETS = tuple(map(ord, "-*+·–•‣▪●◦"))
"""Code points, as literals for kernels."""
