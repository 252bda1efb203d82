"""Neural verification, cascade stage 4: features once per document, then pairs in batches.

What `models.decision.verifier.networks.network` learned is computed here without torch, which takes a second to import.
"""

from typing import Any, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import expit

from models.decision.verifier.calibration import Platt
from models.decision.verifier.document_features import POINT, DocumentFeatures
from models.decision.verifier.inputs import Reading, read
from models.decision.verifier.numba_kernels import PARTS, CharacterKernel, TokenKernel
from models.decision.verifier.numpy_layers import Weights, dense, gelu, linear, standardised, under
from models.decision.verifier.pair_features import FEATURES, FORMS, pair_features, pair_form
from models.lexical.text.normalisation import Normalised
from models.lexical.text.words import Words

FORMAT = 1
"""Raised when older weights can no longer be read."""
VERSION = 2
"""Raised when the same weights may give other answers, if only in the last digit."""
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


class Verifier:
    """A trained network with its word table, dropout masks, calibration and thresholds. Its answers are repeatable.

    Args:
        weights: of `models.decision.verifier.networks.network.Network`.
        table: float32[V, d_t], the word vectors of the student encoder.
        masks: float32[M, 64] and float32[M, 32], see `models.decision.verifier.networks.pair_head.dropout_masks`.
        platt: calibration per head.
        thresholds: float64[4] per head, tau_t in the order of `FORMS`.
    """

    def __init__(
        self,
        weights: Weights,
        table: NDArray[np.float32],
        masks: tuple[NDArray[np.float32], NDArray[np.float32]],
        platt: dict[str, Platt],
        thresholds: dict[str, NDArray[np.float64]],
    ) -> None:
        self.weights, self.masks, self.platt, self.thresholds = weights, masks, platt, thresholds
        self._char = CharacterKernel.of(under(weights, "fusion.char"))
        self._token = TokenKernel.of(under(weights, "fusion.token"), table)

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
        platt = {head: Platt(*tensors["platt"][row].tolist()) for row, head in enumerate(HEADS)}
        thresholds = {head: tensors["thresholds"][row] for row, head in enumerate(HEADS)}
        return cls(under(tensors, "network"), table, (tensors["masks.0"], tensors["masks.1"]), platt, thresholds)

    def tensors(self) -> dict[str, NDArray[Any]]:
        """Everything learned, without the word table."""
        weights = {f"network.{name}": value for name, value in self.weights.items()}
        learned = {
            "platt": np.array([self.platt[head] for head in HEADS]),
            "thresholds": np.stack([self.thresholds[head] for head in HEADS]),
        }
        return weights | learned | {"masks.0": self.masks[0], "masks.1": self.masks[1]}

    def config(self) -> dict[str, Any]:
        """JSON values that `load` needs beside the tensors."""
        shapes = {
            "dimensions": self.weights["fusion.sem.first.weight"].shape[1],
            "word_dimensions": self.weights["fusion.token.narrow.0.weight"].shape[1],
        }
        return {"format": FORMAT, "features": list(FEATURES), "forms": list(FORMS), **shapes}

    def describe(
        self, normalised: Normalised, words: Words, rows: NDArray[np.int32], vector: NDArray[np.float32]
    ) -> DocumentFeatures:
        """Features of n documents; arguments as `models.decision.verifier.inputs.read` takes them."""
        return self.features(read(normalised, words, rows, vector))

    def features(self, reading: Reading) -> DocumentFeatures:
        """Features of n documents that were read."""
        count = len(reading.vector)
        described = DocumentFeatures(np.zeros((count, POINT), np.float32), np.zeros((count, len(PARTS)), np.float32))
        char, token = self._char.features(reading.characters), self._token.features(reading.words)
        for begin in range(0, count, DOCUMENTS_PER_BATCH):
            rows = slice(begin, begin + DOCUMENTS_PER_BATCH)
            z, gate = self._point(char[rows], token[rows], reading.vector[rows], reading.meta[rows])
            described.z[rows] = z
            described.gates[rows] = _part_means(gate)
        return described

    def _point(
        self,
        char: NDArray[np.float32],
        token: NDArray[np.float32],
        vector: NDArray[np.float32],
        meta: NDArray[np.float32],
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """`eq:sem`, `eq:gate`, `eq:fused` and g: z and gate, float32[n, 64] and [n, FUSED]."""
        stretched = vector * np.float32(vector.shape[1] ** 0.5)
        inner = gelu(linear(under(self.weights, "fusion.sem.first"), stretched))
        norm = under(self.weights, "fusion.sem.norm")
        meaning = standardised(linear(under(self.weights, "fusion.sem.second"), inner)) * norm["weight"] + norm["bias"]
        parts = np.concatenate([char, token, meaning], axis=1)
        gate = expit(linear(under(self.weights, "fusion.gate"), np.concatenate([parts, meta], axis=1)))
        both = np.concatenate([stretched, gate * parts], axis=1)
        inner = gelu(linear(under(self.weights, "projection.first"), both))
        z = linear(under(self.weights, "projection.second"), inner)
        return z / np.maximum(np.linalg.norm(z, axis=1, keepdims=True), np.float32(1e-12)), gate

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
        found = np.zeros((len(self.masks[0]), len(z_a)), np.float32)
        for begin in range(0, len(z_a), PAIRS_PER_BATCH):
            rows = slice(begin, begin + PAIRS_PER_BATCH)
            one, other, product = z_a[rows], z_b[rows], z_a[rows] * z_b[rows]
            if head == "paper":
                both = [product, np.abs(one - other)]
                orders = [np.concatenate([*ends, *both], axis=1) for ends in ((one, other), (other, one))]
            else:
                orders = [np.concatenate([features[rows], product.sum(1, keepdims=True)], axis=1)]
            found[:, rows] = np.mean([self._boundary(head, inputs) for inputs in orders], axis=0)
        return found

    def _boundary(self, head: str, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Answers of `eq:boundary` for every mask, float32[M, p]; the masks are taken into the weights behind them."""
        layer = under(self.weights, head)
        second, last = layer["second.weight"], self.masks[1] * layer["last.weight"]
        masked = (self.masks[0].T[:, :, None] * second.T[:, None]).reshape(second.shape[1], -1)
        hidden = np.maximum(linear(under(layer, "first"), (inputs - layer["mean"]) / layer["scale"]), 0)
        hidden = np.maximum(dense(hidden, masked, np.tile(layer["second.bias"], len(last))), 0)
        result: NDArray[np.float32] = np.einsum("pmh,mh->mp", hidden.reshape(len(inputs), *last.shape), last)
        return result + layer["last.bias"]


def _part_means(gate: NDArray[np.float32]) -> NDArray[np.float32]:
    parts = np.split(gate, np.cumsum(PARTS)[:-1], axis=1)
    return np.stack([part.mean(1) for part in parts], axis=1)
