"""Encoding: model bundle, embeddings, signatures."""
