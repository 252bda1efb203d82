"""Benchmark: the paper's table on a labelled corpus, its costs, and how it is shown."""
