"""Self-supervised labelled pairs from any corpus: duplicates of types A to D, and look-alikes that must be kept."""

from models.evaluation.synthesis.synthesis import shortfall, synthesise

__all__ = ["shortfall", "synthesise"]
