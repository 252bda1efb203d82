"""Workers know the stage that gives them a task, and Prefect's settings since they began."""

import signal
import ssl

import pytest
from prefect.settings import PREFECT_UI_URL, temporary_settings
from prefect.task_runners import ProcessPoolTaskRunner

import tasks.parallel.runners
from tasks.parallel.runners import Processes, share, split, without_authorities, workers
from tasks.runtime.run import Run
from tests.support.processes.unruly import at_work


def test_the_context_is_packed_once_for_a_stage_and_anew_for_the_next(monkeypatch):
    packed, stages = [], ["verify", "verify", "contain", None, None]
    monkeypatch.setattr(tasks.parallel.runners.TaskRunContext, "get", lambda: stages[0])
    monkeypatch.setattr(
        tasks.parallel.runners,
        "serialize_context",
        lambda: packed.append(stages[0]) or {"task_run_context": stages[0], "settings_context": {"large": 1}},
    )
    monkeypatch.setattr(ProcessPoolTaskRunner, "submit", lambda self: self._cached_context)
    pool, told = Processes(max_workers=1), []
    while stages:
        told.append(pool.submit())
        del stages[0]
    assert [one["task_run_context"] for one in told] == ["verify", "verify", "contain", None, None]
    assert packed == ["verify", "contain", None]
    assert not any(one["settings_context"] for one in told)


@pytest.mark.slow
def test_workers_have_the_settings_of_the_run():
    with temporary_settings({PREFECT_UI_URL: "http://here.invalid"}), Processes(max_workers=1) as pool:
        assert pool._executor.submit(PREFECT_UI_URL.value).result(timeout=120) == "http://here.invalid"


def test_only_clients_without_tls_do_without_the_certificates_of_authorities():
    plain = without_authorities({"PREFECT_API_URL": "http://127.0.0.1:4200/api"})
    assert list(plain) == ["PREFECT_API_SSL_CERT_FILE"]
    read = ssl.create_default_context(cafile=plain["PREFECT_API_SSL_CERT_FILE"])
    assert len(read.get_ca_certs()) == 1
    for told in ({"PREFECT_API_URL": "https://here.invalid/api"}, {}):
        assert without_authorities(told) == {}
    own = {"PREFECT_API_URL": "http://here.invalid", "PREFECT_API_SSL_CERT_FILE": "/etc/own.pem"}
    assert without_authorities(own) == {}


def test_workers_share_what_the_run_leaves_of_its_memory(tmp_path):
    run = Run(workspace=tmp_path, threads=8, memory_limit="9GB")
    assert share(run) is run
    for places, own, room in [(2, 3000, "3000MB"), (8, 1000, "1000MB"), (11, 1000, "727MB"), (64, 1000, "700MB")]:
        assert split(9 * 10**9, places)[0] == own * 10**6
        with at_work(places=places):
            assert (share(run).threads, share(run).memory_limit) == (1, room)


def test_the_database_has_its_share_of_the_memory_while_others_work(tmp_path):
    run = Run(workspace=tmp_path, threads=8, memory_limit="9GB")
    asked = "select current_setting('memory_limit')"
    with workers("processes", None, 8, run.limit_bytes):
        assert run.connect().execute(asked).fetchone() == ("238.4 MiB",)
    assert run.connect().execute(asked).fetchone() == ("3.0 GiB",)


def test_ctrl_c_waits_while_workers_are_begun(monkeypatch):
    monkeypatch.setattr(ProcessPoolTaskRunner, "submit", lambda self: signal.pthread_sigmask(signal.SIG_BLOCK, []))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert Processes(max_workers=1).submit() >= {signal.SIGINT, signal.SIGHUP}
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before
