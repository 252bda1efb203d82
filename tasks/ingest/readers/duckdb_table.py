"""Reader of a table or view of a DuckDB file: `corpus.duckdb::pages`, or the file alone where it has just one."""

from collections.abc import Iterator

import duckdb
import pyarrow as pa

from tasks.ingest.discover import InputFile
from tasks.ingest.readers.batch import Columns, Raw
from tasks.ingest.readers.columnar import check_schema, first_line, raw_rows
from tasks.runtime.errors import InputError

KEPT_BY_NO_OTHER = ("BIT", "BIGNUM", "UHUGEINT", "TIME WITH TIME ZONE")
"""Types that DuckDB itself turns into others, or cuts, when it hands rows out."""


def names(file: InputFile, rows: int) -> list[str]:
    """Columns of the table."""
    with _opened(file) as con:
        return _table(con, file).columns


def read(file: InputFile, columns: Columns, batch_rows: int) -> Iterator[Raw]:
    """Read rows in the order of the table.

    Raises:
        InputError: The file cannot be opened, it has no such table, or a column is missing or cannot be kept.
    """
    with _opened(file) as con:
        table = _table(con, file)
        for name, kind in zip(table.columns, map(str, table.types), strict=True):
            if any(odd in kind for odd in KEPT_BY_NO_OTHER):
                raise InputError(f"{file.told}: column '{name}' holds {kind}, which cannot be kept: cast it")
        reader = table.to_arrow_reader(batch_rows)
        check_schema(reader.schema, columns, file.told)
        done = 0
        for batch in reader:
            yield raw_rows(file.told, pa.Table.from_batches([batch]), done, columns)
            done += batch.num_rows


def _opened(file: InputFile) -> duckdb.DuckDBPyConnection:
    try:
        # A view of somebody else's must not read our files.
        return duckdb.connect(str(file.path), read_only=True, config={"enable_external_access": False})
    except duckdb.Error as error:
        raise InputError(f"{file.told} cannot be opened: {first_line(error)}") from error


def _table(con: duckdb.DuckDBPyConnection, file: InputFile) -> duckdb.DuckDBPyRelation:
    known = [name for (name,) in con.sql("show tables").fetchall()]
    wanted = file.table or (known[0] if len(known) == 1 else None)
    if wanted is None or wanted not in known:
        said = f"has no table '{wanted}'" if wanted else "has several tables, name one as FILE::TABLE" if known else ""
        raise InputError(f"{file.told} {said or 'has no table'}; its tables are: {', '.join(known) or 'none'}")
    return con.table('"' + wanted.replace('"', '""') + '"')
