"""Webhook call when a run failed."""

import json
import os
from typing import Any
from urllib.request import Request, urlopen

from prefect import Flow, State
from prefect.client.orchestration import get_client
from prefect.client.schemas import FlowRun
from prefect.logging.loggers import flow_run_logger
from prefect.utilities.urls import url_for

ADDRESS = "SEMHASH_WEBHOOK"
SECONDS = 10.0
LONGEST = 2000
"""Characters of a message: an error may hold all parameters of a task, and a chat would not show it."""


def notify(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """POST what happened as JSON; for `@flow(on_failure=[notify], on_crashed=[notify])`.

    The address is that of the environment variable `SEMHASH_WEBHOOK`, else of the Prefect variable `semhash_webhook`;
    without either nothing is sent. The body has the strings flow, run, state, message and url (of the run's page; null
    where there is no server). What goes wrong on the way is logged and never raised.
    """
    log = flow_run_logger(flow_run, flow)
    try:
        if address := _address():
            message = {
                "flow": flow.name,
                "run": flow_run.name,
                "state": state.name,
                "message": (state.message or "")[:LONGEST],
                "url": url_for(flow_run),
            }
            body = json.dumps(message).encode()
            request = Request(address, body, {"Content-Type": "application/json"}, method="POST")
            with urlopen(request, timeout=SECONDS) as answer:
                log.info("the webhook answered %s", answer.status)
    except Exception as error:  # a run that failed must not fail for another reason than its own
        log.warning("the webhook was not reached: %s", type(error).__name__)  # its words may hold the address


def _address() -> str:
    if address := os.environ.get(ADDRESS):
        return address
    with get_client(sync_client=True) as client:
        variable = client.read_variable_by_name(ADDRESS.lower())
    return str(variable.value) if variable else ""
