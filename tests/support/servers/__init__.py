"""Servers and judges that tests put in the place of real ones."""
