"""Verification of candidate pairs on their texts."""
