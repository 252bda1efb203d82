"""End of a run: its state says what was kept, its log says it, too, and what is wrong with input takes one line."""

import logging
from pathlib import Path
from typing import cast

from prefect.context import FlowRunContext
from prefect.logging import get_run_logger
from prefect.states import Completed

from tasks.publish.outcome import Outcome
from tasks.runtime.errors import ToldError


def ended(snapshot: Path, before: str = "") -> str:
    """What a flow returns: the folder of the snapshot, within a run as a state whose message says what was kept.

    The message begins with `before`.
    """
    if FlowRunContext.get() is None:
        return str(snapshot)
    line = before + Outcome.of(snapshot).line()
    get_run_logger().info(line)
    return cast("str", Completed(message=line, data=str(snapshot)))  # which gives the folder to who called the flow


def _without_traceback(record: logging.LogRecord) -> bool:
    """Take the traceback off an error whose sentence says all that its reader can do something about."""
    if record.exc_info and isinstance(record.exc_info[1], ToldError):
        record.msg, record.args, record.exc_info = str(record.exc_info[1]), (), None
    return True


for _logger in ("prefect.flow_runs", "prefect.task_runs"):
    logging.getLogger(_logger).addFilter(_without_traceback)
