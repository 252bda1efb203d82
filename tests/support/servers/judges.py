"""A judge for tests: answers follow from the words of the texts, and every question is remembered."""

from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np
import pytest

from models.decision.llm_judge.prompt import Query
from tasks.llm_judge import backends as judging

SURE = {"duplicate": (0.96, 0.02, 0.02), "distinct": (0.02, 0.96, 0.02), "contained": (0.02, 0.02, 0.96)}
SILENCE = (np.nan, np.nan, np.nan)


class Oracle:
    """Says what `says` makes of a question: a label, or None where no verdict comes."""

    model = "test:oracle"
    asked: ClassVar[list[list[Query]]] = []

    def __init__(self, says: Callable[[Query], str | None]) -> None:
        self._says = says

    def ask(self, queries: Sequence[Query]) -> np.ndarray:
        self.asked.append(list(queries))
        return np.array([SURE.get(self._says(one), SILENCE) for one in queries], np.float32)


def install(patch: pytest.MonkeyPatch, says: Callable[[Query], str | None]) -> Oracle:
    """Put the oracle behind judge.backend=endpoint and forget what was asked."""
    oracle = Oracle(says)
    patch.setattr(Oracle, "asked", [])
    patch.setitem(judging.BACKENDS, "endpoint", lambda _: (oracle.model, lambda: oracle))
    return oracle
