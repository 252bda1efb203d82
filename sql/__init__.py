"""SQL statements: one file is one relation, named after it; read by room and name, run with named parameters.

Rooms: `stages` of a run; `refresh`, what only a refresh asks; `published`, tables of a snapshot; `contracts`.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any

import duckdb

_names: dict[str, frozenset[str]] = {}


class SqlError(RuntimeError):
    """A statement of this folder failed; the message holds its name, its parameters and its text."""


@cache
def read(name: str) -> str:
    """Return the text of `sql/<name>.sql`.

    Raises:
        KeyError: there is no such statement.
    """
    path = files(__name__) / f"{name}.sql"
    if not path.is_file():
        raise KeyError(f"no statement sql/{name}.sql")
    return path.read_text(encoding="utf-8")


def names(con: duckdb.DuckDBPyConnection, name: str) -> frozenset[str]:
    """Return the names of the `$parameters` that the statement uses, without the dollar sign.

    Raises:
        SqlError: the file does not parse, or holds another number of statements than one.
    """
    if name not in _names:
        try:
            statements = con.extract_statements(read(name))
        except duckdb.Error as error:
            raise SqlError(f"sql/{name}.sql does not parse: {error}") from error
        if len(statements) != 1:
            raise SqlError(f"sql/{name}.sql holds {len(statements)} statements instead of one")
        _names[name] = frozenset(statements[0].named_parameters)
    return _names[name]


def run(con: duckdb.DuckDBPyConnection, name: str, **parameters: Any) -> duckdb.DuckDBPyRelation:
    """Bind `sql/<name>.sql` and return its relation; it runs when it is fetched (`.pl()`, `.to_arrow_reader()`).

    Every parameter must be used: one that the statement does not know is a slip of the caller, not something to drop.

    Args:
        con: open connection; the statement sees its settings and registered frames.
        name: file in `sql/` without `.sql`, as in "stages/decisions".
        **parameters: value of each `$parameter`; a table is passed as a path, a glob or a list of paths.

    Raises:
        KeyError: there is no such statement.
        SqlError: a parameter is missing or unused, or DuckDB refused the statement.
    """
    with _running(con, name, parameters):
        return con.sql(read(name), params=parameters)


def rows(con: duckdb.DuckDBPyConnection, name: str, **parameters: Any) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Run `sql/<name>.sql` and return the names of its columns and its few rows; it is planned once. See `run`."""
    with _running(con, name, parameters):
        done = con.execute(read(name), parameters)
        return [column[0] for column in done.description], done.fetchall()


@contextmanager
def _running(con: duckdb.DuckDBPyConnection, name: str, parameters: Mapping[str, Any]) -> Iterator[None]:
    known = names(con, name)
    if known != parameters.keys():
        missing, unused = sorted(known - parameters.keys()), sorted(parameters.keys() - known)
        raise SqlError(f"sql/{name}.sql: parameters missing {missing}, unused {unused}")
    try:
        yield
    except duckdb.Error as error:
        raise SqlError(f"sql/{name}.sql failed: {error}\nparameters: {parameters}\n{read(name)}") from error
