"""The judge at a real server of a small language model, which is also interrupted, cut off and killed."""
