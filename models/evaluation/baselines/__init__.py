"""Baselines: the methods that the paper compares itself with, as their users run them, and two plainer ones.

Each is a `Baseline` (`protocol.py`): prepared once per corpus, then asked for its outcome at any threshold. All read
texts as this project normalises them (NFKC, case folded, invisible code points gone), which is more than most of their
public implementations do and can only help them. Clusters are connected components of which the first document in the
order of the corpus is kept.
"""
