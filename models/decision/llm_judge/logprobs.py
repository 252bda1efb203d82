"""Label probabilities from the first token of an endpoint's answer, `eq:llm_judge`, whichever server gave it.

Servers agree on two forms of log probabilities and mix them with the two kinds of request: a list of positions
(`content`: OpenAI, vLLM and Ollama for chat, llama.cpp for both kinds) and parallel lists (`tokens`, `top_logprobs`:
completions of OpenAI, vLLM and llama-cpp-python). Either is read from either kind of request.
"""

import math

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from models.decision.llm_judge.prompt import LABELS

MIN_MASS = 0.5
"""Probability that the labels together must hold: below it the model rather said something else."""
SPACES = str.maketrans({"Ġ": " ", "▁": " ", "Ċ": "\n"})
"""Some servers give tokens as their vocabulary spells them."""
WRAPPING = " \t\r\n\"'`*_#>()[]{}<:.,-"
"""What models write around a label."""
MIN_LETTERS = 2
"""One letter stands for no label: it begins two of them, and many another word; two letters tell them apart."""


class UnusableError(ValueError):
    """An answer without a verdict; the message says which kind: "malformed", "no logprobs" or "nonsense"."""


class _Token(BaseModel):
    token: str
    logprob: float


class _Position(BaseModel):
    token: str
    top_logprobs: list[_Token] = []


class _Logprobs(BaseModel):
    content: list[_Position] | None = None
    tokens: list[str] | None = None
    top_logprobs: list[dict[str, float] | None] | None = None

    def positions(self) -> list[_Position]:
        """The generated tokens with their alternatives, in order."""
        if self.content is not None:
            return self.content
        return [
            _Position(
                token=token,
                top_logprobs=[_Token(token=other, logprob=logprob) for other, logprob in (alternatives or {}).items()],
            )
            for token, alternatives in zip(self.tokens or [], self.top_logprobs or [], strict=False)
        ]


class _Choice(BaseModel):
    logprobs: _Logprobs | None = None


class Tokens(BaseModel):
    """Tokens that a call was charged."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


class Answer(BaseModel):
    """What is read of the body of an answer; anything else in it is passed over."""

    choices: list[_Choice]
    usage: Tokens | None = None

    @classmethod
    def parse(cls, body: bytes) -> "Answer":
        """Read a body.

        Raises:
            UnusableError: it is not the JSON of an answer ("malformed"), or has no log probabilities ("no logprobs").
        """
        try:
            answer = cls.model_validate_json(body)
        except ValidationError:
            raise UnusableError("malformed") from None
        if not answer.choices:
            raise UnusableError("malformed")
        logprobs = answer.choices[0].logprobs
        if logprobs is None or not any(position.top_logprobs for position in logprobs.positions()):
            raise UnusableError("no logprobs")
        return answer

    def distribution(self) -> NDArray[np.float32]:
        """Probabilities of `LABELS`, float32[3], their sum 1, from the first token that has letters.

        An alternative at that place counts for the label that it begins, or that begins it, apart from case, spaces and
        quotes. The rest of the mass is what the model did not say.

        Raises:
            UnusableError: the labels hold less than `MIN_MASS` ("nonsense"), or what is given are no probabilities
                ("malformed").
        """
        logprobs = self.choices[0].logprobs
        said = logprobs.positions() if logprobs else []
        while said and not _word(said[0].token):
            said = said[1:]
        if not said:
            raise UnusableError("nonsense")
        mass = np.zeros(len(LABELS))
        for alternative in said[0].top_logprobs:
            label = _label(alternative.token)
            if label is not None and (alternative.token != said[0].token or _goes_on(said, LABELS[label])):
                mass[label] += math.exp(min(alternative.logprob, 1.0))
        total = mass.sum()
        if not total <= 1.01:  # NaN, too
            raise UnusableError("malformed")
        if total < MIN_MASS:
            raise UnusableError("nonsense")
        shares: NDArray[np.float32] = (mass / total).astype(np.float32)
        return shares

    def words(self) -> NDArray[np.float32]:
        """Probabilities of `LABELS`, float32[3], their sum 1, from the very first token and whole words only.

        For the trained judge, which learned to tell the labels from each other and not to say nothing else: they hold
        a ten-thousandth of the mass, so there is no bar, and that of words they share a beginning with is not theirs.

        Raises:
            UnusableError: a label is not among the alternatives ("no logprobs").
        """
        logprobs = self.choices[0].logprobs
        said = logprobs.positions() if logprobs else []
        found = {one.token.translate(SPACES): one.logprob for one in (said[0].top_logprobs if said else [])}
        logits = np.array([found.get(f" {label}", math.nan) for label in LABELS])
        if not np.isfinite(logits).all():
            raise UnusableError("no logprobs")
        shares = np.exp(logits - logits.max())
        whole: NDArray[np.float32] = (shares / shares.sum()).astype(np.float32)
        return whole


def _word(token: str) -> str:
    return token.translate(SPACES).strip(WRAPPING).casefold()


def _label(token: str) -> int | None:
    word = _word(token)
    if len(word) < MIN_LETTERS:
        return None
    return next((at for at, label in enumerate(LABELS) if label.startswith(word) or word.startswith(label)), None)


def _goes_on(said: list[_Position], label: str) -> bool:
    """Whether the tokens that followed do not turn the beginning of a label into another word: "dis", "agree"."""
    text = _word("".join(position.token for position in said))
    return text.startswith(label) or label.startswith(text)
