"""Answers of an audit: a CSV beside the snapshots, one file per seed of the sample."""

import csv
import getpass
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tasks.audit.cases import Case
from tasks.review.csv_sheet import active, inert
from tasks.runtime.errors import InputError
from tasks.runtime.visible import visible
from tasks.storage.atomic import atomic_path

FOLDER = "audits"
RIGHT, WRONG, UNSURE = "right", "wrong", "unsure"
ANSWERS = (RIGHT, WRONG, UNSURE)
HEAD = ("snapshot", *Case._fields, "answer", "note", "reader", "time")
WANTED = ("kind", "doc_id", "other_id", "start", "end", "answer")
NAMED = 5

Key = tuple[str, str, str, int, int]


class Answer(NamedTuple):
    """What somebody said of a case; `time` is UTC, ISO 8601."""

    case: Case
    answer: str
    note: str
    reader: str
    time: str


class Filled(NamedTuple):
    """A row of a sheet with an answer."""

    key: Key
    answer: str
    note: str


def path_of(out: Path, seed: int) -> Path:
    """File of the answers about the sample of a seed."""
    return out / FOLDER / f"{seed}.csv"


def now(case: Case, answer: str, note: str = "") -> Answer:
    """Answer of the user of this process on a case, as of now."""
    try:
        reader = getpass.getuser()
    except (OSError, KeyError):  # a container may know no name for its user
        reader = "unknown"
    return Answer(case, answer, note, reader, datetime.now(UTC).isoformat(timespec="seconds"))


def load(path: Path, snapshot: str) -> dict[Key, Answer]:
    """Answers of a file, by case, in the order in which they were given; none where there is no file.

    Raises:
        InputError: the file cannot be read, or is about another snapshot.
    """
    found: dict[Key, Answer] = {}
    for _, row in _rows(path, HEAD) if path.exists() else ():
        if row["snapshot"] != snapshot:
            raise InputError(
                f"{path} holds answers about snapshot {row['snapshot']}, not {snapshot}: take another --seed"
            )
        case = Case(
            kind=row["kind"],
            stratum=row["stratum"],
            source=row["source"],
            doc_id=row["doc_id"],
            other_id=row["other_id"],
            start=int(row["start"]),
            end=int(row["end"]),
        )
        found[case.key] = Answer(case, row["answer"], row["note"], row["reader"], row["time"])
    return found


def keep(path: Path, snapshot: str, answers: Iterable[Answer]) -> None:
    """Write all answers in one step."""
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8-sig", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(HEAD)
        for one in answers:
            cells = (snapshot, *map(str, one.case), one.answer, one.note, one.reader, one.time)
            sheet.writerow([*map(_cell, cells)])


def read(path: Path) -> list[Filled]:
    """Rows of a sheet that have an answer.

    Raises:
        InputError: there is no such file, it is no CSV with these columns, or answers are not known.
    """
    labelled, bad = [], []
    for line, row in _rows(path, WANTED):
        said = row["answer"].strip().lower()
        if not said:
            continue
        if said not in ANSWERS or not all(_is_number(row[name]) for name in ("start", "end")):
            bad.append(f"line {line}: '{visible(row['answer'])}'")
            continue
        key = (row["kind"], row["doc_id"], row["other_id"], int(row["start"]), int(row["end"]))
        labelled.append(Filled(key, said, row.get("note", "")))
    if bad:
        told = f"{', '.join(bad[:NAMED])}{' and more' if len(bad) > NAMED else ''}"
        raise InputError(f"{path}: answers must be {', '.join(ANSWERS)} or empty, not {told}; nothing was taken over")
    return labelled


def _rows(path: Path, wanted: Iterable[str]) -> list[tuple[int, dict[str, str]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            sheet = csv.DictReader(file, restval="")
            missing = [name for name in wanted if name not in (sheet.fieldnames or ())]
            if missing:
                raise InputError(f"{path}: no column {', '.join(missing)}; needed are {', '.join(wanted)}")
            return [(sheet.line_num, {name: active(cell or "") for name, cell in row.items() if name}) for row in sheet]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} cannot be read: {error}") from error


def _cell(text: str) -> str:
    """-1 stays a number; whatever else a spreadsheet might compute does not."""
    return text if _is_number(text) else inert(text)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()
