"""Language model as judge: selection of pairs, backends, endpoint, cache of verdicts."""
