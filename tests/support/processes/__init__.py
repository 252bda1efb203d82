"""Processes that tests start, kill and talk to."""
