"""Learning to judge: a low-rank adapter of the language model (LoRA) from labelled pairs."""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.decision.llm_judge.smollm import LanguageModel, silent

RANK, SCALE = 8, 16
MODULES = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
RATE, WARMUP, SMOOTHING, CLIP = 1e-3, 0.06, 0.05, 1.0
STEP_PAIRS, BATCH_PAIRS = 8, 4
"""Pairs of one step, and how many of like length are read at once."""


class Lesson(NamedTuple):
    """Labelled prompts.

    Attributes:
        prompts: tokens of n pairs, as `LanguageModel.prompt` gives them.
        labels: int64[n], places in `LABELS`.
    """

    prompts: list[list[int]]
    labels: NDArray[np.int64]


def train_adapter(
    model: LanguageModel, lesson: Lesson, seed: int, threads: int, advance: Callable[[int, float], None]
) -> dict[str, NDArray[np.float16]]:
    """Train an adapter in one pass over the pairs as they stand, on the cross entropy of the first word of the answer.

    Args:
        model: left without an adapter.
        lesson: what to learn.
        seed: of the first weights.
        threads: batches learned from at once, each by one thread. Has no say in the result.
        advance: told how many pairs were learned and the mean loss of the step.

    Returns:
        Tensors for `adapted`.
    """
    from peft import get_peft_model_state_dict

    torch.manual_seed(seed)
    adapter = _wrapped(model)
    used = [weight for weight in adapter.parameters() if weight.requires_grad]
    # Small steps would be lost in bfloat16.
    weights = [weight.detach().float() for weight in used]
    rows = np.arange(len(lesson.prompts))
    steps = [rows[at : at + STEP_PAIRS] for at in range(0, len(rows), STEP_PAIRS)]
    optimizer = torch.optim.AdamW(weights, lr=RATE, weight_decay=0.01)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _pace(step / len(steps)))
    loss = nn.CrossEntropyLoss(reduction="sum", label_smoothing=SMOOTHING)
    model.model = adapter.get_base_model()

    def learn(batch: NDArray[np.int64]) -> tuple[float, Sequence[Tensor]]:
        prompts = [lesson.prompts[row] for row in batch]
        logits = model.logits(prompts, max(map(len, prompts)))
        error: Tensor = loss(logits, torch.from_numpy(lesson.labels[batch]))
        return error.item(), torch.autograd.grad(error, used)

    with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        for chosen in steps:
            errors, gradients = zip(*pool.map(learn, _batches(lesson, chosen)), strict=True)
            for weight, *parts in zip(weights, *gradients, strict=True):
                weight.grad = sum(part.float() for part in parts) / len(chosen)
            nn.utils.clip_grad_norm_(weights, CLIP)
            optimizer.step()
            rate.step()
            for weight, low in zip(weights, used, strict=True):
                low.data.copy_(weight)
            advance(len(chosen), sum(errors) / len(chosen))
    with silent():
        learned = {name: tensor.float().half().numpy() for name, tensor in get_peft_model_state_dict(adapter).items()}
    model.model = adapter.unload()
    return learned


def adapt(model: LanguageModel, tensors: dict[str, NDArray[Any]]) -> None:
    """Put an adapter into the weights of a model; its beginning of all prompts stays as the bare model read it."""
    from peft import set_peft_model_state_dict

    adapter = _wrapped(model)
    set_peft_model_state_dict(adapter, {name: torch.from_numpy(np.array(value)) for name, value in tensors.items()})
    model.model = adapter.merge_and_unload()


def _wrapped(model: LanguageModel) -> Any:
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(r=RANK, lora_alpha=SCALE, target_modules=MODULES)
    with silent():
        return get_peft_model(model.model, config, autocast_adapter_dtype=False)


def _batches(lesson: Lesson, rows: NDArray[np.int64]) -> Sequence[NDArray[np.int64]]:
    """Like lengths together, so that little is padding."""
    rows = rows[np.argsort([len(lesson.prompts[row]) for row in rows], kind="stable")]
    return [rows[at : at + BATCH_PAIRS] for at in range(0, len(rows), BATCH_PAIRS)]


def _pace(done: float) -> float:
    """Rise to the full rate, then fall along a cosine."""
    return min(done / WARMUP + 0.02, 1.0) * 0.5 * (1 + math.cos(math.pi * min(done, 1)))
