"""Review session: people decide about borderline pairs of the published snapshot, on a terminal or in a CSV."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
from rich.console import Console

from tasks.explain.archive import Archive
from tasks.explain.wording import several
from tasks.review import csv_sheet as review_sheet
from tasks.review import store as reviews
from tasks.review.queue import Borderline, pairs_to_review
from tasks.review.terminal import talk
from tasks.runtime.errors import InputError
from tasks.runtime.visible import visible
from tasks.snapshots.locks import writing

NAMED = 5


def decide(out: Path, limit: int | None, ask: Callable[[str], str] = input) -> str:
    """Show pairs on the terminal and ask about each; returns what to say at the end.

    Args:
        out: folder of the snapshots.
        limit: pairs shown at most; None: all.
        ask: shows a prompt and returns what was typed.

    Raises:
        InputError: nothing is published.
        BusyError: somebody else is reviewing.
    """
    with _open(out, limit) as (_, pairs, path):
        return _told(path, talk(pairs, path, ask, Console(highlight=False)))


def export(out: Path, sheet: Path, limit: int | None) -> str:
    """Write pairs to a CSV with an empty column for the labels; returns what to say.

    Raises:
        InputError: nothing is published.
    """
    with _open(out, limit) as (_, pairs, _):
        number = review_sheet.export(sheet, pairs)
    back = f"semhash-llm review --out {out} --csv {sheet}"
    return f"{several(number, 'pair')} in {sheet}; fill in the column label and take it over: {back}"


def take_over(out: Path, sheet: Path) -> str:
    """Keep the labels of a CSV, all or, if anything in it is wrong, none; returns what to say.

    Raises:
        InputError: nothing is published, the sheet cannot be used, or the snapshot does not hold the documents.
    """
    rows = review_sheet.read(sheet)
    with _open(out, None) as (archive, _, path):
        texts = archive.originals({name for row in rows for name in row[:2]})
        unknown = [name for row in rows for name in row[:2] if name not in texts]
        if unknown:
            named = ", ".join(visible(name) for name in unknown[:NAMED])
            raise InputError(
                f"{sheet}: {several(len(unknown), 'id')} not in snapshot {archive.path.name}, for example {named}"
            )
        made = [reviews.decided(row[:2], (texts[row[0]], texts[row[1]]), row.label, row.note) for row in rows]
        same = [row[0] for row, one in zip(rows, made, strict=True) if one["text_hash_a"].equals(one["text_hash_b"])]
        if same:
            raise InputError(
                f"{sheet}: '{visible(same[0])}' stands beside an equal text, about which there is nothing to say"
            )
        if made:
            reviews.keep(path, pl.concat(made))
        return _told(path, len(made))


@contextmanager
def _open(out: Path, limit: int | None) -> Iterator[tuple[Archive, Iterator[Borderline], Path]]:
    """The published snapshot, its pairs that nobody decided about, and the file of the reviews, for one at a time."""
    with Archive.current(out) as archive, writing(out, role="reviews"):
        path = out / reviews.FILE
        yield archive, pairs_to_review(archive, reviews.load(path), limit), path


def _told(path: Path, taken: int) -> str:
    whole = reviews.load(path).height
    return f"{several(taken, 'decision')} kept, {whole:,} in all in {path}; the next curate or refresh obeys them"
