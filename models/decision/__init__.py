"""Decisions on pairs of documents: evidence, verifier, rules, language model."""
