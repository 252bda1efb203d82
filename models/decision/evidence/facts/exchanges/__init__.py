"""Exchanged facts: where two matched texts differ, and whether what differs makes another record of them."""
