"""Rules on measures: type and verdict of a pair, survivors, removals that are called off."""
