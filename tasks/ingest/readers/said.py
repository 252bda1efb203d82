"""Text of columns that are none by themselves: question and answer, or the turns of a conversation.

All strings and numbers that a value holds are its text, in their order, but for those that only say who speaks.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tasks.ingest.readers.batch import LARGE, as_text
from tasks.runtime.errors import InputError

SILENT = ("role", "from", "type", "id", "tool_call_id", "index", "weight")
"""Keys of a turn that are no part of what is said in it."""
BETWEEN_TURNS, WITHIN_TURN = "\n\n", "\n"


def said_in(values: Iterable[Any]) -> str:
    """Text of the values of a row that came as JSON."""
    return BETWEEN_TURNS.join(filter(None, map(_said, values)))


def said_in_columns(file: str, columns: Mapping[str, pa.Array]) -> pa.Array:
    """Text of rows, made of columns of Arrow.

    Args:
        file: path to name in errors.
        columns: of n rows each, by name.

    Returns:
        large_string[n].

    Raises:
        InputError: nothing is said in a column of such a type.
    """
    texts = []
    for name, column in columns.items():
        text = _said_in(column)
        if text is None:
            raise InputError(f"{file}: column '{name}' holds {column.type}, neither text nor turns that hold some")
        texts.append(text)
    return _beside(texts, BETWEEN_TURNS)


def _said(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return said_in(value)
    if isinstance(value, dict):
        return WITHIN_TURN.join(filter(None, (_said(one) for name, one in value.items() if name not in SILENT)))
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _said_in(column: pa.Array) -> pa.Array | None:
    kind, types = column.type, pa.types
    if types.is_integer(kind) or types.is_floating(kind):
        return column.cast(LARGE)
    if types.is_struct(kind):
        fields = [field.name for field in kind if field.name not in SILENT]
        texts = [text for name in fields if (text := _said_in(pc.struct_field(column, name))) is not None]
        return _beside(texts, WITHIN_TURN) if texts else None
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        items = _said_in(column.flatten())
        return None if items is None else _in_a_row(items, pc.list_value_length(column).fill_null(0).to_numpy())
    return as_text(column)


def _beside(texts: list[pa.Array], between: str) -> pa.Array:
    """Texts of several columns joined row by row; what is null or empty leaves no gap."""
    [made, *others] = (text.fill_null("") for text in texts)
    for other in others:
        both = pc.and_(_holds(made), _holds(other))
        made = pc.binary_join_element_wise(made, pc.if_else(both, between, "").cast(LARGE), other, pa.scalar("", LARGE))
    return made


def _in_a_row(items: pa.Array, sizes: np.ndarray) -> pa.Array:
    """Texts of lists joined, of which each holds so many `items`."""
    there = _holds(items)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    kept = np.bincount(owner[there.to_numpy(zero_copy_only=False)], minlength=len(sizes))
    bounds = pa.array(np.concatenate([[0], np.cumsum(kept)]), pa.int64())
    return pc.binary_join(pa.LargeListArray.from_arrays(bounds, items.filter(there)), pa.scalar(BETWEEN_TURNS, LARGE))


def _holds(texts: pa.Array) -> pa.Array:
    return pc.greater(pc.binary_length(texts), 0).fill_null(False)
