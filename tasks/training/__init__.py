"""What the `train` flow does: corpus → passages, teacher vectors, student, hashes, pairs, verifier → bundle."""
