"""Input formats as forms and `--help` name them; `tasks.ingest.readers` reads them, but is slow to import."""

FORMATS = "jsonl(.gz, .zst), parquet, csv, tsv, txt"
