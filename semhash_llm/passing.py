"""Corpus of a result that nobody named a folder for: its report is made when somebody asks for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from flows.curate import Corpus
from models.parameters import Parameters
from tasks.runtime.run import Run


class Passing(Corpus):
    """Corpus whose snapshot goes with the result, so that it has no report and no Data Docs at first."""

    @contextmanager
    def working(self, out: Path) -> Iterator[Callable[[Parameters], Run]]:
        """As any corpus, without pages."""
        with super().working(out) as begin:
            yield lambda parameters: begin(parameters).model_copy(update={"pages": False})
