"""What a schema is: the columns of a table with their types, what is in them, and what a row is about."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

import polars as pl

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


class SchemaError(RuntimeError):
    """A table has other columns than its schema says: a slip in the code that writes it, or in the schema."""


class Column(NamedTuple):
    """A column.

    Attributes:
        kind: its type; an array of 0 stands for one of any length.
        says: what is in it.
        null: may it be null?
    """

    kind: pl.DataType | type[pl.DataType]
    says: str
    null: bool = False


@dataclass(frozen=True)
class Table:
    """A table: its columns may come in any order.

    Attributes:
        name: of its folder.
        grain: what a row is about.
        columns: by name.
        others: may further columns stand beside these?
    """

    name: str
    grain: str
    columns: Mapping[str, Column] = field(default_factory=dict)
    others: bool = False

    @property
    def schema(self) -> pl.Schema:
        """The columns as a schema of Polars."""
        return pl.Schema({name: column.kind for name, column in self.columns.items()})

    @property
    def types(self) -> dict[str, str]:
        """The columns with their types in words."""
        return {name: words(kind) for name, kind in self.schema.items()}

    def only(self, grain: str, *names: str) -> "Table":
        """The same table with fewer columns."""
        return replace(self, grain=grain, columns={name: self.columns[name] for name in names})

    def named(self, name: str) -> "Table":
        """The same columns under another name."""
        return replace(self, name=name)

    def shape(self, rows: Frame) -> Frame:
        """Rows in the columns of the table, in their order and types."""
        return rows.select(list(self.columns)).cast(self.schema)

    def hold(self, found: Mapping[str, pl.DataType]) -> None:
        """See that columns which were found are those of the table.

        Raises:
            SchemaError: they are not; the message names each that differs.
        """
        expected = self.schema
        names = expected if self.others else {**expected, **found}
        wrong = [
            f"{name} must be {_told(expected, name)}, is {_told(found, name)}"
            for name in names
            if name not in expected or name not in found or not _fits(expected[name], found[name])
        ]
        if wrong:
            raise SchemaError(f"table {self.name}: {'; '.join(wrong)}")


def words(kind: pl.DataType) -> str:
    """A type in words: `int64`, `list of uint32`, `float16[384]`."""
    if isinstance(kind, pl.Array):
        return f"{words(_inner(kind))}[{kind.size or 'n'}]"
    if isinstance(kind, pl.List):
        return f"list of {words(_inner(kind))}"
    return str(kind).lower()


def _inner(kind: pl.Array | pl.List) -> pl.DataType:
    return kind.inner if isinstance(kind.inner, pl.DataType) else kind.inner()


def _fits(expected: pl.DataType, found: pl.DataType) -> bool:
    if isinstance(expected, pl.Array) and not expected.size:
        return isinstance(found, pl.Array) and _inner(found) == _inner(expected)
    return found == expected


def _told(columns: Mapping[str, pl.DataType], name: str) -> str:
    return words(columns[name]) if name in columns else "absent"
