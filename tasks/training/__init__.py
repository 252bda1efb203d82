"""Training: corpus → passages, teacher vectors, student, hashes, pairs, verifier → bundle."""
