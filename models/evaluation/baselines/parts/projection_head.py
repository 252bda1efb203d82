"""Fine-tuning of NearDup-BERT: a linear layer over frozen vectors that learns from synthetic pairs which cosines count.

Frozen, because the embeddings of the corpus then serve both variants and training takes seconds once its pairs are
embedded; tuning the encoder itself would embed every corpus twice.
"""

import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from models.semantic.distil.torch_threads import one_thread

Tensors = dict[str, NDArray[np.float32]]

EPOCHS = 20
BATCH = 256
RATE = 1e-3
DECAY = 1e-2
"""Pulls the layer back to the identity, from which it starts."""


def project(vectors: NDArray[np.float32], head: Tensors) -> NDArray[np.float32]:
    """Return float32[n, d] of unit length: x + x W, scaled; a zero row stays zero."""
    moved: NDArray[np.float32] = functional.normalize(_moved(_tensor(vectors), _tensor(head["weight"])), dim=1).numpy()
    return moved


def fine_tune(a: NDArray[np.float32], b: NDArray[np.float32], duplicate: pl.Series, seed: int) -> Tensors:
    """Learn W so that a logistic function of the cosine tells duplicates from others.

    Args:
        a: float32[p, d], unit vectors of the first texts of the pairs, embedded as the corpus will be.
        b: float32[p, d], of the second texts.
        duplicate: bool[p].
        seed: of the order of the batches.

    Returns:
        weight: float32[d, d].
    """
    random = torch.Generator().manual_seed(seed)
    left, right, label = _tensor(a), _tensor(b), _tensor(duplicate.cast(pl.Float32).to_numpy())
    weight = torch.zeros(a.shape[1], a.shape[1], requires_grad=True)
    slope, middle = torch.tensor(10.0, requires_grad=True), torch.tensor(0.85, requires_grad=True)
    optimiser = torch.optim.AdamW(
        [{"params": [weight], "weight_decay": DECAY}, {"params": [slope, middle], "weight_decay": 0.0}], lr=RATE
    )
    with one_thread():
        for _ in range(EPOCHS):
            for rows in torch.split(torch.randperm(len(label), generator=random), BATCH):
                cosine = functional.cosine_similarity(_moved(left[rows], weight), _moved(right[rows], weight))
                loss = functional.binary_cross_entropy_with_logits(slope * (cosine - middle), label[rows])
                optimiser.zero_grad()
                torch.autograd.backward(loss)
                optimiser.step()
    return {"weight": weight.detach().numpy().copy()}


def _moved(vectors: Tensor, weight: Tensor) -> Tensor:
    return vectors + vectors @ weight


def _tensor(array: NDArray[np.float32]) -> Tensor:
    return torch.from_numpy(np.array(array, np.float32))
