"""Hosts of a passage: which are looked at, whether they are kin, and how viral that makes it."""
