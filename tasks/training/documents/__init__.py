"""Model card and training page of a bundle."""
