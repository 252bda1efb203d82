"""Evaluation of runs: metrics of the paper, planted canaries, baselines, labelled corpora."""
