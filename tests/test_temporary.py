"""The server that a command starts for itself: there while it runs, gone afterwards, and not where one is set."""

from urllib.error import URLError
from urllib.request import urlopen
from uuid import uuid4

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings
from prefect.utilities.urls import url_for

from flows import temporary


def test_a_server_answers_in_the_block_and_not_after_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    with temporary_settings(restore_defaults={PREFECT_API_URL}), temporary.server():
        health = f"{PREFECT_API_URL.value()}/health"
        with urlopen(health) as answer:
            assert answer.status == 200
        assert url_for("flow-run", uuid4()) is None, "its pages are gone before anyone could open them"
    assert (tmp_path / "prefect.db").exists(), "its runs stay, for a server that is started later"
    with pytest.raises(URLError):
        urlopen(health)


def test_none_is_started_where_one_is_set(monkeypatch):
    monkeypatch.setattr(temporary.subprocess, "Popen", lambda *_, **__: pytest.fail("a server was started"))
    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:1/api"}), temporary.server():
        assert PREFECT_API_URL.value() == "http://127.0.0.1:1/api"


def test_a_server_that_ends_by_itself_is_told(monkeypatch):
    monkeypatch.setattr(temporary.sys, "executable", "false")
    with (
        temporary_settings(restore_defaults={PREFECT_API_URL}),
        pytest.raises(RuntimeError, match=r" API server .* ended by itself"),
        temporary.server(),
    ):
        pytest.fail("the block ran without a server")
