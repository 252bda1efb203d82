"""Helpers of the tests: runs of flows, made snapshots, judges and servers of their own."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""
