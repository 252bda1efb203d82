"""Demonstration corpus."""
