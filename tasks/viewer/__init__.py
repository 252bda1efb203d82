"""Viewer of a published snapshot in a browser: all its pairs, its report, and review by key.

It answers this machine only and changes nothing but the file of the reviews. `app` has the routes, `pairs` asks DuckDB
for pairs, `desk` holds the state of a review, `pages` are the pages.
"""
