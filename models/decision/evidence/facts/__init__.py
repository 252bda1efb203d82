"""Facts that two texts state: numbers, negations, names, units; and what of them may differ between copies."""
