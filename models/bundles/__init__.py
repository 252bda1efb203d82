"""Trained weights that ship with the project."""
