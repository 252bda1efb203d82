"""Plain flows: the functions beneath flows and tasks, called without a Prefect server that would record them."""

import sys
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

from prefect import Flow, Task


@cache
def plain(flow: Flow[..., Any]) -> Callable[..., Any]:
    """The function of a flow, with those of the tasks that its module names in their place."""
    module = sys.modules[flow.fn.__module__]
    names: dict[str, Any] = dict(vars(module))
    for name, value in vars(module).items():
        if isinstance(value, Task | Flow):
            value = value.fn
        if isinstance(value, FunctionType) and value.__globals__ is vars(module):
            value = _in(names, value)
        names[name] = value
    names["untracked"] = lambda value: value
    found: Callable[..., Any] = names[flow.fn.__name__]
    return found


def _in(names: dict[str, Any], function: FunctionType) -> FunctionType:
    """The same function, which looks its names up elsewhere."""
    made = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made
