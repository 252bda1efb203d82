"""Prefect tasks: open tables, call pure functions, write one table and return its reference."""
