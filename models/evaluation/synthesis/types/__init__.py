"""Pairs of each redundancy type, of look-alikes, and of unrelated documents."""
