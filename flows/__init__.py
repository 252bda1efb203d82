"""The flows read like the method section of the paper; they only call tasks."""
