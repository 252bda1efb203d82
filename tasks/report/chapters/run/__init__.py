"""Chapters on the run: how it ended, its stages, checks, settings and costs."""
