"""Data quality: contracts of tables, estimates from planted documents, text that was lost."""
