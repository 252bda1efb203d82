"""Texts and pairs that tests make: look-alikes, hostile pairs, near copies, patterns, and what is told of them."""
