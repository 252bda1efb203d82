"""The method of the paper: pure functions, kernels and networks (not ORM rows, not weights).

Nothing here knows of Prefect, DuckDB, the clock or any path beyond a bundle and compiled kernels.
"""
