"""HTTP client of an endpoint: timeout, retries with growing pauses, circuit breaker when nothing answers any more."""

import asyncio
import email.utils
import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from models.decision.llm_judge.logprobs import Answer, UnusableError

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

DENIED = (401, 402, 403)
REJECTED = (400, 413, 422)
"""Said of this request; all others are said of the endpoint."""
TRANSIENT = (408, 409, 425, 429)
LONGEST = 300
"""Characters of what a server says that are repeated."""


class Patience(NamedTuple):
    """Retry policy: bounds on asking again, in number and time."""

    tries: int = 4
    """Calls for one question."""
    first: float = 0.5
    """Seconds before the second call; the pause doubles from then on."""
    longest: float = 8.0
    """Seconds of the longest pause that the server did not ask for."""
    total: float = 180.0
    """Seconds from the first call of a question in which another may begin."""
    failures: int = 20
    """Calls that fail one after the other until nothing is asked any more."""

    def pause(self, tried: int, asked_for: float | None) -> float:
        """Seconds until the next call: what the server asked for, else exponential, either with up to half added.

        The random part keeps those who were turned away together from coming back together.
        """
        alone = min(self.longest, self.first * 2 ** (tried - 1))
        return (alone if asked_for is None else asked_for) * random.uniform(1, 1.5)


class Failure(NamedTuple):
    """Failure of a call.

    Its kind is one of: timeout, connection, rate limit, server error, malformed (these are tried again), denied,
    unknown, rejected, no logprobs.
    """

    kind: str
    message: str
    again: bool = False
    wait: float | None = None
    """Seconds that the server asks to wait."""


class NoAnswerError(Exception):
    """A question to which there is no answer."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


@dataclass
class Usage:
    """Usage so far: calls and tokens."""

    calls: int = 0
    retries: int = 0
    """Calls that repeat another."""
    failed: Counter[str] = field(default_factory=Counter)
    """Pairs without a verdict, by reason: a kind of `Failure`, nonsense, or not asked."""
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def cost(self, prompt_price: float, completion_price: float) -> float:
        """Price of the tokens, given prices of a million of each kind."""
        return (self.prompt_tokens * prompt_price + self.completion_tokens * completion_price) / 1e6


class Calls:
    """Calls of one endpoint by any number of coroutines; what one learns of it holds for all."""

    def __init__(self, timeout: float, patience: Patience) -> None:
        self.usage = Usage()
        self._timeout, self._patience = timeout, patience
        self._failures = 0
        self._closed_until = 0.0

    @property
    def given_up(self) -> bool:
        """Whether the endpoint is not called any more: too many failures one after the other, or it refuses us."""
        return self._failures >= self._patience.failures

    async def answer(self, client: "AsyncOpenAI", path: str, body: dict[str, Any]) -> Answer:
        """Post until there is an answer with log probabilities, or patience ends.

        Raises:
            NoAnswerError: with the last failure.
        """
        begun, tried = time.monotonic(), 0
        while True:
            await asyncio.sleep(self._closed_until - time.monotonic())
            try:
                return await self._post(client, path, body)
            except NoAnswerError as error:
                failure = error.failure
            self._learn(failure)
            tried += 1
            pause = self._patience.pause(tried, failure.wait)
            late = time.monotonic() + pause > begun + self._patience.total
            if not failure.again or tried == self._patience.tries or late or self.given_up:
                raise NoAnswerError(failure)
            if failure.wait is not None:
                self._closed_until = max(self._closed_until, time.monotonic() + failure.wait)
            self.usage.retries += 1
            await asyncio.sleep(pause)

    async def _post(self, client: "AsyncOpenAI", path: str, body: dict[str, Any]) -> Answer:
        import httpx2
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        self.usage.calls += 1
        try:
            async with asyncio.timeout(self._timeout):
                response = await client.post(path, body=body, cast_to=httpx2.Response)
            answer = Answer.parse(response.content)
        except APIStatusError as error:
            raise NoAnswerError(_refusal(error, client.api_key)) from None
        except (TimeoutError, APITimeoutError):
            raise NoAnswerError(Failure("timeout", f"no answer within {self._timeout:g} s", again=True)) from None
        except APIConnectionError as error:
            cause = type(error.__cause__).__name__  # not its words: they may hold the header with the key
            raise NoAnswerError(Failure("connection", f"no connection ({cause})", again=True)) from None
        except UnusableError as error:
            raise NoAnswerError(Failure(str(error), str(error), again=str(error) == "malformed")) from None
        self._failures = 0
        if answer.usage:
            self.usage.prompt_tokens += answer.usage.prompt_tokens
            self.usage.completion_tokens += answer.usage.completion_tokens
        return answer

    def _learn(self, failure: Failure) -> None:
        if failure.kind == "denied":
            self._failures = self._patience.failures
        elif failure.kind not in ("rejected", "no logprobs"):  # else whoever writes a document could end all questions
            self._failures += 1


def _refusal(error: "APIStatusError", key: str) -> Failure:
    """Failure by a status other than success; the server's words without the key, which some repeat."""
    status = error.status_code
    message = f"{status} {error.message}".replace(key, "…")[:LONGEST]
    if status in DENIED or error.code == "insufficient_quota":
        return Failure("denied", message)
    if status in TRANSIENT or (status >= 500 and status != 501):
        kind = "rate limit" if status == 429 else "server error"
        return Failure(kind, message, again=True, wait=retry_after(error.response.headers))
    return Failure("rejected" if status in REJECTED else "unknown", message)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that an answer asks to wait (`Retry-After`, as a number or a date); None where it does not say."""
    said = headers.get("retry-after", "")
    try:
        seconds = float(said)
    except ValueError:
        date = email.utils.parsedate_tz(said)
        seconds = email.utils.mktime_tz(date) - time.time() if date else -1.0
    return seconds if 0 <= seconds < float("inf") else None
