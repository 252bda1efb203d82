"""Compiling of all kernels ahead of a run, from a page of the types that each is given."""
