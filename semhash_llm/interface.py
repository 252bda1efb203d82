"""What `import semhash_llm` offers, in one place."""

from models.parameters import Parameters as Parameters
from semhash_llm.pairs import Comparison as Comparison
from semhash_llm.pairs import compare as compare
from semhash_llm.result import Result as Result
from semhash_llm.result import open as open
from semhash_llm.runs import deduplicate as deduplicate
from semhash_llm.runs import refresh as refresh
from tasks.runtime.errors import ContractError as ContractError
from tasks.runtime.errors import DamageError as DamageError
from tasks.runtime.errors import GateError as GateError
from tasks.runtime.errors import InputError as InputError
