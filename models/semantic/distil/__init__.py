"""Distillation: passages, word vectors and losses that make a student of a teacher."""
