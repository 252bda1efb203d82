"""The workflow on several processes and on clusters, with workers that die."""
