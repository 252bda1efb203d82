"""Synthesis of labelled pairs from any corpus: duplicates of types A to D, and look-alikes that must be kept."""

from models.evaluation.synthesis.synthesis import FAMILIES, TYPES, WEIGHTS, shortfall, synthesise

__all__ = ["FAMILIES", "TYPES", "WEIGHTS", "shortfall", "synthesise"]
