"""Version of a table: hash of all source that its rows follow from, so that nobody has to remember to raise one.

It is the closure (`models/source/closure.py`) of the task that makes the table.
"""

import os
from pathlib import Path

from models.source.closure import Sources
from models.source.definitions import PACKAGES

CARRIERS = {
    "tasks.storage.stage:Stage",
    "tasks.storage.work",
    "tasks.quality.enforce_contracts",
    "tasks.runtime.errors",
    "data_contracts.schema",
    "data_contracts.schemas",
    "tasks.runtime.memory",
    "tasks.pipeline.registry",
    "tasks.runtime.progress",
    "tasks.runtime.run",
    "tasks.parallel.map_parts",
    "tasks.remote.object_mirror",
    "tasks.parallel.runners",
    "models.kernels.cache",
    "models.parameters:Parameters",
}
"""Where the search ends: they see to where rows go, who makes them, how far that is and whether they may stay.

None makes a row. Of the parameters the values are in the name of a table, and the sections that its stage is given
count by themselves; so do contracts, by the names of their own.
"""

_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "semhash-llm"
OURS = Sources(Path(__file__).resolve().parents[2], _CACHE, ends=CARRIERS)


def version(*names: str) -> str:
    """Hash of all that names of this installation are made of; see `Sources.version`."""
    return OURS.version(*names)


def ours(*names: str) -> list[str]:
    """Names among these that stand in our packages, as the repository calls them: nobody else's source is known."""
    written = [name.removeprefix("semhash_llm.") for name in names]
    return [name for name in written if name.partition(".")[0] in PACKAGES]
