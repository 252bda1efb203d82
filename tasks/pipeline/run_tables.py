"""Tables of a run: what its stages made, by name."""

from tasks.pipeline.registry import STAGES
from tasks.storage.tables import TableRef


class Tables(dict[str, TableRef]):
    """Tables that the stages of a run made, by name in `curate`, in the order of the registry."""

    def __init__(self, **made: TableRef) -> None:
        names = [table for row in STAGES for table in row.names]
        if made.keys() != {*names}:
            raise LookupError(f"tables that are missing, or that no stage makes: {sorted(made.keys() ^ {*names})}")
        super().__init__({name: made[name] for name in names})
