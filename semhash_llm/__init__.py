"""Python interface of SemHash-LLM: texts in, what is kept and why out, by the same stages as the command line.

import semhash_llm as sh

result = sh.deduplicate(frame, text="text", id="id")
result.kept, result.decisions, result.explain("some id")
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semhash_llm.interface import (
        Comparison,
        ContractError,
        DamageError,
        GateError,
        InputError,
        Parameters,
        Result,
        compare,
        deduplicate,
        open,
        refresh,
    )

__all__ = [
    "Comparison",
    "ContractError",
    "DamageError",
    "GateError",
    "InputError",
    "Parameters",
    "Result",
    "compare",
    "deduplicate",
    "open",
    "refresh",
]


def __getattr__(name: str) -> object:
    """Part of the interface, imported when it is asked for: the command line heeds signals before all that."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.interface"), name)


def __dir__() -> list[str]:
    return __all__
