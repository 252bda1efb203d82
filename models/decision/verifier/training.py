"""Learning of the verifier: fusion, projection and boundary together, then calibration and thresholds."""

import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from models.decision.verifier.calibration import area_under_curve, brier, calibration_error, fit_platt
from models.decision.verifier.inference import HEADS, Verifier
from models.decision.verifier.inputs import Reading
from models.decision.verifier.networks.network import Network
from models.decision.verifier.networks.pair_head import (
    DROPOUT,
    HIDDEN,
    PASSES,
    best_threshold,
    contrastive_loss,
    dropout_masks,
    measured_inputs,
)
from models.decision.verifier.pair_features import FORMS, pair_features, pair_form
from models.semantic.distil.torch_threads import one_thread

PAIRS_PER_STEP = 96
CONTRAST = 0.2
"""Weight of `eq:contrastive` beside the cross entropy of the two heads."""
RATE, DECAY = 2e-3, 1e-4
SHARES = (0.5, 0.3, 0.1, 0.1)
"""Of the groups: to learn fusion and projection from, to learn the measured head from, to choose epochs on, to
calibrate and set thresholds on."""


class Pairs(NamedTuple):
    """Labelled pairs of documents.

    Attributes:
        a: int64[p], rows of the first documents.
        b: int64[p], of the second.
        group: int64[p], the source that a pair was made from.
        duplicate: bool[p].
        features: float32[p, F], `pair_features`.
        form: int8[p], `pair_form`.
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    group: NDArray[np.int64]
    duplicate: NDArray[np.bool_]
    features: NDArray[np.float32]
    form: NDArray[np.int8]

    def take(self, rows: NDArray[Any]) -> "Pairs":
        """Some of the pairs."""
        return Pairs._make(column[rows] for column in self)


def labelled_pairs(pairs: pl.DataFrame) -> Pairs:
    """Take `a`, `b`, `group`, `duplicate` and the columns that `pair_features` needs out of a table."""
    a, b, group, duplicate = (pairs[name].to_numpy() for name in ("a", "b", "group", "duplicate"))
    return Pairs(a, b, group, duplicate, pair_features(pairs), pair_form(pairs))


def split(group: NDArray[np.int64], random: np.random.Generator) -> list[NDArray[np.int64]]:
    """Rows of the pairs for each of `SHARES`; all pairs of a group stay together.

    Raises:
        ValueError: fewer than 10 groups.
    """
    groups = random.permutation(np.unique(group))
    if len(groups) < 10:
        raise ValueError(f"labelled pairs of {len(groups)} groups of texts; at least 10 are needed to learn from")
    bounds = np.rint(np.cumsum(SHARES[:-1]) * len(groups)).astype(np.int64)
    return [np.flatnonzero(np.isin(group, part)) for part in np.split(groups, bounds)]


def train_verifier(
    pairs: Pairs, reading: Reading, table: NDArray[np.float32], seed: int = 0, epochs: tuple[int, int] = (5, 20)
) -> tuple[Verifier, dict[str, Any]]:
    """Learn to verify from labelled pairs.

    First the document network and the paper's own head, by cross entropy of `eq:boundary` and `CONTRAST` times
    `eq:contrastive`; then, with z as it is, the head on measured pair features. That one learns from other groups: of
    documents that the network learned from, z says more than it does of new ones, and would be trusted too much. Of
    each the epoch is kept that does best on groups not learned from. Calibration and the thresholds of `eq:margin`,
    with the calibrated probability for s, come from groups used for neither. The word table is not trained.

    Args:
        pairs: see `Pairs`; both labels occur.
        reading: the documents.
        table: float32[V, d_t], word vectors.
        seed: draws splits, weights, batches and dropout; the same seed gives the same bits on one machine.
        epochs: passes over the pairs, for the documents and for the head on measures.

    Returns:
        The verifier, and JSON values: `pairs` per split, `paper` and `measured` with losses per epoch and the `epoch`
        kept, and `metrics` per head on the groups that the epochs were chosen on.

    Raises:
        ValueError: pairs of fewer than 10 groups.
    """
    random = np.random.default_rng(seed)
    learn, compare, choose, calibrate = (pairs.take(rows) for rows in split(pairs.group, random))
    with torch.random.fork_rng(devices=[]), one_thread():
        torch.manual_seed(seed)
        network = Network(reading.vector.shape[1], table.shape[1])
        history = {"paper": _fit_documents(network, learn, choose, reading, table, random, epochs[0])}
        history["measured"] = _fit_measured(network, compare, choose, reading, table, random, epochs[1])
    verifier = _calibrated(network, table, seed, calibrate, reading)
    parts = {"learn": learn, "compare": compare, "choose": choose, "calibrate": calibrate}
    sizes = {name: len(part.a) for name, part in parts.items()}
    return verifier, history | {"pairs": sizes, "metrics": measure(verifier, choose, reading)}


def _fit_documents(
    network: Network,
    learn: Pairs,
    choose: Pairs,
    reading: Reading,
    table: NDArray[np.float32],
    random: np.random.Generator,
    epochs: int,
) -> dict[str, Any]:
    words = torch.from_numpy(table)

    def losses(batch: Pairs) -> dict[str, Tensor]:
        documents, places = np.unique(np.concatenate([batch.a, batch.b]), return_inverse=True)
        part = reading.take(documents)
        z = network.embed(part, network.fusion.token.narrow(_look_up(part, words)))
        a, b = np.split(places, 2)
        contrast = contrastive_loss(z, *_relations(a, b, batch, len(documents)))
        return {"paper": _cross_entropy(network, "paper", z[a], z[b], batch), "contrastive": CONTRAST * contrast}

    def held_out() -> float:
        z = _undropped(network, table).features(reading).z
        return float(_cross_entropy(network, "paper", *_ends(z, choose), choose))

    parts = [*network.fusion.parameters(), *network.projection.parameters(), *network.paper.parameters()]
    return _descend(network, parts, lambda: _by_group(learn, random), losses, held_out, epochs)


def _fit_measured(
    network: Network,
    learn: Pairs,
    choose: Pairs,
    reading: Reading,
    table: NDArray[np.float32],
    random: np.random.Generator,
    epochs: int,
) -> dict[str, Any]:
    z = _undropped(network, table).features(reading).z
    network.measured.standardise(measured_inputs(*_ends(z, learn), torch.from_numpy(learn.features)))

    def batches() -> Iterator[Pairs]:
        return _slices(learn, random.permutation(len(learn.a)))

    def losses(batch: Pairs) -> dict[str, Tensor]:
        return {"measured": _cross_entropy(network, "measured", *_ends(z, batch), batch)}

    def held_out() -> float:
        return float(_cross_entropy(network, "measured", *_ends(z, choose), choose))

    return _descend(network, [*network.measured.parameters()], batches, losses, held_out, epochs)


def _descend(
    network: Network,
    parameters: list[nn.Parameter],
    batches: Callable[[], Iterator[Pairs]],
    losses: Callable[[Pairs], dict[str, Tensor]],
    held_out: Callable[[], float],
    epochs: int,
) -> dict[str, Any]:
    """Train in place, ending with the weights of the epoch that does best on what was held out."""
    optimiser = torch.optim.AdamW(parameters, lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, epochs)
    history: list[dict[str, float]] = []
    best, weights = 0, network.state_dict()
    for epoch in range(epochs):
        steps = []
        network.train()
        for batch in batches():
            terms = losses(batch)
            optimiser.zero_grad()
            torch.autograd.backward(list(terms.values()))
            optimiser.step()
            steps.append({name: float(value.detach()) for name, value in terms.items()})
        schedule.step()
        network.eval()
        with torch.inference_mode():
            means = {name: float(np.mean([step[name] for step in steps])) for name in steps[0]}
            history.append(means | {"held_out": held_out()})
        if history[epoch]["held_out"] <= history[best]["held_out"]:
            best, weights = epoch, copy.deepcopy(network.state_dict())
    network.load_state_dict(weights)
    return {"losses": history, "epoch": best}


def _cross_entropy(network: Network, head: str, z_a: Tensor, z_b: Tensor, batch: Pairs) -> Tensor:
    """Of one head; with dropout, a mask per pair, while training."""
    masks = [torch.dropout(torch.ones(1, len(z_a), size), DROPOUT, network.training) for size in HIDDEN]
    logits = network.logits(head, z_a, z_b, torch.from_numpy(batch.features), (masks[0], masks[1]))
    return binary_cross_entropy_with_logits(logits[0], torch.from_numpy(batch.duplicate).float())


def _ends(z: NDArray[np.float32], pairs: Pairs) -> tuple[Tensor, Tensor]:
    return torch.from_numpy(z[pairs.a]), torch.from_numpy(z[pairs.b])


def _undropped(network: Network, table: NDArray[np.float32]) -> Verifier:
    return Verifier(network.learned(), table, dropout_masks(0, 0), {}, {})


def _by_group(pairs: Pairs, random: np.random.Generator) -> Iterator[Pairs]:
    """All pairs, groups in random order and each together, so that look-alikes of a text meet its copies."""
    groups, member = np.unique(pairs.group, return_inverse=True)
    order = np.lexsort([random.permutation(len(pairs.a)), random.permutation(len(groups))[member]])
    return _slices(pairs, order)


def _slices(pairs: Pairs, order: NDArray[np.int64]) -> Iterator[Pairs]:
    for begin in range(0, len(order), PAIRS_PER_STEP):
        yield pairs.take(order[begin : begin + PAIRS_PER_STEP])


def _relations(a: NDArray[np.int64], b: NDArray[np.int64], batch: Pairs, documents: int) -> tuple[Tensor, Tensor]:
    """Masks of `contrastive_loss`: duplicates; and all but texts of one group without a label between them."""
    _, group = np.unique(batch.group, return_inverse=True)
    member = np.zeros((documents, group.max() + 1), np.float32)
    member[a, group] = member[b, group] = 1
    positive, counted = np.zeros((documents, documents), bool), member @ member.T == 0
    positive[a[batch.duplicate], b[batch.duplicate]] = True
    counted[a, b] = counted[b, a] = True
    return torch.from_numpy(positive | positive.T), torch.from_numpy(counted)


def _logits(verifier: Verifier, pairs: Pairs, reading: Reading) -> dict[str, NDArray[np.float32]]:
    documents, places = np.unique(np.concatenate([pairs.a, pairs.b]), return_inverse=True)
    z = verifier.features(reading.take(documents)).z
    a, b = np.split(places, 2)
    return {head: verifier.logits(head, z[a], z[b], pairs.features) for head in HEADS}


def _calibrated(network: Network, table: NDArray[np.float32], seed: int, pairs: Pairs, reading: Reading) -> Verifier:
    """Add masks, calibration and thresholds."""
    verifier = Verifier(network.learned(), table, dropout_masks(PASSES, seed), {}, {})
    for head, logits in _logits(verifier, pairs, reading).items():
        verifier.platt[head] = fit_platt(logits, pairs.duplicate)
        score = verifier.platt[head].passes(logits).mean(0).astype(np.float64)
        forms = [pairs.form == form for form in range(len(FORMS))]
        verifier.thresholds[head] = np.array([best_threshold(score[of], pairs.duplicate[of]) for of in forms])
    return verifier


def measure(verifier: Verifier, pairs: Pairs, reading: Reading) -> dict[str, dict[str, float]]:
    """How well each head does on labelled pairs: area under the curve, accuracy at its thresholds, calibration."""
    found = {}
    for head, logits in _logits(verifier, pairs, reading).items():
        probability = verifier.platt[head].passes(logits).mean(0)
        right = (probability >= verifier.thresholds[head][pairs.form]) == pairs.duplicate
        found[head] = {
            "auc": area_under_curve(probability, pairs.duplicate),
            "accuracy": float(right.mean()),
            "ece": calibration_error(probability, pairs.duplicate),
            "brier": brier(probability, pairs.duplicate),
        }
    return found


def _look_up(reading: Reading, table: Tensor) -> Tensor:
    """Rows of a word table, float32[n, w, d], for as many words as the longest of the documents has."""
    width = max(1, int((reading.words >= 0).sum(1).max()))
    return table[torch.from_numpy(np.maximum(reading.words[:, :width], 0).astype(np.int64))]
