"""Input formats: a row here and a module in `tasks/ingest/readers` each; those take long to import, this does not."""

from pathlib import PurePath
from typing import NamedTuple


class Format(NamedTuple):
    """Input format.

    Attributes:
        name: as users read it.
        reader: module in `tasks.ingest.readers` with `read(file, columns, batch_rows)` and `names(file, rows)`.
        extensions: by which files of it are known.
        compressed: may it stand in one of `COMPRESSIONS`?
    """

    name: str
    reader: str
    extensions: tuple[str, ...]
    compressed: bool = True


FORMATS = (
    Format("jsonl", "jsonl", (".jsonl", ".ndjson", ".json")),
    Format("parquet", "parquet", (".parquet", ".pq"), compressed=False),
    Format("arrow", "arrow", (".arrow", ".feather", ".ipc"), compressed=False),
    Format("csv", "delimited", (".csv",)),
    Format("tsv", "delimited", (".tsv",)),
    Format("warc", "warc", (".warc", ".wet")),
    Format("duckdb", "duckdb_table", (".duckdb", ".ddb"), compressed=False),
    Format("txt", "plain_text", (".txt",)),
)
COMPRESSIONS = (".gz", ".zst", ".bz2", ".xz")
NAMES = f"{', '.join(form.name for form in FORMATS)} (text formats also as {', '.join(COMPRESSIONS)})"
"""As forms and `--help` name them."""


def format_of(path: PurePath) -> Format | None:
    """Format by extension, one of `COMPRESSIONS` at the end looked through; None when it is not one that is read."""
    packed = path.suffix.lower() in COMPRESSIONS
    extension = (path.with_suffix("") if packed else path).suffix.lower()
    known = (form for form in FORMATS if extension in form.extensions and (form.compressed or not packed))
    return next(known, None)
