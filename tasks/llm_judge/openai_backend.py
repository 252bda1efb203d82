"""OpenAI-compatible backend: any server with the chat or completions API that gives log probabilities."""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from pydantic import SecretStr

from models.decision.llm_judge.calibration import Calibration
from models.decision.llm_judge.logprobs import UnusableError
from models.decision.llm_judge.prompt import LABELS, Query
from tasks.llm_judge.http_client import Calls, NoAnswerError, Patience, Usage
from tasks.llm_judge.request_formats import TRAINED, WAYS, Way

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_log = logging.getLogger(__name__)

PATIENCE = Patience()
PROBE = Query("The library opens at nine.", "The library opens at nine.", "probe")
"""Asked first, so that it is not the text of a document that decides how the endpoint is asked."""
NOT_THIS_WAY = ("rejected", "unknown", "no logprobs")


class EndpointError(RuntimeError):
    """This endpoint cannot answer anything that it is asked; says what to change."""


class Endpoint:
    """Endpoint of the judge behind a URL: a `models.decision.llm_judge.fuse.Backend`.

    Tried on a server of llama-cpp-python 0.3.36 (`make judge-server`), and on answers of the forms that
    `models.decision.llm_judge.logprobs` names, given by a server that fails in every way named in
    `tasks.llm_judge.http_client`.
    """

    def __init__(
        self,
        url: str,
        model: str,
        key: SecretStr | None,
        concurrency: int,
        timeout: float,
        patience: Patience = PATIENCE,
        calibration: Calibration | None = None,
    ) -> None:
        """Prepare; nothing is asked yet.

        Args:
            url: base URL, which mostly ends in `/v1`.
            model: name of the model at the endpoint.
            key: what the endpoint knows us by; None where it asks for none.
            concurrency: questions at a time.
            timeout: seconds of one call, from connecting to the last byte.
            patience: how often and how long it is asked again.
            calibration: of the trained judge, which is then asked as it was trained; None for any other model.

        Raises:
            ValueError: the URL is none, or holds a name or a password, which would be recorded with it.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("judge.url: expected http://HOST:PORT/v1 or https://HOST/v1")
        if parts.username or parts.password:
            raise ValueError(
                "judge.url holds a name or a password and is recorded: use judge.secret for what is secret"
            )
        self._url, self._name, self._key = url, model, key
        self._concurrency, self._timeout = concurrency, timeout
        self._calls = Calls(timeout, patience)
        self._calibration, self._ways = calibration, TRAINED if calibration else WAYS
        self._way: Way | None = None

    @property
    def model(self) -> str:
        """Name for audit rows and cache keys; a model is the same one at every URL."""
        return f"endpoint:{self._name}"

    @property
    def usage(self) -> Usage:
        """Calls, failures and tokens so far."""
        return self._calls.usage

    def ask(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        """Probabilities of `LABELS`, float32[n, 3], rows of sum 1 or, without a verdict, of NaN.

        Raises:
            EndpointError: before anything was answered: the endpoint refuses the key, does not know the model, or gives
                log probabilities in no way that it is asked; or the client is not installed.
        """
        rows = np.array(asyncio.run(self._ask(queries)) if queries else [], np.float32).reshape(-1, len(LABELS))
        return self._calibration.probabilities(np.log(rows)) if self._calibration else rows

    async def _ask(self, queries: Sequence[Query]) -> list[NDArray[np.float32]]:
        seats = asyncio.Semaphore(self._concurrency)

        async def seated(query: Query) -> NDArray[np.float32]:
            async with seats:
                return await self._verdict(client, query)

        async with self._client() as client:
            await self._settle(client)
            return await asyncio.gather(*map(seated, queries))

    def _client(self) -> "AsyncOpenAI":
        try:
            from openai import AsyncOpenAI
        except ModuleNotFoundError:
            raise EndpointError("judge.backend=endpoint needs the package openai") from None
        key = self._key.get_secret_value() if self._key else "none"  # the client must have one
        return AsyncOpenAI(base_url=self._url, api_key=key, timeout=self._timeout, max_retries=0)

    async def _settle(self, client: "AsyncOpenAI") -> None:
        """Find the way in which the endpoint can be asked; none where it cannot be reached now."""
        refusals: list[str] = []
        for way in self._ways if self._way is None else ():
            try:
                await self._calls.answer(client, way.path, self._body(way, PROBE))
            except NoAnswerError as error:
                if error.failure.kind == "denied":
                    raise self._error([error.failure.message]) from None
                if error.failure.kind not in NOT_THIS_WAY:
                    _log.warning("the judge at %s was not reached: %s", self._url, error)
                    return
                refusals.append(f"{way.name}: {error}")
            else:
                self._way = way
                return
        if refusals:
            raise self._error(refusals)

    def _error(self, said: list[str]) -> EndpointError:
        known = "the key that it holds was sent" if self._key else "it holds no key"
        return EndpointError(
            f"the judge '{self._name}' at {self._url} cannot be asked. Check judge.url (it mostly ends in /v1), "
            f"judge.model, judge.secret ({known}), and that the server gives log probabilities. "
            f"It said: {'; '.join(said)}"
        )

    async def _verdict(self, client: "AsyncOpenAI", query: Query) -> NDArray[np.float32]:
        kind = "not asked"
        try:
            if self._way and not self._calls.given_up:
                answer = await self._calls.answer(client, self._way.path, self._body(self._way, query))
                return self._way.read(answer)
        except (NoAnswerError, UnusableError) as error:
            kind = error.failure.kind if isinstance(error, NoAnswerError) else str(error)
        self.usage.failed[kind] += 1
        return np.full(len(LABELS), np.nan, np.float32)

    def _body(self, way: Way, query: Query) -> dict[str, object]:
        return way.body(query) | {"model": self._name}
