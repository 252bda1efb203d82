"""Pipeline: tables of a run, metrics of its stages, and the version of each."""
