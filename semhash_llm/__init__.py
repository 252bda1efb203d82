"""Python interface of SemHash-LLM: texts in, what is kept and why out, by the same stages as the command line.

import semhash_llm as sh

result = sh.deduplicate(frame, text="text", id="id")
result.kept, result.decisions, result.explain("some id")
"""

from models.parameters import Parameters
from semhash_llm.pairs import Comparison, compare
from semhash_llm.result import Result, open
from semhash_llm.runs import deduplicate, refresh
from tasks.runtime.errors import ContractError, DamageError, GateError, InputError

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
