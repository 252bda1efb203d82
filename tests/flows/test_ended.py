"""A run says on its page what was kept, and of wrong input one sentence."""

import logging

import pytest
from prefect import flow, task

from flows.ended import ended
from tasks.runtime.errors import InputError
from tests.support.made_snapshot import make

pytestmark = pytest.mark.flows


def test_the_state_of_a_run_says_what_was_kept(client, tmp_path):
    made = make(tmp_path / "out")

    @flow
    def publish() -> str:
        return ended(made.path)

    state = publish(return_state=True)
    report = made.path / "report.html"
    assert state.is_completed() and state.message.endswith(f" kept, 2 rows rejected, report: {report}"), state
    assert publish() == publish.fn() == str(made.path)


def test_wrong_input_takes_one_line_of_the_log(client, caplog):
    @task
    def read() -> None:
        raise InputError("'x.parquet' does not exist")

    @task
    def break_down() -> None:
        raise ValueError("a defect")

    @flow
    def run(what) -> None:
        what()

    with caplog.at_level(logging.INFO):
        for what in (read, break_down):
            assert run(what, return_state=True).is_failed()
    told = [record for record in caplog.records if "does not exist" in record.getMessage()]
    assert told and not any(record.exc_info for record in told)
    assert any(record.exc_info for record in caplog.records if "a defect" in record.getMessage() + str(record.exc_info))
