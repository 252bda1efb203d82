"""Neighbours in meaning: which texts are each other's nearest, whatever words they are in."""
