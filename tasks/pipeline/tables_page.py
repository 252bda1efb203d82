"""Page on all tables, docs/tables.md, written from registry and schemas: `python -m tasks.pipeline.tables_page`."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from data_contracts.schema import Column, Table, words
from data_contracts.schemas import REVIEWS, SNAPSHOT, VERDICTS
from tasks.pipeline.registry import BESIDE, REFRESH_STAGES, STAGES, Row

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tables.md"
HEAD = """# Tables

Written from `tasks/pipeline/registry.py` and `data_contracts/schemas.py` by `python -m tasks.pipeline.tables_page`; a
test holds the page to them, and every table is held to its columns and types when it is written. A question mark behind
a type says that the column may be null. Contracts in `data_contracts/contracts.py` say what else must be true.
"""
WORKING = """## Between stages

Parquet files under `WORKSPACE/tables/<table>-<fingerprint>/`. Numbers of documents hold within a workspace and an
index; what is published names documents by their ids.
"""
SHOWN = """## In a snapshot

Folders under `OUT/snapshots/<id>/`. The index beside them holds `documents`, `extras`, `embeddings`, `signatures`,
`windows` and `frequencies` as they are above.
"""
KEPT = """## Kept beside snapshots and tables

`OUT/reviews.parquet` and the answers of language models in the workspace.
"""

LIKE = 6
"""Columns that two tables must share for one to be told by the other."""


def page() -> str:
    """The page as it must be."""
    working, seen = _working(), [*SNAPSHOT.values(), REVIEWS, VERDICTS]
    tables = [*(table for table, _ in working), *seen]
    sections = [_section(table, _makers(rows), tables[:at]) for at, (table, rows) in enumerate(working)]
    others = [_section(table, "", tables[:at]) for at, table in enumerate(seen, start=len(working))]
    shown, kept = others[: len(SNAPSHOT)], others[len(SNAPSHOT) :]
    return "\n".join([HEAD, WORKING, *sections, SHOWN, *shown, KEPT, *kept])


def _working() -> list[tuple[Table, list[Row]]]:
    """Tables between stages, each with the rows that make it."""
    found: list[tuple[Table, list[Row]]] = []
    rows = [*STAGES, *(row for row in REFRESH_STAGES if row.instead_of), *BESIDE]
    for table, row in ((table, maker) for maker in rows for table in maker.tables):
        for known, makers in found:
            if known.name == table.name and known.types == table.types:
                makers.append(row)
                break
        else:
            found.append((table, [row]))
    return found


def _makers(rows: Iterable[Row]) -> str:
    told = (f"`{row.name}`{' of a refresh' if row.instead_of else ''} ({row.title})" for row in rows)
    return f"Made by {', '.join(dict.fromkeys(told))}."


def _section(table: Table, makers: str, before: Sequence[Table]) -> str:
    lines = [f"### {table.name}", "", f"One row: {table.grain}. {makers}".strip(), ""]
    base = max(before, key=lambda one: len(_shared(table, one)), default=table)
    shared = _shared(table, base) if len(_shared(table, base)) >= LIKE and base.name != table.name else {}
    if shared:
        left_out = ", ".join(f"`{name}`" for name in base.columns if name not in shared)
        lines += [f"Columns of `{base.name}`{f' but for {left_out}' if left_out else ''}.", ""]
    rows = [
        f"| `{name}` | {words(table.schema[name])}{'?' if column.null else ''} | {column.says} |"
        for name, column in table.columns.items()
        if name not in shared
    ]
    if rows:
        lines += ["| column | type | what |", "|---|---|---|", *rows, ""]
    if table.others:
        lines += ["Beside these the columns of the user." if table.columns else "The columns of the user.", ""]
    return "\n".join(lines)


def _shared(table: Table, other: Table) -> dict[str, Column]:
    """Columns that two tables have alike."""
    return {name: column for name, column in table.columns.items() if other.columns.get(name) == column}


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
