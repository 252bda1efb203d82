"""Runs that look as if they were running although nothing runs them any more."""

import os

from prefect.client.orchestration import SyncPrefectClient
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterState, FlowRunFilterStateType
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.states import Crashed

OPEN = [StateType.PENDING, StateType.RUNNING, StateType.CANCELLING]


def close(client: SyncPrefectClient, worker: str) -> None:
    """Set runs of a worker to Crashed whose process is gone: it was killed with the worker and could not say so.

    Left alone, such a run could not be retried, and for five minutes no other run of its deployment could begin.

    Args:
        client: of the server.
        worker: name of a worker of this machine that is not running.
    """
    unfinished = FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=OPEN)))
    for run in client.read_flow_runs(flow_run_filter=unfinished):
        if run.labels.get("prefect.worker.name") == worker and not _lives(run):
            client.set_flow_run_state(run.id, Crashed(message="its worker was stopped or killed"), force=True)


def _lives(run: FlowRun) -> bool:
    if not run.infrastructure_pid:
        return False
    try:
        os.kill(int(run.infrastructure_pid), 0)
    except PermissionError:  # of another user
        return True
    except ProcessLookupError:
        return False
    return True
