"""Plan of a run before it begins: what a corpus will cost, from measured costs, and how far that was off."""
