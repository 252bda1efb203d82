"""How good a run was: metrics of the paper and planted canaries."""
