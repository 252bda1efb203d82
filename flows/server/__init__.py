"""A Prefect server on this machine: for one command, or with a worker and deployments until told to stop."""
