"""CSV sheet of pairs to be decided, written for a spreadsheet and read back with the labels."""

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from models.decision.llm_judge.prompt import LABELS
from tasks.explain.differences import compare
from tasks.explain.terminal import bracketed
from tasks.explain.wording import shortened
from tasks.review.queue import Borderline
from tasks.runtime.errors import InputError
from tasks.runtime.visible import visible
from tasks.storage.atomic import atomic_path

WANTED = ("doc_id_a", "doc_id_b", "label")
HEAD = (*WANTED, "note", "p_dup", "sigma", "judge_label", "p_final", "text_a", "text_b")
LONGEST = 2000
"""Code points of a text in a cell; a spreadsheet takes 32,767."""
ACTIVE = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")
"""Beginnings of a cell that a spreadsheet may compute instead of show, and the sign that stops it from doing so."""
NAMED = 5


class Filled(NamedTuple):
    """Row with a label."""

    doc_id_a: str
    doc_id_b: str
    label: str
    note: str


def export(path: Path, pairs: Iterable[Borderline]) -> int:
    """Write pairs with an empty column `label`, what differs in brackets; returns how many there were."""
    return write_sheet(path, HEAD, map(_row, pairs))


def write_sheet(path: Path, head: Sequence[str], rows: Iterable[list[str]]) -> int:
    """Write a CSV as spreadsheets take it; returns how many rows there were."""
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8-sig", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(head)
        return len([sheet.writerow(row) for row in rows])


def _row(pair: Borderline) -> list[str]:
    found = compare(pair.text_a, pair.text_b)
    texts = (shortened(visible(bracketed(side)), LONGEST) for side in (found.one, found.other))
    told = (f"{pair.p_dup:.3f}", f"{pair.sigma:.3f}", pair.judge_label or "", _figure(pair.p_final))
    return [*map(inert, (pair.doc_id_a, pair.doc_id_b)), "", "", *told, *map(inert, texts)]


def read(path: Path) -> list[Filled]:
    """Rows that have a label; those that were left empty are still undecided.

    Raises:
        InputError: there is no such file, it is no CSV with these columns, or labels are not known.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            sheet = csv.DictReader(file, restval="")
            missing = [name for name in WANTED if name not in (sheet.fieldnames or ())]
            if missing:
                raise InputError(f"{path}: no column {', '.join(missing)}; needed are {', '.join(WANTED)}, note if any")
            rows = [(sheet.line_num, row) for row in sheet]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    labelled = [(line, row | {"label": row["label"].strip().lower()}) for line, row in rows if row["label"].strip()]
    bad = [f"line {line}: '{visible(row['label'])}'" for line, row in labelled if row["label"] not in LABELS]
    if bad:
        told = f"{', '.join(bad[:NAMED])}{' and more' if len(bad) > NAMED else ''}"
        raise InputError(f"{path}: labels must be {', '.join(LABELS)} or empty, not {told}; nothing was taken over")
    columns = (*WANTED, "note")
    return [Filled(*(active(row.get(name) or "") for name in columns)) for _, row in labelled]


def inert(cell: str) -> str:
    """A cell that no spreadsheet computes and no terminal obeys; `active` gives back what it was."""
    if visible(cell) != cell or _coded(cell) is not None:
        return json.dumps(cell).replace("\x7f", "\\u007f")
    return f"'{cell}" if cell.startswith(ACTIVE) else cell


def active(cell: str) -> str:
    """Value of a cell before `inert`."""
    if (value := _coded(cell)) is not None:
        return value
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(ACTIVE) else cell


def _coded(cell: str) -> str | None:
    """Value of a cell that is a string of JSON, as one with control characters is written."""
    if not cell.startswith('"'):
        return None
    try:
        return str(json.loads(cell))
    except ValueError:
        return None


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
