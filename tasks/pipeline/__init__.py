"""What the flows consist of: the registry of their stages."""
