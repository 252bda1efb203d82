"""Flows of Prefect and the command line: they read like the method section of the paper and only call tasks."""
