"""Viral fragments over the nights: candidates, counts, cuts made and taken back."""
