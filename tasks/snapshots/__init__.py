"""Snapshots: layout and locks, build, history, rollback, garbage collection."""
