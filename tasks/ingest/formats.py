"""Input formats by extension, apart from their readers, which take long to import."""

FORMATS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "tsv",
    ".txt": "txt",
}
NAMES = f"{', '.join(dict.fromkeys(FORMATS.values()))} (text formats also as .gz or .zst)"
"""As forms and `--help` name them."""
