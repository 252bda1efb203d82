"""The ways in which endpoints are asked for label probabilities, the best first."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.decision.llm_judge.logprobs import Answer
from models.decision.llm_judge.prompt import BEGINNING, Query, brief, instruction, rendered

MAX_TOKENS = 4
"""Enough to see past a space or a quote, and whether the first token goes on as a label."""
ALTERNATIVES, FEW_ALTERNATIVES = 20, 5
"""Most alternatives that every server gives: in chats, and in completions."""
MANY_ALTERNATIVES = 20_000
"""Among so many stand the labels of the trained judge."""
SERVED = "semhash-judge"
"""Name of the trained judge at an endpoint, followed by a dash and the id of its adapter."""


class Way(NamedTuple):
    """A path below the base URL, the body of a request for one pair, without the model's name, and how it is read."""

    name: str
    path: str
    body: Callable[[Query], dict[str, Any]]
    read: Callable[[Answer], NDArray[np.float32]] = Answer.distribution


def _chat(query: Query) -> dict[str, Any]:
    return _answered(MAX_TOKENS) | {
        "messages": [{"role": "system", "content": instruction()}, {"role": "user", "content": rendered(query)}]
    }


def _chat_new_limit(query: Query) -> dict[str, Any]:
    body = _chat(query)
    return body | {"max_completion_tokens": body.pop("max_tokens")}


def _chat_one_message(query: Query) -> dict[str, Any]:
    return _chat(query) | {"messages": [{"role": "user", "content": f"{instruction()}\n\n{rendered(query)}"}]}


def _completion(query: Query) -> dict[str, Any]:
    return {
        "prompt": f"{instruction()}\n{rendered(query)}",
        "max_tokens": MAX_TOKENS,
        "temperature": 0,
        "logprobs": FEW_ALTERNATIVES,
    }


def _trained(query: Query) -> dict[str, Any]:
    return {
        "prompt": f"{BEGINNING}{brief(query)}",
        "max_tokens": 1,
        "temperature": 0,
        "logprobs": MANY_ALTERNATIVES,
    }


def _answered(limit: int) -> dict[str, Any]:
    return {"max_tokens": limit, "temperature": 0, "logprobs": True, "top_logprobs": ALTERNATIVES}


WAYS = (
    Way("chat", "/chat/completions", _chat),
    Way("chat with max_completion_tokens", "/chat/completions", _chat_new_limit),
    Way("chat without a system message", "/chat/completions", _chat_one_message),
    Way("completion", "/completions", _completion),
)
TRAINED = (Way("completion as trained", "/completions", _trained, Answer.words),)
"""How the trained judge is asked, and nobody else."""
