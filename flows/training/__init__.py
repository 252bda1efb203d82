"""Flows that train what ships with the package, and what they ask for."""
