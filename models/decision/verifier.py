"""Neural verification, cascade stage 4: features once per document, then pairs in batches."""

from typing import Any, NamedTuple, Self

import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.decision.boundary import Boundary, Projection, measured_inputs, paper_inputs
from models.decision.calibration import Platt
from models.decision.described import POINT, DocumentFeatures
from models.decision.fusion import PARTS, Fusion
from models.decision.pair_features import FEATURES, FORMS, pair_features, pair_form
from models.decision.reading import Reading, read
from models.lexical.normalisation import Normalised
from models.lexical.words import Words
from models.semantic.threads import one_thread

FORMAT = 1
"""Raised when older weights can no longer be read."""
DOCUMENTS_PER_BATCH, PAIRS_PER_BATCH = 128, 2048
HEADS = ("measured", "paper")
"""The head on measured pair features and the cosine of z, and the paper's own on z alone."""


class Opinion(NamedTuple):
    """One head on p pairs.

    Attributes:
        p_dup: float32[p], calibrated probability, the mean of `eq:uncertainty`.
        sigma: float32[p], its standard deviation over the passes.
        threshold: float32[p], tau_t of `eq:margin` for the pair's form; a duplicate has p_dup >= threshold.
    """

    p_dup: NDArray[np.float32]
    sigma: NDArray[np.float32]
    threshold: NDArray[np.float32]


class Network(nn.Module):
    """Everything with weights: fusion, projection g, and f twice, once on measured pair features."""

    def __init__(self, dimensions: int, word_dimensions: int) -> None:
        super().__init__()
        self.word_dimensions = word_dimensions
        self.fusion = Fusion(dimensions, word_dimensions)
        self.projection = Projection(dimensions + sum(PARTS))
        self.paper, self.measured = Boundary(4 * POINT), Boundary(len(FEATURES) + 1)

    def embed(self, reading: Reading, words: Tensor) -> Tensor:
        """Return z, float32[n, 64], of n documents, to be learned from.

        Args:
            reading: the documents.
            words: float32[n, w, WORD], their narrow word vectors, w at least the most words of any of them.
        """
        lengths = (reading.words >= 0).sum(1)
        letters = reading.characters[:, : max(1, int((reading.characters > 0).sum(1).max()))]
        char = self.fusion.char(torch.from_numpy(letters.astype(np.int64)))
        known = words * torch.from_numpy(reading.words[:, : words.shape[1], None] >= 0)
        token = self.fusion.token(known, torch.from_numpy(np.maximum(lengths, 1)))
        return self.point(char, token, torch.from_numpy(reading.vector), torch.from_numpy(reading.meta))[0]

    def point(self, char: Tensor, token: Tensor, vector: Tensor, meta: Tensor) -> tuple[Tensor, Tensor]:
        """Return z and gate, float32[n, 64] and [n, FUSED], from what `Fusion` takes."""
        fused, gate = self.fusion(char, token, vector, meta)
        return self.projection(vector, fused), gate

    def logits(self, head: str, z_a: Tensor, z_b: Tensor, features: Tensor, masks: tuple[Tensor, Tensor]) -> Tensor:
        """Logits float32[M, p] of one of `HEADS`; `features` float32[p, F] as `pair_features` gives them."""
        paper = head == "paper"
        inputs = paper_inputs(z_a, z_b) if paper else measured_inputs(z_a, z_b, features)
        logits: Tensor = (self.paper if paper else self.measured)(inputs, masks)
        return logits


class Verifier:
    """A trained network with its word table, dropout masks, calibration and thresholds. Its answers are repeatable.

    Args:
        network: the weights.
        table: float32[V, d_t], the word vectors of the student encoder.
        masks: float32[M, 64] and float32[M, 32], see `models.decision.boundary.dropout_masks`.
        platt: calibration per head.
        thresholds: float64[4] per head, tau_t in the order of `FORMS`.
    """

    def __init__(
        self,
        network: Network,
        table: NDArray[np.float32],
        masks: tuple[NDArray[np.float32], NDArray[np.float32]],
        platt: dict[str, Platt],
        thresholds: dict[str, NDArray[np.float64]],
    ) -> None:
        self.network, self.masks, self.platt, self.thresholds = network.eval(), masks, platt, thresholds
        with torch.inference_mode(), one_thread():
            self._char = network.fusion.char.kernel()
            self._token = network.fusion.token.kernel(torch.from_numpy(table))

    @classmethod
    def load(cls, tensors: dict[str, NDArray[Any]], config: dict[str, Any], table: NDArray[np.float32]) -> Self:
        """Build from what `tensors` and `config` gave.

        Raises:
            ValueError: made by another version, for other pair features or for another word table.
        """
        wanted = {"format": FORMAT, "features": list(FEATURES), "forms": list(FORMS), "word_dimensions": table.shape[1]}
        other = [name for name, value in wanted.items() if config.get(name) != value]
        if other:
            raise ValueError(f"the verifier was made for another {', '.join(other)}")
        network = Network(config["dimensions"], config["word_dimensions"])
        weights = {name.removeprefix("network."): value for name, value in tensors.items() if "network." in name}
        network.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in weights.items()})
        platt = {head: Platt(*tensors["platt"][row].tolist()) for row, head in enumerate(HEADS)}
        thresholds = {head: tensors["thresholds"][row] for row, head in enumerate(HEADS)}
        return cls(network, table, (tensors["masks.0"], tensors["masks.1"]), platt, thresholds)

    def tensors(self) -> dict[str, NDArray[Any]]:
        """Everything learned, without the word table."""
        weights = {f"network.{name}": value.numpy() for name, value in self.network.state_dict().items()}
        learned = {
            "platt": np.array([self.platt[head] for head in HEADS]),
            "thresholds": np.stack([self.thresholds[head] for head in HEADS]),
        }
        return weights | learned | {"masks.0": self.masks[0], "masks.1": self.masks[1]}

    def config(self) -> dict[str, Any]:
        """JSON values that `load` needs beside the tensors."""
        dimensions = self.network.fusion.sem.first.in_features
        shapes = {"dimensions": dimensions, "word_dimensions": self.network.word_dimensions}
        return {"format": FORMAT, "features": list(FEATURES), "forms": list(FORMS), **shapes}

    def describe(
        self, normalised: Normalised, words: Words, rows: NDArray[np.int32], vector: NDArray[np.float32]
    ) -> DocumentFeatures:
        """Features of n documents; arguments as `models.decision.reading.read` takes them."""
        return self.features(read(normalised, words, rows, vector))

    def features(self, reading: Reading) -> DocumentFeatures:
        """Features of n documents that were read."""
        count = len(reading.vector)
        described = DocumentFeatures(np.zeros((count, POINT), np.float32), np.zeros((count, len(PARTS)), np.float32))
        char, token = self._char.features(reading.characters), self._token.features(reading.words)
        with torch.inference_mode(), one_thread():
            for begin in range(0, count, DOCUMENTS_PER_BATCH):
                rows = slice(begin, begin + DOCUMENTS_PER_BATCH)
                parts = (char[rows], token[rows], reading.vector[rows], reading.meta[rows])
                z, gate = self.network.point(*(torch.from_numpy(part) for part in parts))
                described.z[rows] = z.numpy()
                described.gates[rows] = _part_means(gate)
        return described

    def opine(
        self, head: str, described: DocumentFeatures, a: NDArray[np.int64], b: NDArray[np.int64], found: pl.DataFrame
    ) -> Opinion:
        """Ask one of `HEADS` about pairs of described documents.

        Args:
            head: "measured" or "paper".
            described: n documents.
            a: int64[p], rows of the first documents.
            b: int64[p], rows of the second.
            found: p rows, what `pair_features` takes.

        Raises:
            ValueError: pairs and evidence differ in number.
        """
        if not len(a) == len(b) == found.height:
            raise ValueError(f"pairs of {len(a)} and {len(b)} documents, evidence on {found.height}")
        passes = self.platt[head].passes(self.logits(head, described.z[a], described.z[b], pair_features(found)))
        return Opinion(passes.mean(0), passes.std(0), self.thresholds[head].astype(np.float32)[pair_form(found)])

    def logits(
        self, head: str, z_a: NDArray[np.float32], z_b: NDArray[np.float32], features: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Uncalibrated logits of one of `HEADS`, float32[M, p]."""
        masks = torch.from_numpy(self.masks[0]), torch.from_numpy(self.masks[1])
        one, other, seen = (torch.from_numpy(part) for part in (z_a, z_b, features))
        found = np.zeros((len(self.masks[0]), len(z_a)), np.float32)
        with torch.inference_mode(), one_thread():
            for begin in range(0, len(z_a), PAIRS_PER_BATCH):
                rows = slice(begin, begin + PAIRS_PER_BATCH)
                found[:, rows] = self.network.logits(head, one[rows], other[rows], seen[rows], masks).numpy()
        return found


def _part_means(gate: Tensor) -> NDArray[np.float32]:
    means: NDArray[np.float32] = torch.stack(
        [part.mean(1) for part in torch.split(gate, list(PARTS), 1)], dim=1
    ).numpy()
    return means
