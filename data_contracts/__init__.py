"""Data contracts: schemas and expectations of tables; what must be true of a table, never how it was made."""
