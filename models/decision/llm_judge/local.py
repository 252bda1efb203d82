"""The judge on this machine: a small language model with a trained adapter; its answers are repeatable."""

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray

from models.decision.llm_judge.calibration import Calibration
from models.decision.llm_judge.lora import adapt
from models.decision.llm_judge.prompt import BEGINNING, LABELS, Query
from models.decision.llm_judge.smollm import LONGEST, LanguageModel, available, weights_file

__all__ = ["LocalJudge", "available", "model_id", "prompt_id"]

READING = "1"
"""Raised when `LanguageModel` reads the same pair otherwise than before."""
WIDTHS = (
    48,
    64,
    80,
    96,
    112,
    128,
    160,
    192,
    224,
    256,
    320,
    384,
    448,
    512,
    640,
    768,
    1024,
    1280,
    1536,
    2048,
    3072,
    LONGEST,
)
"""Tokens to which prompts are padded: a length that a prompt's companions have no say in."""
BATCH_TOKENS = 1024
"""Padded tokens of a batch. All batches of one width have one shape, so a row is always computed the same way."""


def prompt_id() -> str:
    """Name for the words of the prompt: an adapter knows those with which it was trained and no others."""
    return hashlib.sha256(f"{READING}/{BEGINNING}".encode()).hexdigest()[:12]


def model_id(settings: dict[str, Any]) -> str:
    """What answers, without loading it: the model's file and the adapter's id."""
    return f"local:{weights_file().stem}+{settings['id']}"


class LocalJudge:
    """A `models.decision.llm_judge.fuse.Backend` that needs no network.

    Args:
        model: the language model, with its adapter if it has one.
        calibration: of its logits.
        name: see `model_id`.
        threads: batches computed at once, each by one thread. Has no say in the answer.
    """

    def __init__(self, model: LanguageModel, calibration: Calibration, name: str, threads: int = 2) -> None:
        self._model, self._calibration, self._name, self._threads = model, calibration, name, threads

    @classmethod
    def load(cls, tensors: dict[str, NDArray[Any]], settings: dict[str, Any], threads: int = 2) -> Self:
        """Load the packaged model and put an adapter on it.

        Args:
            tensors: of the adapter, as a bundle holds them.
            settings: that go with it.
            threads: see the class.

        Raises:
            ValueError: the adapter was trained with another prompt or on another model.
            FileNotFoundError: the model is not installed.
        """
        file = weights_file()
        wanted = {"prompt": prompt_id(), "model": file.stem}
        other = [name for name, value in wanted.items() if settings.get(name) != value]
        if other:
            raise ValueError(f"the judge was trained with another {', '.join(other)}")
        model = LanguageModel(file)
        adapt(model, tensors)
        return cls(model, Calibration(**settings["calibration"]), model_id(settings), threads)

    @property
    def model(self) -> str:
        """What answers, see `model_id`."""
        return self._name

    def ask(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        """Judge pairs, float32[n, 3] over `LABELS`, rows sum to 1; NaN for a pair of more than `LONGEST` tokens."""
        return self._calibration.probabilities(self.logits(queries))

    def logits(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        """What `ask` calibrates, float32[n, 3]: the logits of the first words of `LABELS` (`eq:llm_judge`)."""
        prompts = [self._model.prompt(query) for query in queries]
        found = np.full((len(prompts), len(LABELS)), np.nan, np.float32)

        def work(batch: tuple[int, list[int]]) -> None:
            width, rows = batch
            read = [prompts[row] for row in rows] + [[0]] * (max(1, BATCH_TOKENS // width) - len(rows))
            with torch.inference_mode():
                found[rows] = self._model.logits(read, width)[: len(rows)].numpy()

        with ThreadPoolExecutor(self._threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            list(pool.map(work, _batches([len(prompt) for prompt in prompts])))
        return found


def _batches(lengths: Sequence[int]) -> list[tuple[int, list[int]]]:
    """Batches of like length: the width of each and its rows; rows that are too long are in none."""
    classes: dict[int, list[int]] = {}
    for row, length in enumerate(lengths):
        if length <= LONGEST:
            classes.setdefault(WIDTHS[bisect_left(WIDTHS, length)], []).append(row)
    return [
        (width, rows[at : at + size])
        for width, rows in sorted(classes.items())
        for size in [max(1, BATCH_TOKENS // width)]
        for at in range(0, len(rows), size)
    ]
