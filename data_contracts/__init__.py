"""What must be true of a table, never how it was made."""
