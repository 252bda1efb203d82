"""Learn the hyperplanes by which neighbours are searched (`models/semantic/neighbours/codes.py`).

    python -m tests.benchmarks.meaning.learn_neighbour_codes CORPORA [--write]

CORPORA is a folder with tables of open texts and `pairs/rewrites.parquet`. The objective is the order of neighbours:
the codes of a text and one of its three nearest shall have more bits in common than those of the text and one that is
further away.
`eq:orth` and `eq:balance` keep their part. `tests/benchmarks/meaning/rewrites.py` measures what is learned.
"""

import argparse
import math
from pathlib import Path

import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch import Tensor
from torch.nn.functional import softplus

from models.bundle import load
from models.semantic.encoder.student import Student
from models.semantic.hash.learning import balance_loss, orthogonality_loss, smooth_codes
from models.semantic.neighbours.codes import BITS, SHIPPED

OPEN = ("docs_html", "pypi_readme", "proposals", "licences", "doc_versions")
STEPS, ANCHORS, FURTHER = 1500, 256, 8
STEEPNESS = 20
APART = 0.02
"""Cosine by which a neighbour must be nearer for the order to count."""


def texts(corpora: Path) -> pl.Series:
    """Beginnings of open texts, and open rewrites."""
    found = []
    for name in OPEN:
        table = pl.read_parquet(corpora / f"{name}.parquet", columns=["text"])["text"]
        found.append(table.sample(min(4000, len(table)), seed=1).str.slice(0, 1500))
    pairs = pl.read_parquet(corpora / "pairs" / "rewrites.parquet").filter(pl.col("licence_group") == "open")
    found += [pairs["text_a"].sample(4000, seed=1), pairs["text_b"].sample(4000, seed=2)]
    return pl.concat(found).unique(maintain_order=True)


def learn(vectors: NDArray[np.float32], seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Hyperplanes for unit vectors: normals and biases."""
    random, dimensions = np.random.default_rng(seed), vectors.shape[1]
    x = torch.from_numpy(vectors[random.permutation(len(vectors))][:20_000])
    near = torch.cat([(some @ x.T).topk(120, 1).indices for some in x.split(1000)])[:, 1:]
    stretched = x * math.sqrt(dimensions)
    basis = np.linalg.qr(random.standard_normal((dimensions, dimensions)))[0][:, :BITS].astype(np.float32)
    weight = torch.from_numpy(basis).requires_grad_()
    bias = (-stretched.mean(0) @ weight.detach()).requires_grad_()
    optimiser = torch.optim.Adam([weight, bias], lr=3e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, STEPS)

    def draw(low: int, high: int, size: int | tuple[int, int]) -> Tensor:
        return torch.from_numpy(random.integers(low, high, size))

    for step in range(STEPS):
        one = draw(0, len(x), ANCHORS)
        nearest, further = near[one, draw(0, 3, ANCHORS)], near[one][:, draw(8, 119, FURTHER)]
        others = draw(0, len(x), ANCHORS)
        sharpness = 10.0 ** (step / STEPS)
        code, of_nearest, of_further, of_others = (
            smooth_codes(stretched[rows] @ weight + bias, sharpness) for rows in (one, nearest, further, others)
        )
        alike = (code * of_nearest).mean(1, keepdim=True)
        unlike = torch.cat([torch.einsum("bk,bnk->bn", code, of_further), code @ of_others.T], 1) / BITS
        cosine = torch.cat([torch.einsum("bd,bnd->bn", x[one], x[further]), x[one] @ x[others].T], 1)
        counts = ((x[one] * x[nearest]).sum(1, keepdim=True) - cosine > APART).float()
        loss = (softplus((unlike - alike) * STEEPNESS) * counts).sum() / counts.sum()
        loss = loss + 0.1 * orthogonality_loss(weight) / BITS + 0.01 * balance_loss(of_others)
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        optimiser.step()
        schedule.step()
    return weight.detach().numpy(), (bias / math.sqrt(dimensions)).detach().numpy()


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("corpora", type=Path)
    options.add_argument("--write", action="store_true")
    told = options.parse_args()
    weight, bias = learn(Student(load("default").student).embed(texts(told.corpora).to_list()))
    if told.write:
        save_file({"weight": np.ascontiguousarray(weight.astype(np.float16)), "bias": bias.astype(np.float32)}, SHIPPED)


if __name__ == "__main__":
    main()
