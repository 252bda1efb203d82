"""Refresh: new arrivals against what is published."""
