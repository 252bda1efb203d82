"""Distilling the teacher into a student that reads words instead of sub-words (`eq:distill`)."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

TEMPERATURE = 0.05
"""Of the similarity distributions within a batch."""
ALPHA = 1.0
"""alpha of `eq:distill`, for the squared distance of unit vectors."""
STEPS, LEAST_BATCH = 32, 16
"""Steps per epoch for which few passages make smaller batches, down to this size."""
SALIENCE = 0.1
"""Weight of the attention's own Kullback-Leibler term."""


class Lessons(NamedTuple):
    """What the teacher says of n passages with w words in all.

    Attributes:
        rows: int32[w], table row of each word.
        pointers: int64[n + 1], the words of passage i are `pointers[i]:pointers[i + 1]`; none is empty.
        vector: float16[n, out], unit length.
        attention: float32[w], `eq:agg_attn` per word, mean 1 per passage.
    """

    rows: NDArray[np.int32]
    pointers: NDArray[np.int64]
    vector: NDArray[np.float16]
    attention: NDArray[np.float32]


class StudentNetwork(nn.Module):
    """Words → attention → weighted mean → vector in the teacher's space.

    The attention of a word is a softmax over its own salience plus how well it fits a query made from the first, merely
    salience-weighted mean: one attention head with one query, so its cost is linear in the words.
    """

    def __init__(self, table: Tensor, salience: Tensor, straight: Tensor, hidden: int) -> None:
        super().__init__()
        width, dimensions = straight.shape
        self.table = nn.Parameter(table.clone())
        self.salience = nn.Parameter(salience.clone())
        self.query = nn.Parameter(torch.zeros(width, width))
        self.straight = nn.Parameter(straight.clone())
        self.inner = nn.Linear(width, hidden)
        self.outer = nn.Linear(hidden, dimensions)
        nn.init.zeros_(self.outer.weight)
        nn.init.zeros_(self.outer.bias)

    def forward(self, rows: Tensor, passage: Tensor, passages: int) -> tuple[Tensor, Tensor]:
        """Return unit vectors, float[n, out], and log attention per word, float[w], which sums to 1 per passage.

        Args:
            rows: int[w].
            passage: int[w], ascending, which passage each word belongs to.
            passages: n.
        """
        vectors = functional.embedding(rows, self.table, sparse=True)
        own = self.salience[rows]
        mean = _pool(vectors, _log_softmax(own, passage, passages).exp(), passage, passages)
        asked = (mean @ self.query)[passage]
        scores = own + (asked * vectors).sum(1) / math.sqrt(vectors.shape[1])
        attention = _log_softmax(scores, passage, passages)
        pooled = _pool(vectors, attention.exp(), passage, passages)
        out = pooled @ self.straight + self.outer(functional.gelu(self.inner(pooled), approximate="tanh"))
        return functional.normalize(out, dim=1), attention


def _log_softmax(scores: Tensor, passage: Tensor, passages: int) -> Tensor:
    total = torch.zeros(passages).index_add(0, passage, scores.exp())
    return scores - total.log()[passage]


def _pool(vectors: Tensor, weight: Tensor, passage: Tensor, passages: int) -> Tensor:
    return torch.zeros(passages, vectors.shape[1]).index_add(0, passage, vectors * weight[:, None])


def distil_loss(student: Tensor, teacher: Tensor) -> Tensor:
    """`eq:distill`: KL between in-batch similarity distributions plus alpha times the squared distance.

    p(e_i) is the softmax over the other passages j of the batch of cos(e_i, e_j) / `TEMPERATURE`.

    Args:
        student: float[n, d], unit length.
        teacher: float[n, d], unit length.
    """
    itself = torch.eye(len(student)) * -1e4
    target, found = (functional.log_softmax(e @ e.T / TEMPERATURE + itself, dim=1) for e in (teacher, student))
    divergence = functional.kl_div(found, target, log_target=True, reduction="batchmean")
    return divergence + ALPHA * ((teacher - student) ** 2).sum(1).mean()


def salience_loss(attention: Tensor, target: Tensor, passages: int) -> Tensor:
    """KL from the teacher's attention over the words of a passage to the student's, mean over passages.

    Args:
        attention: float[w], log attention of the student.
        target: float[w], attention of the teacher, sums to 1 per passage.
        passages: n.
    """
    return (target * ((target + 1e-9).log() - attention)).sum() / passages


class Course(NamedTuple):
    """How long and how fast to learn.

    Attributes:
        epochs: times that every passage is seen.
        batch: passages per step, fewer where there are few.
        rate: first learning rate of Adam; it falls along a cosine to zero.
        hidden: units of the student's inner layer.
        seed: of the first weights and of the order of the passages.
    """

    epochs: int = 6
    batch: int = 512
    rate: float = 2e-3
    hidden: int = 768
    seed: int = 1


def distil(
    lessons: Lessons,
    table: NDArray[np.float32],
    salience: NDArray[np.float32],
    straight: NDArray[np.float32],
    course: Course,
    advance: Callable[[int], None] = lambda passages: None,
) -> tuple[dict[str, NDArray[np.float32]], list[tuple[float, float]]]:
    """Train a student.

    Args:
        lessons: what the teacher says.
        table: float32[V + buckets, d], first word vectors.
        salience: float32[V + buckets], first salience per word.
        straight: float32[d, out], first map into the teacher's space.
        course: how to train.
        advance: told the passages of each step.

    Returns:
        The tensors of `StudentNetwork`, and per step the losses (`distil_loss`, `salience_loss`).
    """
    torch.manual_seed(course.seed)
    first = [torch.from_numpy(one) for one in (table, salience, straight)]
    network = StudentNetwork(first[0], first[1], first[2], course.hidden)
    random = np.random.default_rng(course.seed)
    dense = [parameter for name, parameter in network.named_parameters() if name != "table"]
    optimisers = [torch.optim.SparseAdam([network.table], lr=course.rate), torch.optim.Adam(dense, lr=course.rate)]
    batch = min(course.batch, max(LEAST_BATCH, len(lessons.vector) // STEPS))
    per_epoch = max(1, len(lessons.vector) // batch)
    schedules = [torch.optim.lr_scheduler.CosineAnnealingLR(one, course.epochs * per_epoch) for one in optimisers]
    history = []
    for _ in range(course.epochs):
        order = random.permutation(len(lessons.vector))
        for step in range(per_epoch):
            chosen = np.sort(order[step * batch : (step + 1) * batch])
            rows, passage, target = _batch(lessons, chosen)
            vector, attention = network(rows, passage, len(chosen))
            distilled = distil_loss(vector, torch.from_numpy(lessons.vector[chosen]).float())
            attended = salience_loss(attention, target, len(chosen))
            network.zero_grad(set_to_none=True)
            torch.autograd.backward(distilled + SALIENCE * attended)
            for optimiser, schedule in zip(optimisers, schedules, strict=True):
                optimiser.step()
                schedule.step()
            history.append((float(distilled.detach()), float(attended.detach())))
            advance(len(chosen))
    return {name: tensor.detach().numpy() for name, tensor in network.state_dict().items()}, history


def _batch(lessons: Lessons, chosen: NDArray[np.int64]) -> tuple[Tensor, Tensor, Tensor]:
    """Rows, passage and attention target of the words of some passages."""
    first, size = lessons.pointers[chosen], lessons.pointers[chosen + 1] - lessons.pointers[chosen]
    passage = np.repeat(np.arange(len(chosen)), size)
    word = np.arange(len(passage)) - np.repeat(np.cumsum(size) - size, size) + np.repeat(first, size)
    attention = lessons.attention[word].astype(np.float32)
    target = attention / np.bincount(passage, attention)[passage]
    rows = torch.from_numpy(lessons.rows[word].astype(np.int64))
    return rows, torch.from_numpy(passage), torch.from_numpy(target.astype(np.float32))
