"""Encoders: student, teacher, and the blind one of the lexical lane."""
