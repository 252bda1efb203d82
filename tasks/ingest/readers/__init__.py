"""Input files → batches of rows. Every input row ends up in a batch or among the rejects, never in neither.

Formats: jsonl, csv and tsv (each also .gz and .zst), parquet, and txt (one document per file).
"""

from tasks.ingest.readers.batch import Batch, Reject
from tasks.ingest.readers.discover import InputFile, discover
from tasks.ingest.readers.ids import listed_ids
from tasks.ingest.readers.read import read, read_all
from tasks.ingest.readers.schema import harmonise
from tasks.runtime.errors import InputError

__all__ = ["Batch", "InputError", "InputFile", "Reject", "discover", "harmonise", "listed_ids", "read", "read_all"]
