"""Tests: folders mirror the code, helpers stand in `support`."""
