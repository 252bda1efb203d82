"""Source code as data: what a name is made of, so that a table or a compiled kernel is used for exactly that code."""
