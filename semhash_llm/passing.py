"""Corpus of a result that nobody named a folder for: its report is made when somebody asks for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from flows.curate import Corpus
from models.parameters import Parameters
from tasks.runtime.run import Run
from tasks.storage.sync import unsynced


class Passing(Corpus):
    """Corpus whose snapshot goes with the result: it has no pages and no catalogue, and is not flushed to the disk."""

    @contextmanager
    def working(self, out: Path) -> Iterator[Callable[[Parameters], Run]]:
        """As any corpus, without pages and catalogue."""
        with unsynced(out), super().working(out) as begin:
            yield lambda parameters: begin(parameters).model_copy(update={"pages": False})
