"""User's columns: kept apart from what stages work on, in the types in which they came, and put in order.

They pass through Arrow only. Neither DuckDB nor Polars gives back every type and name that Arrow and Parquet have.
"""

import polars as pl
import pyarrow as pa

from models.parameters import Extract
from tasks.ingest.readers.batch import TEXT_PLACE
from tasks.ingest.readers.schema import cast

DOC = "semhash_doc"
"""Number of the document whose columns stand in a row."""
FILE, ROW = "semhash_file", "semhash_row"
"""Where it stood in the input: the file as it is called below what the user named, and the row in it."""


def published_rows(extract: Extract, documents: pl.DataFrame, columns: pa.Table) -> pa.Table:
    """Published rows: the user's columns in their order, with the text in its place, behind an id that was derived.

    Args:
        extract: how the columns are called.
        documents: `doc_id` and `text`.
        columns: those of the user in the same rows, `DOC` among them.
    """
    made: dict[str, pa.Array | pa.ChunkedArray] = {}
    if not extract.id_column:
        made[extract.id_name] = documents["doc_id"].to_arrow()
    for name in columns.column_names:
        if name == TEXT_PLACE:
            made[extract.text_column] = _texts(documents["text"], columns.schema.field(name).type)
        elif name not in (DOC, FILE, ROW):
            made.setdefault(name, columns[name])
    return pa.table(made)


def _texts(texts: pl.Series, kind: pa.DataType) -> pa.ChunkedArray:
    whole = texts.to_arrow()
    size = max(1, len(whole) * (1 << 30) // max(whole.nbytes, 1))
    parts = [cast(pa.chunked_array([whole.slice(first, size)]), kind) for first in range(0, len(whole), size)]
    return pa.chunked_array([chunk for part in parts for chunk in part.chunks], kind)
