"""Compiling of all kernels ahead of a run, from a page of what each is given."""
