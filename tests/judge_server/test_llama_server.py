"""The endpoint judge against llama-cpp-python, directly and through a proxy that breaks what it is told to."""

import json
from collections import Counter

import numpy as np
import pytest
from pydantic import SecretStr

from models import bundle
from models.decision.llm_judge.calibration import Calibration
from models.decision.llm_judge.prompt import LABELS, Query, query
from models.parameters import Encoder
from tasks.llm_judge import request_formats as ways
from tasks.llm_judge.export_gguf import export
from tasks.llm_judge.http_client import Patience
from tasks.llm_judge.openai_backend import Endpoint, EndpointError
from tests.judge_server.server import KEY, model, running, without_template
from tests.support.servers.fault_proxy import Reply, serving
from tests.support.texts.hostile import clean_pairs

pytestmark = pytest.mark.judge_server

PATTERN = """\
One = one: duplicate
Red fox = blue whale: distinct
Milk = bread and milk: contained
Sun = sun: duplicate
Car = tree: distinct
Tea = tea and cake: contained
Rain = rain: duplicate"""
"""A model of 135 million weights that nobody trained for the task follows a pattern, but not the judge's prompt."""
PAIRS = [Query("Snow", "snow", ""), Query("Snow", "river", ""), Query("Wine", "wine and cheese", "")]
SECONDS = 120.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("judge-server")


@pytest.fixture(scope="module")
def plain(folder):
    return without_template(folder)


@pytest.fixture(scope="module")
def server(plain, folder):
    with running(plain, 256, folder / "server.log") as started:
        yield started


@pytest.fixture
def pattern(monkeypatch):
    """Ask by the pattern in place of the judge's prompt."""
    monkeypatch.setattr(ways, "instruction", lambda: PATTERN)
    monkeypatch.setattr(ways, "rendered", lambda asked: f"{asked.document_a} = {asked.document_b}:")


def judge(url, *, key=KEY, concurrency=2, timeout=SECONDS) -> Endpoint:
    return Endpoint(url, "smollm2", SecretStr(key), concurrency, timeout, Patience(first=0.05))


def about(pair: Query, body: dict) -> bool:
    return f"{pair.document_a} = {pair.document_b}:" in json.dumps(body)


def sound(rows: np.ndarray):
    np.testing.assert_allclose(rows.sum(1), 1, atol=1e-5)
    assert ((rows > 0) & (rows < 1)).all()
    assert [LABELS[place] for place in rows.argmax(1)] == ["duplicate", "distinct", "contained"]


def test_chat_and_completion_agree_and_repeat_themselves(server, pattern):
    endpoint = judge(server.url)
    rows = endpoint.ask(PAIRS)
    sound(rows)
    np.testing.assert_allclose(endpoint.ask(PAIRS), rows, atol=1e-3)
    assert endpoint.usage.calls == 7 and not endpoint.usage.failed
    assert endpoint.usage.prompt_tokens > 7 * 50 and endpoint.usage.completion_tokens <= 7 * ways.MAX_TOKENS

    with serving(lambda _, path, __: None if path == "/completions" else Reply(404), server.url) as proxy:
        completed = judge(proxy.url).ask(PAIRS)
    sound(completed)
    np.testing.assert_allclose(completed, rows, atol=0.05)  # of fewer alternatives


def test_faults_are_overcome_or_leave_no_verdict(server, pattern):
    """Each pair meets two faults in turn; one meets nonsense each time."""
    faults = [
        Reply(429, b"{}", {"Retry-After": "0.2"}),
        Reply(500),
        Reply(200, b'{"choices": [', cut=True),
        Reply(200, b'{"choices": [{"index"'),
        Reply(502, after=0.2),
        Reply(503, b"{}", {"Retry-After": "0.1"}),
    ]
    lost = Query("Boat", "boat", "")
    told = {"choices": [{"logprobs": {"tokens": ["Yes"], "top_logprobs": [{"Yes": -0.01, "No": -5.0}]}}]}
    met = Counter()

    def script(number, path, body):
        if about(lost, body):
            return Reply(200, json.dumps(told).encode())
        for place, pair in enumerate(PAIRS):
            if about(pair, body):
                met[place] += 1
                return faults[place * 2 + met[place] - 1] if met[place] <= 2 else None
        return None

    with serving(script, server.url) as proxy:
        endpoint = judge(proxy.url)
        rows = endpoint.ask([*PAIRS, lost])
    sound(rows[:3])
    assert np.isnan(rows[3]).all()
    assert (endpoint.usage.retries, endpoint.usage.failed) == (6, {"nonsense": 1})


def test_server_that_is_killed_leaves_the_rest_without_verdicts(plain, folder, pattern):
    with running(plain, 256, folder / "killed.log") as server:

        def script(number, path, body):
            return server.process.kill() if number == 3 else None

        with serving(script, server.url) as proxy:
            endpoint = judge(proxy.url, concurrency=1)
            rows = endpoint.ask([*PAIRS, *PAIRS])
    assert np.isnan(rows).all(1).tolist() == [False, False, True, True, True, True]
    assert endpoint.usage.failed == {"server error": 4}
    assert np.isnan(judge(server.url).ask(PAIRS)).all()


def test_wrong_key_is_one_clear_error(server, pattern):
    with serving(lambda *_: None, server.url) as proxy:
        with pytest.raises(EndpointError, match=r"judge\.secret.*401"):
            judge(proxy.url, key="sk-of-another").ask(PAIRS * 50)
        assert len(proxy.asked) == 1


def test_context_that_is_too_small_is_one_clear_error(server):
    with pytest.raises(EndpointError, match="maximum context length"):
        judge(server.url).ask([query("One.", "One.", 1200)])


def test_model_that_speaks_of_other_things_gives_no_verdict(folder):
    """The small model as it is, by its own chat template, does not answer the judge's prompt with a label."""
    with running(model(), 1024, folder / "chat.log") as server:
        endpoint = judge(server.url)
        rows = endpoint.ask([query("The bridge opens in May.", "The bridge opens in June.", 1200)])
    assert np.isnan(rows).all() and endpoint.usage.failed == {"nonsense": 1}


def test_the_trained_judge_says_at_a_server_what_it_says_here(folder):
    """Not to the digit: weights stay quantised there, and the adapter reads the beginning of the prompt, too.

    Without its adapter it says something else, so the tolerance tells.
    """
    from models.decision.llm_judge.local import LocalJudge

    learned, pairs = bundle.load(), clean_pairs()[::18]
    asked = [query(one, other, 600) for one, other in pairs.select("text_a", "text_b").iter_rows()]
    here = LocalJudge.load(learned.judge, learned.judge_settings).ask(asked)
    export(folder / "judge.gguf", Encoder())
    distances = []
    for adapter in (folder / "judge.gguf", None):
        with running(model(), 2048, folder / "trained.log", adapter) as server:
            trained = Calibration(**learned.judge_settings["calibration"])
            endpoint = Endpoint(server.url, "semhash-judge", SecretStr(KEY), 1, SECONDS, calibration=trained)
            there = endpoint.ask(asked)
        np.testing.assert_allclose(there.sum(1), 1, atol=1e-5)
        distances.append(np.abs(there - here))
    print([(each.mean(), each.max()) for each in distances])
    assert distances[0].max() < 0.2 and distances[0].mean() < 0.06
    assert distances[1].mean() > 0.12
