"""Input files → batches of rows. Every input row ends up in a batch or among the rejects, never in neither.

Formats: jsonl, csv and tsv (each also .gz and .zst), parquet, and txt (one document per file).
"""

from tasks.errors import InputError
from tasks.readers.batch import Batch, Reject
from tasks.readers.discover import InputFile, discover
from tasks.readers.ids import listed_ids
from tasks.readers.read import read, read_all
from tasks.readers.schema import harmonise

__all__ = ["Batch", "InputError", "InputFile", "Reject", "discover", "harmonise", "listed_ids", "read", "read_all"]
