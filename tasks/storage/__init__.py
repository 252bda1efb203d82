"""Storage: content-addressed Parquet tables, parts, arrays, spill files, checksums."""
