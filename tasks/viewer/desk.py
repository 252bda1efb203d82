"""Review desk: borderline pairs in their order, an answer to each, and the way back."""

import threading
from pathlib import Path
from typing import Any

import polars as pl

from tasks.explain.archive import Archive
from tasks.report.explorer.cards import cards
from tasks.review import store as reviews
from tasks.review.queue import listed
from tasks.runtime.errors import InputError
from tasks.snapshots.locks import writing
from tasks.viewer.pairs import ROOM

ANSWERS = {"y": "duplicate", "n": "distinct", "c": "contained"}
"""Keys of the answers, and the labels that they leave in the file that the terminal writes, too."""


class Desk:
    """State of one review: the pairs that were undecided when it began, and what was answered since."""

    def __init__(self, archive: Archive, out: Path) -> None:
        self._archive, self._out, self._file = archive, out, out / reviews.FILE
        self._pairs = listed(archive, reviews.load(self._file)).select(doc_id="a_id", other_id="b_id")
        self._said: list[tuple[str, pl.DataFrame | None]] = []
        self._turn = threading.Lock()

    def shown(self) -> dict[str, Any]:
        """The pair that is next, and how far the review is."""
        at = len(self._said)
        rows = self._pairs[at : at + 1]
        cards_made = cards(self._archive, rows, ROOM) if rows.height else []
        answered = sum(kept is not None for _, kept in self._said)
        return {"at": at, "of": self._pairs.height, "answered": answered, "pair": next(iter(cards_made), None)}

    def answer(self, at: int, key: str) -> dict[str, Any]:
        """Take an answer to pair `at`, a key of `ANSWERS` or `s` to skip it; kept at once.

        Raises:
            InputError: it is not that pair's turn, or the key means nothing.
            BusyError: somebody else is writing reviews.
        """
        with self._turn:
            if at != len(self._said) or at >= self._pairs.height:
                raise InputError("that pair is not the one to be answered; load the page again")
            if key == "s":
                self._said.append((key, None))
                return self.shown()
            if key not in ANSWERS:
                raise InputError(f"{key} is no answer")
            one, other = self._pairs.row(at)
            texts = self._archive.originals({one, other})
            row = reviews.decided((one, other), (texts[one], texts[other]), ANSWERS[key])
            with writing(self._out, role="reviews"):
                reviews.keep(self._file, row)
            self._said.append((key, row))
            return self.shown()

    def undo(self) -> dict[str, Any]:
        """Take back the last answer and go back to its pair.

        Raises:
            BusyError: somebody else is writing reviews.
        """
        with self._turn:
            if self._said:
                _, row = self._said[-1]
                if row is not None:
                    with writing(self._out, role="reviews"):
                        reviews.withdraw(self._file, row)
                self._said.pop()
            return self.shown()
