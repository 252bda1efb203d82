"""The judge at an endpoint, against a server that gives every form of answer and fails in every way."""

import json
import logging
import math
import time

import numpy as np
import pytest
from prefect.blocks.system import Secret
from pydantic import SecretStr

from models.decision.llm_judge.calibration import Calibration
from models.decision.llm_judge.logprobs import Answer, UnusableError
from models.decision.llm_judge.prompt import BEGINNING, Query
from tasks.llm_judge.http_client import Patience, retry_after
from tasks.runtime.secret_values import secret
from tests.support.servers.fault_proxy import Reply, serving

pytest.importorskip("openai")
from tasks.llm_judge.openai_backend import Endpoint, EndpointError

KEY = "sk-not-for-anyone"
SURE = {"duplicate": 0.8, "distinct": 0.15, "The": 0.05}
QUERIES = [Query(f"one {number}", f"other {number}", "fence") for number in range(6)]
QUICK = Patience(first=0.01, longest=0.02)


def chat(said: dict[str, float], *more: str, **rest) -> dict:
    """A chat answer whose first token has these probabilities, the likeliest is said."""
    first = [{"token": token, "logprob": math.log(p), "bytes": None} for token, p in said.items()]
    positions = [first[0] | {"top_logprobs": first}, *({"token": t, "logprob": 0.0, "top_logprobs": []} for t in more)]
    usage = {"prompt_tokens": 100, "completion_tokens": 2}
    return {"choices": [{"logprobs": {"content": positions}, "message": {}}], "usage": usage} | rest


def completion(said: dict[str, float], *more: str) -> dict:
    tokens = [next(iter(said)), *more]
    alternatives = [{token: math.log(p) for token, p in said.items()}, *({token: 0.0} for token in more)]
    return {"choices": [{"text": "", "logprobs": {"tokens": tokens, "top_logprobs": alternatives}}]}


def reply(answer: dict, **how) -> Reply:
    return Reply(200, json.dumps(answer).encode(), **how)


GOOD = reply(chat(SURE))


def ask(script, queries=QUERIES, *, patience=QUICK, concurrency=2, timeout=10.0):
    with serving(script) as proxy:
        endpoint = Endpoint(proxy.url, "some-model", SecretStr(KEY), concurrency, timeout, patience)
        return endpoint.ask(queries), endpoint, proxy


def about(number: int, body: dict) -> bool:
    """Whether a request is about this one of `QUERIES`."""
    return f"one {number}\n" in json.dumps(body).replace("\\n", "\n")


def distribution(answer: dict) -> list[float]:
    return Answer.parse(json.dumps(answer).encode()).distribution().tolist()


@pytest.mark.parametrize(
    "answer",
    [
        chat({"duplicate": 0.6, "distinct": 0.2, "The": 0.2}),
        completion({" duplicate": 0.6, " distinct": 0.2, "\n": 0.2}),
        chat({"Ġdu": 0.6, "▁Dist": 0.2, "no": 0.2}, "plicate"),
        chat({'"duplicate"': 0.4, "DUPLICATE": 0.2, "dis": 0.2, "d": 0.2}),
        chat({"dup": 0.6, "**distinct": 0.2, "The": 0.2}, "lic"),
    ],
)
def test_labels_are_read_from_every_form_of_token(answer):
    """0.6 and 0.2 of 0.8; a `d` could begin two labels, so that it counts for none."""
    np.testing.assert_allclose(distribution(answer), [0.75, 0.25, 0], atol=1e-6)


def test_space_before_the_label_is_passed_over():
    answer = chat({" ": 0.9, "distinct": 0.1})
    answer["choices"][0]["logprobs"]["content"].append(
        chat({"contained": 0.9, "duplicate": 0.1})["choices"][0]["logprobs"]["content"][0]
    )
    np.testing.assert_allclose(distribution(answer), [0.1, 0, 0.9], atol=1e-6)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (chat({"The": 0.52, "duplicate": 0.48}), "nonsense"),
        (chat({"dis": 0.9, "duplicate": 0.1}, "agree"), "nonsense"),
        (chat({"\n": 1.0}), "nonsense"),
        (chat({"c": 0.6, "contained": 0.4}), "nonsense"),
        (chat({"duplicate": math.e}), "malformed"),
        (chat({"duplicate": 0.9, "distinct": 0.9}), "malformed"),
        ({"choices": []}, "malformed"),
        ({"error": "overloaded"}, "malformed"),
        ({"choices": [{"message": {"content": "duplicate"}}]}, "no logprobs"),
        ({"choices": [{"logprobs": {"content": None}}]}, "no logprobs"),
        ({"choices": [{"logprobs": {"content": []}}]}, "no logprobs"),
    ],
)
def test_what_says_nothing_of_the_labels_is_no_verdict(answer, kind):
    with pytest.raises(UnusableError, match=kind):
        distribution(answer)


def test_the_trained_judge_is_asked_as_it_was_trained_and_calibrated():
    told = {"\n": 0.9, " con": 0.09, " duplicate": 4e-4, " distinct": 2e-4, " contained": 2e-4, "duplicate": 0.005}
    plain = Calibration((0.0, 0.0, 0.0), 0, 2)
    with serving(lambda *_: reply(completion(told))) as proxy:
        rows = Endpoint(proxy.url, "semhash-judge-1", None, 1, 10.0, QUICK, plain).ask(QUERIES[:1])
    roots = np.sqrt([2, 1, 1])
    np.testing.assert_allclose(rows, [roots / roots.sum()], atol=1e-5)
    asked = {(path, body["prompt"]) for path, _, body in proxy.asked[1:]}
    assert asked == {("/completions", f"{BEGINNING}> one 0\nDocument B:\n> other 0\nAnswer:")}


def test_an_answer_without_one_of_the_words_is_no_verdict_of_the_trained_judge():
    told = iter([SPOKEN, {" duplicate": 0.4, " distinct": 0.1, " contain": 0.3}])
    plain = Calibration((0.0, 0.0, 0.0), 0, 1)
    with serving(lambda *_: reply(completion(next(told)))) as proxy:
        endpoint = Endpoint(proxy.url, "semhash-judge-1", None, 1, 10.0, QUICK, plain)
        assert np.isnan(endpoint.ask(QUERIES[:1])).all()
    assert endpoint.usage.failed == {"no logprobs": 1}


SPOKEN = {" duplicate": 0.4, " distinct": 0.3, " contained": 0.2}


def test_answers_come_back_in_order_however_slow_each_is():
    def script(number, path, body):
        for place in range(6):
            if about(place, body):
                share = 0.9 - place / 10
                return reply(chat({"duplicate": share, "distinct": 1 - share}), after=0.1 * (place % 2 == 0))
        return GOOD

    rows, endpoint, proxy = ask(script, concurrency=3)
    np.testing.assert_allclose(rows[:, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4], atol=1e-6)
    assert rows.dtype == np.float32 and np.allclose(rows.sum(1), 1)
    assert proxy.most_open == 3
    assert (endpoint.usage.calls, endpoint.usage.retries, endpoint.usage.failed) == (7, 0, {})
    assert (endpoint.usage.prompt_tokens, endpoint.usage.completion_tokens) == (700, 14)
    assert endpoint.usage.cost(2.0, 10.0) == pytest.approx(0.00154)
    path, headers, body = proxy.asked[-1]
    assert (path, headers["authorization"], body["model"]) == ("/chat/completions", f"Bearer {KEY}", "some-model")
    assert body["temperature"] == 0 and body["logprobs"] and [m["role"] for m in body["messages"]] == ["system", "user"]


FAULTS = {
    "rate limit": Reply(429, b"{}", {"Retry-After": "0.05"}),
    "server error": Reply(500, b"<html>"),
    "connection": GOOD._replace(cut=True),
    "malformed": Reply(200, b'{"choices": [{"logpr'),
    "timeout": GOOD._replace(after=2.0),
}


def seconds(kind: str) -> float:
    """For a call; no answer should be late because others use the machine."""
    return 0.6 if kind == "timeout" else 10.0


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAULTS)
def test_passing_fault_is_tried_again(kind):
    def script(number, path, body):
        return FAULTS[kind] if number in (1, 2) else GOOD

    rows, endpoint, _ = ask(script, QUERIES[:1], timeout=seconds(kind))
    np.testing.assert_allclose(rows, [[0.8 / 0.95, 0.15 / 0.95, 0]], atol=1e-6)
    assert (endpoint.usage.calls, endpoint.usage.retries, endpoint.usage.failed) == (4, 2, {})


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAULTS)
def test_lasting_fault_leaves_its_pair_without_a_verdict(kind):
    rows, endpoint, _ = ask(lambda number, path, body: FAULTS[kind] if about(1, body) else GOOD, timeout=seconds(kind))
    assert np.isnan(rows).all(1).tolist() == [False, True, False, False, False, False]
    assert endpoint.usage.failed == {kind: 1} and endpoint.usage.retries == QUICK.tries - 1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (reply(chat({"Yes": 1.0})), "nonsense"),
        (reply({"choices": [{"message": {"content": "duplicate"}}]}), "no logprobs"),
        (Reply(400, b'{"error": {"message": "too long"}}'), "rejected"),
    ],
)
def test_what_would_not_change_is_not_asked_again(answer, kind):
    rows, endpoint, proxy = ask(lambda number, path, body: answer if about(1, body) else GOOD)
    assert np.isnan(rows).all(1).sum() == 1
    assert endpoint.usage.failed == {kind: 1} and len(proxy.asked) == 7


def test_answer_that_drips_is_cut_off_by_the_clock():
    begun = time.monotonic()
    rows, endpoint, _ = ask(
        lambda number, path, body: GOOD._replace(drip=0.05) if about(0, body) else GOOD,
        QUERIES[:1],
        timeout=0.3,
        patience=QUICK._replace(tries=1),
    )
    assert np.isnan(rows).all() and endpoint.usage.failed == {"timeout": 1} and time.monotonic() - begun < 5


def test_everyone_waits_when_one_is_told_to():
    moments = []

    def script(number, path, body):
        moments.append(time.monotonic())
        return Reply(429, b"{}", {"Retry-After": "0.6"}) if number == 1 else GOOD._replace(after=0.05)

    rows, endpoint, _ = ask(script, concurrency=2)
    waited = np.array(moments) - moments[1]
    assert not np.isnan(rows).any() and endpoint.usage.retries == 1
    assert not ((waited > 0.3) & (waited < 0.6)).any() and (waited >= 0.6).sum() >= 5


def test_longer_wait_than_patience_is_not_waited_for():
    rows, endpoint, proxy = ask(
        lambda number, path, body: Reply(429, b"{}", {"Retry-After": "3600"}) if about(0, body) else GOOD, QUERIES[:1]
    )
    assert np.isnan(rows).all() and len(proxy.asked) == 2 and endpoint.usage.failed == {"rate limit": 1}


def test_dead_endpoint_is_soon_left_alone():
    rows, endpoint, proxy = ask(lambda number, path, body: Reply(503) if number else GOOD, QUERIES * 50)
    assert np.isnan(rows).all()
    assert len(proxy.asked) <= 1 + QUICK.failures + 2
    assert endpoint.usage.failed["not asked"] > 280 and endpoint.usage.failed.total() == 300


@pytest.mark.slow
def test_endpoint_that_fails_now_and_then_is_not_left_alone():
    rows, endpoint, _ = ask(lambda number, path, body: Reply(500) if number % 2 else GOOD, QUERIES * 5, concurrency=1)
    assert not np.isnan(rows).any() and endpoint.usage.retries == 30 > QUICK.failures


def test_endpoint_that_is_not_there_is_no_error():
    with serving(lambda *_: GOOD) as gone:
        pass
    endpoint = Endpoint(gone.url, "some-model", None, 4, 1.0, QUICK)
    assert np.isnan(endpoint.ask(QUERIES)).all()
    assert endpoint.usage.failed == {"not asked": 6} and endpoint.usage.calls == QUICK.tries


def test_rejected_pairs_do_not_end_the_questions():
    """Else whoever gets his documents filtered could keep the judge from all others."""
    rows, *_ = ask(
        lambda number, path, body: GOOD if about(0, body) or not number else Reply(400),
        [*QUERIES[1:]] * 8 + QUERIES[:1],
    )
    assert np.isnan(rows[:-1]).all() and not np.isnan(rows[-1]).any()


@pytest.mark.parametrize("status", [401, 403, 404])
def test_wrong_key_or_model_is_one_clear_error(status, caplog):
    caplog.set_level(logging.DEBUG)
    said = json.dumps({"error": {"message": f"no entry with {KEY} for some-model"}}).encode()
    with serving(lambda *_: Reply(status, said)) as proxy:
        endpoint = Endpoint(proxy.url, "some-model", SecretStr(KEY), 4, 1.0, QUICK)
        with pytest.raises(EndpointError) as caught:
            endpoint.ask(QUERIES * 50)
    text = str(caught.value)
    assert len(proxy.asked) <= 4
    assert all(
        word in text for word in (proxy.url, "some-model", "judge.secret", "judge.model", str(status), "no entry")
    )
    chain = [caught.value, caught.value.__cause__]
    assert KEY not in "".join(map(repr, [*chain, endpoint, vars(endpoint)])) + text + caplog.text


def test_key_that_is_refused_later_keeps_what_was_answered():
    rows, endpoint, proxy = ask(lambda number, path, body: GOOD if number < 3 else Reply(401, b"{}"), concurrency=1)
    assert np.isnan(rows).all(1).tolist() == [False, False, True, True, True, True]
    assert endpoint.usage.failed == {"denied": 1, "not asked": 3} and len(proxy.asked) == 4


@pytest.mark.parametrize(
    ("takes", "asked"),
    [
        (lambda path, body: "max_completion_tokens" in body, 2),
        (lambda path, body: len(body.get("messages", "12")) == 1, 3),
        (lambda path, body: path == "/completions", 4),
    ],
)
def test_other_ways_are_tried_before_giving_up(takes, asked):
    def script(number, path, body):
        known = reply(completion(SURE)) if path == "/completions" else GOOD
        return known if takes(path, body) else Reply(400, b'{"error": {"message": "not like this"}}')

    rows, endpoint, _ = ask(script)
    assert not np.isnan(rows).any() and endpoint.usage.calls == asked + len(QUERIES)


def test_server_without_log_probabilities_is_one_clear_error():
    silent = reply({"choices": [{"message": {"content": "duplicate"}, "text": "duplicate"}]})
    with pytest.raises(EndpointError, match="log probabilities"):
        ask(lambda *_: silent)


@pytest.mark.parametrize("url", ["localhost:8000/v1", "ftp://host/v1", "https://me:pass99@host/v1"])
def test_url_must_be_one_and_hold_no_secret(url):
    with pytest.raises(ValueError, match=r"judge\.url") as caught:
        Endpoint(url, "some-model", None, 1, 1.0)
    assert "pass99" not in str(caught.value)


def test_key_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("SOME_KEY", f" {KEY}\n")
    assert secret("SOME_KEY").get_secret_value() == KEY and KEY not in repr(secret("SOME_KEY"))
    assert secret("NO_SUCH_VARIABLE_IS_SET") is None
    monkeypatch.setenv("SOME_KEY", "sk-\nx")
    with pytest.raises(ValueError, match="SOME_KEY") as caught:
        secret("SOME_KEY")
    assert "sk-" not in str(caught.value)


def test_key_comes_from_a_block(monkeypatch):
    def load(name):
        if name != "judge":
            raise ValueError("Unable to find block document")
        return Secret(value="12e4")

    monkeypatch.setattr(Secret, "load", load)
    assert secret("block:judge").get_secret_value() == "12e4"
    with pytest.raises(ValueError, match="no Prefect Secret block 'other'"):
        secret("block:other")


def test_retry_after_is_seconds_or_a_date():
    assert retry_after({"retry-after": "2.5"}) == 2.5
    assert (
        50
        < retry_after({"retry-after": time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 60))})
        <= 60
    )
    for nothing in ({}, {"retry-after": "soon"}, {"retry-after": "-1"}, {"retry-after": "inf"}):
        assert retry_after(nothing) is None


def test_pauses_grow_and_keep_to_what_is_asked_for():
    pauses = np.array([Patience().pause(tried, None) for tried in range(1, 7)]) / [0.5, 1, 2, 4, 8, 8]
    assert ((pauses >= 1) & (pauses <= 1.5)).all()
    assert 30 <= Patience().pause(1, 30.0) <= 45
