"""Workspace in an object store: mirror, write lease, scratch folders and jobs of remote workers."""
