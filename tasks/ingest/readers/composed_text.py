"""Composed text: of columns such as question and answer, or of the turns of a conversation.

All strings and numbers that a value holds are its text, in their order, but for those of a turn that only say who
speaks. Of an object within a turn, as a call of a tool, nothing is left out, and its keys say something, too.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tasks.ingest.readers.batch import LARGE, Columns, as_text
from tasks.runtime.errors import InputError

SILENT = ("role", "from", "type", "id", "tool_call_id", "index", "weight")
"""Keys of a turn, or of an item of a list in it, that are no part of what is said in it."""
BETWEEN_TURNS, WITHIN_TURN = "\n\n", "\n"


def text_of_values(values: Iterable[Any]) -> str:
    """Text of the values of a row that came as JSON."""
    return _text_of_value([*values], 0)


def text_of(read: Mapping[str, pa.Array], columns: Columns) -> pa.Array:
    """Text of rows whose columns are all texts: one of these, or made of some."""
    parts = {name: read[name] for name in columns.parts}
    return text_of_columns("", parts) if parts else read[columns.text]


def text_of_columns(file: str, columns: Mapping[str, pa.Array]) -> pa.Array:
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
        text = _text_of_column(column, 0)
        if text is None:
            raise InputError(f"{file}: column '{name}' holds {column.type}, neither text nor turns that hold some")
        texts.append(text)
    return _beside(texts, BETWEEN_TURNS)


def _text_of_value(value: Any, level: int) -> str:
    """Text of a value with so many objects around it that are values of a key themselves."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return BETWEEN_TURNS.join(filter(None, (_text_of_value(one, level) for one in value)))
    if isinstance(value, dict):
        held = ((name, _text_of_value(one, level + isinstance(one, dict))) for name, one in value.items())
        said = ((name, text) for name, text in held if text and not _is_silent(name, level))
        return WITHIN_TURN.join(f"{name}: {text}" if level else text for name, text in said)
    if isinstance(value, bool):
        return str(value).lower() if level else ""
    return str(value) if isinstance(value, int | float) else ""


def _is_silent(name: str, level: int) -> bool:
    return level == 0 and name in SILENT


def _text_of_column(column: pa.Array, level: int) -> pa.Array | None:
    """`_text_of_value` of each row; None where nothing can be said in a column of that type."""
    kind, types = column.type, pa.types
    if types.is_integer(kind) or types.is_floating(kind) or (types.is_boolean(kind) and level):
        return column.cast(LARGE)
    if types.is_struct(kind):
        texts = []
        for field in kind:
            if _is_silent(field.name, level):
                continue
            text = _text_of_column(pc.struct_field(column, field.name), level + types.is_struct(field.type))
            if text is not None:
                texts.append(_named(field.name, text) if level else text)
        return _beside(texts, WITHIN_TURN) if texts else None
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        items = _text_of_column(column.flatten(), level)
        return None if items is None else _in_a_row(items, pc.list_value_length(column).fill_null(0).to_numpy())
    return as_text(column)


def _beside(texts: list[pa.Array], between: str) -> pa.Array:
    """Texts of several columns joined row by row; what is null or empty leaves no gap."""
    [made, *others] = (text.fill_null("") for text in texts)
    for other in others:
        both = pc.and_(_holds(made), _holds(other))
        made = pc.binary_join_element_wise(made, pc.if_else(both, between, "").cast(LARGE), other, pa.scalar("", LARGE))
    return made


def _named(name: str, texts: pa.Array) -> pa.Array:
    """Texts behind the name of their key, where they say something."""
    named = pc.binary_join_element_wise(pa.scalar(f"{name}: ", LARGE), texts, pa.scalar("", LARGE))
    return pc.if_else(_holds(texts), named, pa.scalar(None, LARGE))


def _in_a_row(items: pa.Array, sizes: np.ndarray) -> pa.Array:
    """Texts of lists joined, of which each holds so many `items`."""
    there = _holds(items)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    kept = np.bincount(owner[there.to_numpy(zero_copy_only=False)], minlength=len(sizes))
    bounds = pa.array(np.concatenate([[0], np.cumsum(kept)]), pa.int64())
    return pc.binary_join(pa.LargeListArray.from_arrays(bounds, items.filter(there)), pa.scalar(BETWEEN_TURNS, LARGE))


def _holds(texts: pa.Array) -> pa.Array:
    return pc.greater(pc.binary_length(texts), 0).fill_null(False)
