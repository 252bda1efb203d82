"""Content: words of a text that say something, and those that no other text holds."""
