"""Labelled corpora out of any texts: groups of copies, look-alikes, planted passages, unrelated documents."""
