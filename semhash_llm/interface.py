"""What `import semhash_llm` offers, in one place."""

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
