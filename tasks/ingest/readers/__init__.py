"""Readers of input files → batches of rows. Every input row ends up in a batch or among the rejects, never in neither.

Each format has a module with two functions: `read` gives its rows, `names` looks which columns a file has.
"""

from tasks.ingest.discover import InputFile, discover
from tasks.ingest.readers.batch import Batch, Columns, Reject
from tasks.ingest.readers.ids import listed_ids
from tasks.ingest.readers.read import column_names, id_column_of, read, read_all
from tasks.ingest.readers.schema import harmonise
from tasks.runtime.errors import InputError

__all__ = [
    "Batch",
    "Columns",
    "InputError",
    "InputFile",
    "Reject",
    "column_names",
    "discover",
    "harmonise",
    "id_column_of",
    "listed_ids",
    "read",
    "read_all",
]
